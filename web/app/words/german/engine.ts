// What the engine offers to choose from, in German: a method, an embedder or a format that is
// not here keeps the engine's words.

import type { Hello } from '../../../lib/api.ts';

declare const __GERMAN__: string;

/** The words of the engine's own rows, by the English ones: the build puts them in. */
const table: {
  labels: Record<string, string>;
  ones: Record<string, string>;
  methods: Record<string, { label: string; help: string; setting?: string }>;
  good: Record<string, string>;
} = JSON.parse(__GERMAN__);

const embedders: Record<string, { label: string; help: string }> = {
  auto: {
    label: 'Automatisch',
    help: 'Das eingebaute Modell für englische Dokumente; andere werden nach ihren eigenen Wörtern verglichen. Ihr Text bleibt hier.',
  },
  builtin: {
    label: 'eingebaut · offline · kostenlos',
    help: 'Seams eigenes kleines Modell des Englischen: Es weiß, dass Ärztin und Krankenhaus einander nahe sind. Ihr Text bleibt hier.',
  },
  meaning: {
    label: 'Bedeutung · offline · kostenlos',
    help: 'Seams eigener Satz-Encoder für Englisch: Er liest Wörter in ihrem Zusammenhang und ist langsamer als das eingebaute Modell. Ihr Text bleibt hier.',
  },
  lexical: {
    label: 'lexikalisch · offline · kostenlos',
    help: 'Vergleicht die Wörter Ihres Dokuments, ohne Sprachmodell: Synonyme sind ihm fremd.',
  },
};

export function offered(hello: Hello): Hello {
  return {
    ...hello,
    methods: hello.methods.map((method) => {
      const { setting: label, ...own } = table.methods[method.name] ?? {};
      return { ...method, ...own, setting: method.setting && label ? { ...method.setting, label } : method.setting };
    }),
    embedders: hello.embedders.map((embedder) => ({ ...embedder, ...embedders[embedder.name] })),
  };
}

/** What a person calls the files of a format, in the accusative. */
export const kinds = (labels: string[]): string[] => labels.map((label) => table.labels[label] ?? label);

/** One file of a format, in the nominative. */
export const one = (english: string): string => table.ones[english] ?? english;

/** What each method is good for, by its name. */
export const goodFor = table.good;
