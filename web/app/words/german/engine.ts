// The engine's choices in German. A method, an embedder or a format that is missing here
// keeps the engine's words.

import type { Hello } from '../../../lib/api.ts';

declare const __GERMAN__: string;

/** The words of the engine's rows by the English ones, set by the build. */
const table: {
  labels: Record<string, string>;
  ones: Record<string, string>;
  methods: Record<string, { label: string; help: string; setting?: string }>;
  embedders: Record<string, { label: string; help: string }>;
  good: Record<string, string>;
} = JSON.parse(__GERMAN__);

export function offered(hello: Hello): Hello {
  return {
    ...hello,
    methods: hello.methods.map((method) => {
      const { setting: label, ...own } = table.methods[method.name] ?? {};
      return { ...method, ...own, setting: method.setting && label ? { ...method.setting, label } : method.setting };
    }),
    embedders: hello.embedders.map((embedder) => ({ ...embedder, ...table.embedders[embedder.name] })),
  };
}

/** The common names of files of a format, in the accusative. */
export const kinds = (labels: string[]): string[] => labels.map((label) => table.labels[label] ?? label);

/** One file of a format, in the nominative. */
export const one = (english: string): string => table.ones[english] ?? english;

/** The use of each method, by its name. */
export const goodFor = table.good;
