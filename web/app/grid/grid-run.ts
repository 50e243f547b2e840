// Cuts and searches a document with every setting of a grid. The document's chunks do not
// change, and nothing is sent.

import type { Budgets, Chunk, GridSetting, Method, Ranking, SearchMode } from '../../lib/api.ts';
import type { Settings } from '../../lib/cut.ts';
import { characters, deepest, nameOf } from '../../lib/grid.ts';
import { median } from '../../lib/histogram.ts';
import { spansOf, type Span } from '../../lib/questions.ts';
import type { EngineClient } from '../../lib/workers.ts';
import type { Choices } from '../session/choices.ts';
import { withLimits } from '../session/compare-limits.ts';
import { grid as words } from '../words/en/grid.ts';
import type { Chunking, Doc } from '../session/doc.ts';

/** The values to combine. */
export interface Axes {
  methods: readonly Method[];
  /** The most tokens in a chunk; 0 means the method's default. */
  sizes: readonly number[];
  overlap: number;
  embedders: readonly string[];
  modes: readonly SearchMode[];
}

/** One setting, with the parameters for the engine. */
export interface Cell {
  /** Whether the document is cut and searched like this now. */
  inUse: boolean;
  setting: GridSetting;
  method: Method;
  mode: SearchMode;
  settings: Settings;
}

/** A ranking, with the median chunk length, by which users identify chunks. */
export interface Measured {
  cell: Cell;
  ranking: Omit<Ranking, 'runs'>;
  median: number;
  /**
   * The best chunks for each question, which a model would receive. Questions without an
   * answer come last.
   */
  passages: readonly (readonly Span[])[];
}

/** Returns how many of the best chunks a model receives. */
export const passagesOf = ({ depths }: Budgets): number => (depths.length > 0 ? Math.max(...depths) : PASSAGES);
const PASSAGES = 5;

/**
 * Returns the cells of a grid: the combinations of the axes, and the setting in use, if it is
 * none of them.
 * A cell that neither cuts nor searches by vectors is shared by all embedders.
 */
export function cellsOf(axes: Axes, choices: Choices, doc: Doc): Cell[] {
  const cells = combined(axes, choices, doc);
  const own = cellInUse(choices, doc);
  if (!own) return cells;
  const same = cells.find((cell) => cell.mode === own.mode && alike(cell, own));
  if (same) return cells.map((cell) => (cell === same ? { ...cell, inUse: true } : cell));
  const taken = cells.some(({ setting }) => nameOf(setting) === nameOf(own.setting));
  if (taken) own.setting.method += ` (${words.inUse})`;
  return [...cells, own];
}

/** Returns the cell of the settings that cut the document, or null while it is not cut. */
function cellInUse(choices: Choices, { chunking }: Doc): Cell | null {
  const method = choices.hello?.methods.find(({ name }) => name === chunking?.result.method);
  if (!chunking || !method) return null;
  const settings = { ...chunking.followed, embedder: chunking.result.embedder, view: chunking.result.view };
  const mode = choices.preferences.searchMode;
  const number = settings.setting ?? method.setting?.default ?? 0;
  return { inUse: true, method, mode, settings, setting: settingOf(method, number, settings, mode) };
}

/** Reports whether two cells cut alike: values left out are the method's own. */
function alike(one: Cell, other: Cell): boolean {
  const known = ({ method, settings }: Cell) =>
    JSON.stringify(
      Object.entries({
        ...(settings.threshold === undefined && settings.count === undefined && { setting: method.setting?.default }),
        ...settings,
        ...(!method.needsVectors && { embedder: '' }),
      })
        .filter(([, value]) => value)
        .sort(([a], [b]) => (a < b ? -1 : 1)),
    );
  return one.method === other.method && known(one) === known(other);
}

function combined({ methods, sizes, overlap, embedders, modes }: Axes, choices: Choices, doc: Doc): Cell[] {
  const cells = new Map<string, Cell>();
  for (const embedder of embedders) {
    for (const method of methods) {
      const number = choices.preferences.settings[method.name] ?? method.setting?.default ?? 0;
      for (const size of sizes) {
        const settings = withLimits(
          choices.settingsBy(doc, method, number),
          { maxTokens: size, overlap, embedder },
          method,
        );
        for (const mode of modes) {
          const setting = settingOf(method, number, settings, mode);
          const name = nameOf(setting);
          if (!cells.has(name)) cells.set(name, { inUse: false, setting, method, mode, settings });
        }
      }
    }
  }
  return [...cells.values()];
}

/** Describes a cell before it is measured. It has no embedder if none cuts or searches. */
function settingOf(
  method: Method,
  number: number,
  { maxTokens = 0, embedder = '' }: Settings,
  mode: SearchMode,
): GridSetting {
  const of = method.needsVectors || mode !== 'keyword' ? embedder : '';
  return {
    method: numbered(method, number),
    ...(maxTokens > 0 && { size: maxTokens }),
    ...(of && { embedder: of }),
    ranker: mode,
    chunks: 0,
    tokens: 0,
  };
}

/** Names a method as the command line does: with its number if that is not the default. */
const numbered = ({ name, setting }: Method, number: number): string =>
  setting && number !== setting.default ? `${name}:${number}` : name;

export class GridRun {
  readonly #engine: EngineClient;
  readonly #doc: Doc;
  readonly #budgets: Budgets;
  /** The questions with an answer in the text, and those without. */
  readonly questions: readonly string[];
  readonly unanswerable: readonly string[];
  /** The text of each answer. */
  readonly ideals: readonly string[];
  /** How many of the questions a model has written. */
  readonly made: number;
  /** The places of each question's answers, in characters. */
  readonly answers: [start: number, end: number][][];
  readonly #at: (offset: number) => number;
  /**
   * The key of everything besides its cell and the text that a measurement depends on. A
   * new key needs new measurements.
   */
  readonly by: string;

  constructor(
    engine: EngineClient,
    doc: Doc,
    chunking: Chunking,
    budgets: Budgets,
    unanswerable: readonly string[] = [],
  ) {
    const { text, view } = chunking.text;
    this.#engine = engine;
    this.#doc = doc;
    this.#budgets = budgets;
    this.#at = characters(text);
    const asked = doc.questions
      .map((each) => ({ ...each, spans: spansOf(each, text, view) }))
      .filter(({ spans }) => spans.length > 0);
    this.questions = asked.map(({ question }) => question);
    this.unanswerable = unanswerable;
    this.ideals = asked.map(({ spans }) => spans.map(({ start, end }) => text.slice(start, end)).join('\n'));
    this.made = asked.filter(({ made }) => made).length;
    this.answers = asked.map(({ spans }) => spans.map((span) => this.#placed(span)));
    this.by = JSON.stringify([this.questions, unanswerable, this.answers, budgets]);
  }

  async measure({ inUse, setting, method, mode, settings }: Cell, signal: AbortSignal): Promise<Measured> {
    const params = { ...settings, doc: this.#doc.id };
    const {
      result: { chunks, embedder },
    } = await this.#engine.call('chunk', { ...params, aside: true }, { signal });
    const lengths = chunks.map(({ tokens }) => tokens);
    const k = Math.min(chunks.length, deepest(this.#budgets, Math.min(...lengths)));
    const used = { ...settings, embedder };
    const {
      result: { hits },
    } = await this.#engine.call(
      'retrieve',
      { doc: this.#doc.id, settings: used, questions: [...this.questions, ...this.unanswerable], k, mode },
      { signal },
    );
    const needed = hits.map((of) => this.#needed(of.flatMap((i) => chunks[i] ?? [])));
    const found = needed
      .slice(0, this.questions.length)
      .map((of) => of.map((chunk) => [...this.#placed(chunk), chunk.tokens] satisfies [number, number, number]));
    const tokens = lengths.reduce((sum, length) => sum + length, 0) / Math.max(1, lengths.length);
    return {
      cell: { inUse, setting, method, mode, settings: used },
      median: median(lengths),
      passages: needed.map((of) => of.slice(0, passagesOf(this.#budgets)).map(({ start, end }) => ({ start, end }))),
      ranking: { ...setting, chunks: chunks.length, tokens, found },
    };
  }

  #placed({ start, end }: Span): [start: number, end: number] {
    return [this.#at(start), this.#at(end)];
  }

  /** Returns as many of the best chunks as the figures need. */
  #needed(found: Chunk[]): Chunk[] {
    const depth = Math.max(0, ...this.#budgets.depths);
    let left = Math.max(0, ...this.#budgets.tokens);
    const end = found.findIndex(({ tokens }, i) => {
      const enough = i >= depth && left <= 0;
      left -= tokens;
      return enough;
    });
    return end < 0 ? found : found.slice(0, end);
  }
}
