// The form of a grid: methods, sizes, embedders, search modes, and the budgets to judge by.

import type { Hello, Method, SearchMode } from '../../lib/api.ts';
import type { Budgets } from '../../lib/api.ts';
import { h, setAttribute } from '../ground/dom.ts';
import type { Axes } from './grid-run.ts';
import { remember, remembered } from '../ground/remembered.ts';
import { grid as words } from '../words/en/grid.ts';
import { strings } from '../words/en/page.ts';

const KEY = 'seam.grid.1';
const MODES: readonly SearchMode[] = ['keyword', 'dense', 'hybrid'];
/** Methods selected at first, in addition to the one in use. */
const COMMON = ['semantic', 'recursive', 'sentences'];

export interface Typed {
  axes: Axes;
  budgets: Budgets;
}

/** The values remembered between visits. */
interface Stored {
  methods: string[];
  sizes: string;
  overlap: string;
  embedders: string[];
  modes: SearchMode[];
  depths: string;
  tokens: string;
}

export interface InUse {
  method: string;
  /** The embedder used, by the engine's name. */
  embedder: string;
  mode: SearchMode;
  unit: string;
}

export class GridForm {
  readonly #methods: readonly Method[];
  readonly #method: Map<string, HTMLInputElement>;
  readonly #embedder: Map<string, HTMLInputElement>;
  readonly #mode: Map<string, HTMLInputElement>;
  readonly #sizes: HTMLInputElement;
  readonly #overlap = h('input', { type: 'number', id: 'grid-overlap', min: 0, step: 1 });
  readonly #depths: HTMLInputElement;
  readonly #tokens: HTMLInputElement;
  readonly #labels: { sizes: string; depths: string; tokens: string };
  readonly element: HTMLElement;

  /**
   * `embedders` are available on this page, with their labels; `changed` is called while the
   * user types.
   */
  constructor(hello: Hello, embedders: readonly { name: string; label: string }[], inUse: InUse, changed: () => void) {
    const stored = read();
    this.#methods = hello.methods;
    const has = (names: readonly string[] | undefined, fallback: readonly string[]) => (name: string) =>
      (names ?? fallback).includes(name);
    const groups = strings.settings.groups.map(({ label, methods }) => ({
      label,
      rows: hello.methods.filter(({ name }) => methods.includes(name)),
    }));
    this.#method = checks(hello.methods, has(stored.methods, [inUse.method, ...COMMON]));
    this.#embedder = checks(
      embedders,
      has(
        stored.embedders?.filter((name) => embedders.some((each) => each.name === name)),
        [inUse.embedder],
      ),
    );
    this.#mode = checks(
      MODES.map((name) => ({ name, label: words.mode[name] })),
      has(stored.modes, [inUse.mode]),
    );
    this.#labels = { sizes: words.sizes(inUse.unit), depths: words.depths, tokens: words.tokens(inUse.unit) };
    this.#sizes = listed('grid-sizes', stored.sizes ?? '128, 256, 512');
    this.#depths = listed('grid-depths', stored.depths ?? '1, 5');
    this.#tokens = listed('grid-tokens', stored.tokens ?? (inUse.unit === 'chars' ? '4000' : '1000'));
    this.#overlap.value = stored.overlap ?? '0';
    this.element = h(
      'div',
      { class: 'axes' },
      h(
        'fieldset',
        { class: 'methods' },
        h('legend', {}, words.methods),
        ...groups.map(({ label, rows }) => h('div', {}, h('b', {}, label), ...chosen(rows, this.#method))),
      ),
      h(
        'div',
        { class: 'pair' },
        field(this.#labels.sizes, this.#sizes, words.sizesHint),
        field(words.overlap, this.#overlap),
      ),
      h(
        'div',
        { class: 'pair' },
        h(
          'fieldset',
          {},
          h('legend', {}, words.modes),
          ...chosen(
            MODES.map((name) => ({ name, label: words.mode[name] })),
            this.#mode,
          ),
        ),
        h('fieldset', {}, h('legend', {}, words.embedders), ...chosen(embedders, this.#embedder)),
      ),
      h(
        'div',
        { class: 'pair' },
        field(this.#labels.tokens, this.#tokens, words.tokensHint),
        field(this.#labels.depths, this.#depths),
      ),
    );
    this.element.addEventListener('input', changed);
  }

  /** Returns the input, or a sentence about its error. */
  read(): Typed | string {
    for (const input of [this.#sizes, this.#overlap, this.#tokens, this.#depths])
      setAttribute(input, 'aria-invalid', null);
    const lists = [
      [this.#sizes, this.#labels.sizes, 0],
      [this.#tokens, this.#labels.tokens, 1],
      [this.#depths, this.#labels.depths, 1],
    ] as const;
    const [sizes, tokens, depths] = lists.map(([input, , least]) => numbers(input.value, least));
    const wrong = lists[[sizes, tokens, depths].indexOf(null)];
    if (wrong) return refuse(wrong[0], words.badList(wrong[1]));
    if (!sizes || !tokens || !depths) return '';
    const methods = this.#methods.filter(({ name }) => this.#method.get(name)?.checked);
    const axes: Axes = {
      methods,
      sizes: sizes.length > 0 ? sizes : [0],
      overlap: this.#overlap.valueAsNumber || 0,
      embedders: ticked(this.#embedder),
      modes: ticked(this.#mode) as SearchMode[],
    };
    const least = Math.min(...axes.sizes.filter((size) => size > 0));
    if (!this.#overlap.validity.valid || axes.overlap >= least) return refuse(this.#overlap, words.badOverlap);
    if (methods.length === 0 || axes.embedders.length === 0 || axes.modes.length === 0) return words.nothing;
    if (tokens.length + depths.length === 0) return refuse(this.#tokens, words.noBudget);
    return { axes, budgets: { depths, tokens } };
  }

  keep(): void {
    const stored: Stored = {
      methods: ticked(this.#method),
      sizes: this.#sizes.value,
      overlap: this.#overlap.value,
      embedders: ticked(this.#embedder),
      modes: ticked(this.#mode) as SearchMode[],
      depths: this.#depths.value,
      tokens: this.#tokens.value,
    };
    remember(KEY, JSON.stringify(stored));
  }
}

/**
 * Reads the remembered values. Another version of the page may have written them, so each
 * is checked.
 */
function read(): Partial<Stored> {
  try {
    const found = JSON.parse(remembered(KEY) || '{}') as Record<string, unknown>;
    const lists = ['methods', 'embedders', 'modes'].flatMap((key) => {
      const value = found[key];
      return Array.isArray(value) && value.length > 0 && value.every((each) => typeof each === 'string')
        ? [[key, value]]
        : [];
    });
    const texts = ['sizes', 'overlap', 'depths', 'tokens'].flatMap((key) =>
      typeof found[key] === 'string' ? [[key, found[key]]] : [],
    );
    return Object.fromEntries([...lists, ...texts]) as Partial<Stored>;
  } catch {
    return {};
  }
}

function refuse(input: HTMLInputElement, why: string): string {
  setAttribute(input, 'aria-invalid', 'true');
  return why;
}

/** Parses a list of whole numbers and removes duplicates; returns null if it is invalid. */
function numbers(text: string, least: number): number[] | null {
  const parts = text.split(/[\s,;]+/).filter(Boolean);
  const values = parts.map(Number);
  return parts.every((part, i) => /^\d{1,7}$/.test(part) && (values[i] ?? 0) >= least) ? [...new Set(values)] : null;
}

const ticked = (all: ReadonlyMap<string, HTMLInputElement>): string[] =>
  [...all].filter(([, { checked }]) => checked).map(([name]) => name);

function checks(rows: readonly { name: string }[], on: (name: string) => boolean): Map<string, HTMLInputElement> {
  return new Map(rows.map(({ name }) => [name, h('input', { type: 'checkbox', checked: on(name) })]));
}

function chosen(
  rows: readonly { name: string; label: string }[],
  of: ReadonlyMap<string, HTMLInputElement>,
): HTMLElement[] {
  return rows.map(({ name, label }) => h('label', {}, of.get(name) ?? null, label));
}

function listed(id: string, value: string): HTMLInputElement {
  return h('input', { type: 'text', id, value, inputmode: 'numeric', autocomplete: 'off', spellcheck: 'false' });
}

function field(label: string, input: HTMLInputElement, hint = ''): HTMLElement {
  const help = `${input.id}-help`;
  if (hint) input.setAttribute('aria-describedby', help);
  return h(
    'div',
    { class: 'field' },
    h('label', { for: input.id }, label),
    input,
    hint ? h('p', { class: 'help', id: help }, hint) : null,
  );
}
