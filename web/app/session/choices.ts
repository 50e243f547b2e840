// How documents are to be cut: what the person has set, within what the engine
// offers. It also keeps the promise of hosted embedders: a document is cut with
// one only once it is allowed.

import { HOSTED, type Embedder, type Hello, type Line, type Method, type View } from '../../lib/api.ts';
import type { Settings } from '../../lib/cut.ts';
import type { Doc } from './doc.ts';
import { loadPreferences, type Preferences } from './preferences.ts';

export class Choices {
  readonly #proxy: string | null;
  readonly preferences: Preferences = loadPreferences();
  /** As they were when the page was opened. */
  readonly first = structuredClone(this.preferences);
  hello: Hello | null = null;
  /** The hosted embedders; null before the proxy has told of them. */
  hosted: readonly Embedder[] | null = null;
  /** A line set by hand, for the selected document only. */
  handThreshold: number | null = null;

  constructor(proxy: string | null) {
    this.#proxy = proxy;
  }

  /** The method in use: the remembered one if the engine still has it. */
  get method(): Method | null {
    const { methods = [], defaults } = this.hello ?? {};
    const find = (name: string | undefined) => methods.find((method) => method.name === name);
    return find(this.preferences.method) ?? find(defaults?.method) ?? methods[0] ?? null;
  }

  /** The method's number. */
  get setting(): number {
    const method = this.method;
    return (method && this.preferences.settings[method.name]) ?? method?.setting?.default ?? 0;
  }

  /** The embedder that is wanted; a hosted one only where there is a proxy. */
  get embedder(): string {
    const { embedder } = this.preferences;
    const known =
      this.hello?.embedders.some(({ name }) => name === embedder) || (this.#proxy !== null && isHosted(embedder));
    return known ? embedder : (this.hello?.defaults.embedder ?? '');
  }

  /** The embedder that a document is cut with: its own; or the one it had, until the wanted one may have it. */
  embedderOf(doc: Doc): string {
    const may = (name: string | undefined) => name && (!isHosted(name) || doc.allowed.has(this.key(name)));
    return (
      [doc.given?.embedder, doc.own, this.embedder, doc.chunking?.embedder].find(may) ??
      this.hello?.defaults.embedder ??
      ''
    );
  }

  /** The one to show as chosen: for a document with one of its own, or that is not to have the wanted one, the one that it has. */
  shownFor(doc: Doc | null): string {
    return doc && (doc.own || doc.declined.has(this.embedder)) ? this.embedderOf(doc) : this.embedder;
  }

  /** What a document is allowed: a hosted embedder, and the sentences of one view, as those of another may never have been sent. */
  key(embedder: string, view = this.view): string {
    return `${embedder} ${view}`;
  }

  /** What a document has to be allowed for the embedder that it is cut with; empty where that is none of a host's. */
  sendingOf(doc: Doc): string {
    const embedder = this.embedderOf(doc);
    return isHosted(embedder) ? this.key(embedder) : '';
  }

  /** A document has been cut with its embedder in its view: there is nothing left to send. */
  hasSent(doc: Doc): boolean {
    return doc.chunking?.embedder === this.embedderOf(doc) && doc.chunking.text === doc.texts.get(this.viewOf(doc));
  }

  /** The order of the text that is wanted. */
  get view(): View {
    return this.preferences.view || (this.method?.view ?? 'reading');
  }

  viewOf({ given }: Doc): View {
    const method = given && this.hello?.methods.find(({ name }) => name === given.method);
    return method ? (given.view ?? method.view) : this.view;
  }

  settingsOf(doc: Doc, selected: boolean): Settings {
    const threshold = selected ? this.handThreshold : null;
    if (doc.given && threshold === null) return doc.given;
    if (doc.given && threshold !== null) {
      const { setting, count, ...rest } = doc.given;
      return { ...rest, threshold };
    }
    const method = this.method;
    const chosen = method ? this.preferences.settings[method.name] : undefined;
    const line =
      threshold !== null
        ? { threshold }
        : chosen === undefined
          ? {}
          : method?.setting
            ? { setting: chosen }
            : { count: 0 };
    return this.#settings(doc, method, line);
  }

  /** The same, but by another method, in the order of the text that the document is shown in. */
  settingsBy(doc: Doc, method: Method, setting: number): Settings {
    return {
      ...this.#settings(doc, method, method.setting ? { setting } : {}),
      view: doc.chunking?.result.view ?? this.viewOf(doc),
    };
  }

  #settings(doc: Doc, method: Method | null, line: Partial<Line>): Settings {
    const { minTokens, maxTokens, overlap, unit, view, headers } = this.preferences;
    return {
      ...(method && { method: method.name }),
      embedder: this.embedderOf(doc),
      ...line,
      maxTokens,
      ...(view && view !== method?.view && { view }),
      ...(unit && { unit }),
      ...(headers && { headers }),
      ...(method?.takesOverlap && { overlap }),
      ...(method?.takesMin !== false && minTokens > 0 && { minTokens }),
    };
  }
}

export function isHosted(embedder: string): boolean {
  return embedder.startsWith(HOSTED);
}
