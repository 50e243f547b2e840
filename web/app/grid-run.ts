// Cuts and searches a document by every setting of a grid. Nothing that is shown changes,
// and nothing is sent.

import type { Method, SearchMode } from '../lib/api.ts';
import { characters, deepest, nameOf, type Budgets, type FoundChunk, type GridSetting, type Ranking } from '../lib/grid.ts';
import { median } from '../lib/histogram.ts';
import { spansOf, type Span } from '../lib/questions.ts';
import type { EngineClient } from '../lib/workers.ts';
import type { Choices } from './choices.ts';
import type { Settings } from './chunker.ts';
import { withLimits } from './compare-limits.ts';
import type { Chunking, Doc } from './doc.ts';

/** What is compared with what: each with each. */
export interface Axes {
  methods: readonly Method[];
  /** Tokens of a chunk at most; 0: as the method has it. */
  sizes: readonly number[];
  overlap: number;
  embedders: readonly string[];
  modes: readonly SearchMode[];
}

/** One setting, and how the engine is asked for it. */
export interface Cell {
  setting: GridSetting;
  method: Method;
  mode: SearchMode;
  settings: Settings;
}

/** A ranking, with the median length of its chunks, which is what people know chunks by. */
export interface Measured {
  cell: Cell;
  ranking: Ranking;
  median: number;
}

/** What neither cuts nor searches by vectors is one cell for all embedders. */
export function cellsOf({ methods, sizes, overlap, embedders, modes }: Axes, choices: Choices, doc: Doc): Cell[] {
  const cells = new Map<string, Cell>();
  for (const embedder of embedders) {
    for (const method of methods) {
      const number = choices.preferences.settings[method.name] ?? method.setting?.default ?? 0;
      for (const size of sizes) {
        const settings = withLimits(choices.settingsBy(doc, method, number), { maxTokens: size, overlap, embedder }, method);
        for (const mode of modes) {
          const of = method.needsVectors || mode !== 'keyword' ? embedder : '';
          const setting: GridSetting = { method: numbered(method, number), size, embedder: of, ranker: mode, chunks: 0, tokens: 0 };
          const name = nameOf(setting);
          if (!cells.has(name)) cells.set(name, { setting, method, mode, settings });
        }
      }
    }
  }
  return [...cells.values()];
}

/** As the command line names it: with its number where that is not the method's own. */
const numbered = ({ name, setting }: Method, number: number): string => (setting && number !== setting.default ? `${name}:${number}` : name);

export class GridRun {
  readonly #engine: EngineClient;
  readonly #doc: Doc;
  readonly #budgets: Budgets;
  readonly #questions: readonly string[];
  readonly #answers: readonly (readonly Span[])[];
  readonly #at: (offset: number) => number;
  /** What a measurement depends on beside its cell and the text: what differs is measured anew. */
  readonly by: string;

  constructor(engine: EngineClient, doc: Doc, chunking: Chunking, budgets: Budgets) {
    const { text, view } = chunking.text;
    this.#engine = engine;
    this.#doc = doc;
    this.#budgets = budgets;
    this.#at = characters(text);
    const asked = doc.questions.map((question) => ({ question: question.question, spans: spansOf(question, text, view) })).filter(({ spans }) => spans.length > 0);
    this.#questions = asked.map(({ question }) => question);
    this.#answers = asked.map(({ spans }) => spans.map((span) => this.#placed(span)));
    this.by = JSON.stringify([this.#questions, this.#answers, budgets]);
  }

  /** Questions whose answer stands in the text. */
  get questions(): number {
    return this.#questions.length;
  }

  async measure({ setting, method, mode, settings }: Cell, signal: AbortSignal): Promise<Measured> {
    const params = { ...settings, doc: this.#doc.id };
    const { result: { chunks, embedder } } = await this.#engine.call('chunk', { ...params, aside: true }, { signal });
    const lengths = chunks.map(({ tokens }) => tokens);
    const k = Math.min(chunks.length, deepest(this.#budgets, Math.min(...lengths)));
    const used = { ...settings, embedder };
    const { result: { hits } } = await this.#engine.call('retrieve', { doc: this.#doc.id, settings: used, questions: [...this.#questions], k, mode }, { signal });
    const found = hits.map((of) => this.#needed(of.flatMap((i) => (chunks[i] ? [{ ...this.#placed(chunks[i]), tokens: chunks[i].tokens }] : []))));
    const tokens = lengths.length > 0 ? Number((lengths.reduce((sum, length) => sum + length, 0) / lengths.length).toFixed(2)) : 0;
    return {
      cell: { setting, method, mode, settings: used }, median: median(lengths),
      ranking: { setting: { ...setting, chunks: chunks.length, tokens }, found, answers: this.#answers },
    };
  }

  #placed({ start, end }: Span): Span {
    return { start: this.#at(start), end: this.#at(end) };
  }

  /** As many of the best as any figure needs. */
  #needed(found: FoundChunk[]): FoundChunk[] {
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
