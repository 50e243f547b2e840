// The compared methods with their settings and limits: added, removed, put to use, and remembered.

import type { Method } from '../../lib/api.ts';
import type { Limits } from '../../lib/cut.ts';
import { button, h } from '../ground/dom.ts';
import { remember, remembered } from '../ground/remembered.ts';
import type { Cell } from '../grid/grid-run.ts';
import { isHosted } from '../session/choices.ts';
import { embeddersHere, limitsOf, remembering, type Given } from '../session/compare-limits.ts';
import type { Doc } from '../session/doc.ts';
import type { Session } from '../session/session.ts';
import { shown } from '../words/en/views.ts';
import { CompareRow } from './compare-row.ts';

const words = shown.compare;
const KEY = 'seam.compare.1';
/** The most methods. */
const MOST = words.letters.length;
/** The first method to compare with, because most other tools use it. */
const COMMON = 'recursive';

export interface ListOptions {
  session: Session;
  /** The document that is compared. */
  doc: () => Doc | null;
  /** Called after the user has changed the list. */
  changed: () => void;
  /** Called before that with the row of a new method. */
  added: (at: number) => void;
  /** Called before that with the former row of a removed one. */
  removed: (at: number) => void;
}

export class CompareList {
  readonly #options: ListOptions;
  /** The first is the method in use. */
  readonly rows: CompareRow[] = [];
  readonly element = h('ol', { class: 'compared' });
  readonly add = button(words.add, () => this.#append(), { class: 'link', 'data-icon': 'plus' });

  constructor(options: ListOptions) {
    this.#options = options;
  }

  get methods(): readonly Method[] {
    return this.#options.session.choices.hello?.methods ?? [];
  }

  /** Lists the methods compared last, once the engine has named its methods. */
  begin(): void {
    if (this.rows.length > 0) return;
    const stored = remembered(KEY)
      .split(' ')
      .flatMap((each) => {
        const [name, setting = '', ...limits] = each.split(/[=,]/);
        const method = this.methods.find((one) => one.name === name);
        return method
          ? [{ method, setting: Number(setting) || method.setting?.default || 0, limits: limitsOf(limits) }]
          : [];
      });
    const { method, setting } = this.#options.session.choices;
    this.#put(method, setting);
    for (const each of stored.slice(0, MOST - 1)) this.#put(each.method, each.setting, each.limits);
    if (this.rows.length === 1) this.#put(this.#another());
  }

  /** Returns a method that is not compared so far. */
  #another(): Method | null {
    const taken = this.rows.map(({ method }) => method?.name);
    const { defaults } = this.#options.session.choices.hello ?? {};
    const free = this.methods.filter(({ name }) => !taken.includes(name));
    return (
      free.find(({ name }) => name === COMMON) ?? free.find(({ name }) => name === defaults?.method) ?? free[0] ?? null
    );
  }

  /** Returns the limits and embedder of a method without its own. */
  #inUse(): Given {
    const { maxTokens, overlap, unit } = this.#options.session.choices.preferences;
    return {
      maxTokens,
      overlap,
      unit,
      embedder: this.#options.doc()?.chunking?.result.embedder ?? this.#options.session.choices.embedder,
    };
  }

  #put(method: Method | null, setting = method?.setting?.default ?? 0, limits: Limits = {}): void {
    const { hello } = this.#options.session.choices;
    const row = new CompareRow({
      methods: this.methods,
      letter: words.letters[this.rows.length] ?? '',
      method,
      fixed: this.rows.length === 0,
      setting,
      limits,
      inUse: () => this.#inUse(),
      embedders: hello ? embeddersHere(hello) : [],
      changed: () => this.#changed(),
      use: () => this.#use(row),
      remove: () => this.#remove(row),
    });
    this.rows.push(row);
    this.element.append(row.element);
    this.add.hidden = this.rows.length >= MOST;
  }

  #append(): void {
    this.#put(this.#another());
    this.#options.added(this.rows.length - 1);
    this.#changed();
    this.rows.at(-1)?.focus();
  }

  #remove(row: CompareRow): void {
    const at = this.rows.indexOf(row);
    this.rows.splice(at, 1);
    this.#options.removed(at);
    row.element.remove();
    this.rows.forEach((each, i) => each.rename(words.letters[i] ?? ''));
    this.add.hidden = false;
    this.add.focus();
    this.#changed();
  }

  #changed(): void {
    remember(
      KEY,
      this.rows
        .slice(1)
        .flatMap(({ method, setting, limits }) => (method ? [`${method.name}=${setting}${remembering(limits)}`] : []))
        .join(' '),
    );
    this.#options.changed();
  }

  /** Uses a method, and compares the previous one with it. */
  #use(row: CompareRow): void {
    const { choices } = this.#options.session;
    const { method: before, setting: was } = choices;
    const { method, setting, limits } = row;
    if (!method) return;
    const { maxTokens, overlap, embedder } = this.#inUse();
    const { maxTokens: most = maxTokens, overlap: over = overlap, embedder: by = embedder } = limits;
    // Where the new method has its own limits, the previous one now shows its own too.
    row.set(before, was, {
      ...(most !== maxTokens && { maxTokens }),
      ...(over !== overlap && { overlap }),
      ...(by !== embedder && !isHosted(embedder) && { embedder }),
    });
    this.#changed();
    this.#options.session.change({
      method: method.name,
      settings: { ...choices.preferences.settings, [method.name]: setting },
      maxTokens: most,
      overlap: over,
      ...(by !== embedder && { embedder: by }),
    });
  }

  /**
   * Compares a setting of the grid with the one in use. If the list is full, it replaces
   * the last.
   */
  take({
    method,
    settings: { setting = method.setting?.default ?? 0, maxTokens = 0, overlap = 0, embedder = '' },
  }: Cell): void {
    const limits = { maxTokens, overlap, embedder };
    const last = this.rows.at(-1);
    if (this.rows.length < MOST) this.#put(method, setting, limits);
    else last?.set(method, setting, limits);
    this.#options.added(this.rows.length - 1);
    this.#changed();
    this.rows.at(-1)?.focus();
  }
}
