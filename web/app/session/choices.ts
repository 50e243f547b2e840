// Decides how documents are cut: the user's settings within the engine's offer. It also
// enforces that a document is cut with a hosted embedder only after permission.

import { HOSTED, type Embedder, type Hello, type Line, type Method, type View } from '../../lib/api.ts';
import type { Settings } from '../../lib/cut.ts';
import type { Doc } from './doc.ts';
import { loadPreferences, type Preferences } from './preferences.ts';

export class Choices {
  readonly #proxy: string | null;
  readonly preferences: Preferences = loadPreferences();
  /** The preferences when the page was opened. */
  readonly first = structuredClone(this.preferences);
  hello: Hello | null = null;
  /** The hosted embedders; null before the proxy has answered. */
  hosted: readonly Embedder[] | null = null;
  /** A threshold set by hand, for the selected document only. */
  handThreshold: number | null = null;

  constructor(proxy: string | null) {
    this.#proxy = proxy;
  }

  /** Returns the method in use: the remembered one if the engine still has it. */
  get method(): Method | null {
    const { methods = [], defaults } = this.hello ?? {};
    const find = (name: string | undefined) => methods.find((method) => method.name === name);
    return find(this.preferences.method) ?? find(defaults?.method) ?? methods[0] ?? null;
  }

  /** Returns the method's number. */
  get setting(): number {
    const method = this.method;
    return (method && this.preferences.settings[method.name]) ?? method?.setting?.default ?? 0;
  }

  /** Returns the wanted embedder. A hosted one needs a proxy. */
  get embedder(): string {
    const { embedder } = this.preferences;
    const known =
      this.hello?.embedders.some(({ name }) => name === embedder) || (this.#proxy !== null && isHosted(embedder));
    return known ? embedder : (this.hello?.defaults.embedder ?? '');
  }

  /**
   * Returns the embedder for a document: its own, or the wanted one. While that is not
   * permitted, the embedder of its last cut.
   */
  embedderOf(doc: Doc): string {
    const may = (name: string | undefined) => name && (!isHosted(name) || doc.allowed.has(this.key(name)));
    return (
      [doc.given?.embedder, doc.own, this.embedder, doc.chunking?.embedder].find(may) ??
      this.hello?.defaults.embedder ??
      ''
    );
  }

  /**
   * Returns the embedder to show as chosen. This is the document's current embedder if it
   * has its own or the user declined the wanted one.
   */
  shownFor(doc: Doc | null): string {
    return doc && (doc.own || doc.declined.has(this.embedder)) ? this.embedderOf(doc) : this.embedder;
  }

  /**
   * Returns the key of a permission: a hosted embedder and a view, because the sentences of
   * another view may never have been sent.
   */
  key(embedder: string, view = this.view): string {
    return `${embedder} ${view}`;
  }

  /** Returns the permission that a document needs for its embedder; empty if that is not hosted. */
  sendingOf(doc: Doc): string {
    const embedder = this.embedderOf(doc);
    return isHosted(embedder) ? this.key(embedder) : '';
  }

  /**
   * Reports whether a document has been cut with its embedder in its view, so that nothing
   * remains to be sent.
   */
  hasSent(doc: Doc): boolean {
    return doc.chunking?.embedder === this.embedderOf(doc) && doc.chunking.text === doc.texts.get(this.viewOf(doc));
  }

  /** Returns the wanted order of the text. */
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

  /**
   * Returns the settings with another method, in the order of the text that the document is
   * shown in.
   */
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
