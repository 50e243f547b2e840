// What the rows of a hot call say, as the chunks that the views show while the
// line moves. When it rests, the engine's own chunks, with ids, take their place.

import { Row, type Chunk, type CurveKind, type Line } from '../lib/api.ts';
import type { EngineClient } from '../lib/workers.ts';
import type { Doc } from './doc.ts';

/** The engine's reason. */
const HEADING = 'heading';
/** Go writes an eighth as 0.12, JavaScript as 0.13. */
const DOWN = 1 - 1e-9;

const DROPS: Record<CurveKind, (value: string, cut: string) => string> = {
  distance: (value, cut) => `drop ${value} > ${cut}`,
  gradient: (value, cut) => `rise ${value} > ${cut}`,
  similarity: (value, cut) => `similarity ${value} < ${cut}`,
  strength: (value) => `topic ${Number((2 ** Number(value) * DOWN).toPrecision(2))}`,
  '': () => '',
};

/**
 * Moves the line of a document that has been cut with this method. False where
 * that is not possible; the chunks are then as they were. The document forgets
 * the settings of the engine's own cut, so that it is out of date until the line
 * rests, also where the line comes back to where it was.
 */
export async function moveLine(engine: EngineClient, doc: Doc, line: Line): Promise<boolean> {
  const { rows, cut, threshold } = await engine.recut(doc.id, line);
  const { cutting } = doc;
  if (rows.length === 0 || !cutting) return false;
  const headings = cutting.headings ?? new Set(cutting.result.chunks.filter(({ reason }) => reason === HEADING).map(({ end }) => end));
  const { chunks, boundaries } = movedChunks(rows, cutting.curve, cut, cutting.result.curve, headings);
  doc.cutting = { ...cutting, boundaries, headings, settings: '', result: { ...cutting.result, cut, threshold, chunks } };
  return true;
}

export interface Moved {
  chunks: Chunk[];
  /** A break after sentence i. */
  boundaries: Int32Array;
}

/** `headings`: where chunks end that are known to end before one, which the rows do not tell. */
export function movedChunks(rows: Int32Array, curve: Float32Array, cut: number, kind: CurveKind, headings = new Set<number>()): Moved {
  const of: Source = { rows, curve, cut: cut.toFixed(2), kind, headings };
  const chunks: Chunk[] = [];
  const boundaries: number[] = [];
  for (let at = 0; at < rows.length; at += Row.width) {
    const after = gapOf(rows[at + Row.after] ?? -1);
    if (after >= 0 && at + Row.width < rows.length) boundaries.push(after);
    chunks.push(new MovedChunk(of, at));
  }
  return { chunks, boundaries: Int32Array.from(boundaries) };
}

interface Source {
  rows: Int32Array;
  curve: Float32Array;
  cut: string;
  kind: CurveKind;
  headings: Set<number>;
}

/** Says its reason and its pages when it is asked: of ten thousand chunks, those in view. */
class MovedChunk implements Chunk {
  readonly #of: Source;
  readonly #at: number;
  readonly id = '';
  readonly section = '';
  readonly start: number;
  readonly end: number;
  readonly tokens: number;

  constructor(of: Source, at: number) {
    this.#of = of;
    this.#at = at;
    this.start = this.#number(Row.start);
    this.end = this.#number(Row.end);
    this.tokens = this.#number(Row.tokens);
  }

  get page(): number {
    return this.#number(Row.firstPage);
  }

  get pages(): number[] {
    return pagesBetween(this.page, this.#number(Row.lastPage));
  }

  get reason(): string {
    const { rows, curve, cut, kind, headings } = this.#of;
    const after = this.#number(Row.after);
    if (this.#at + Row.width >= rows.length) return 'end';
    if (after < 0) return after < -1 ? 'manual' : 'max tokens';
    return headings.has(this.end) ? HEADING : DROPS[kind]((curve[after] ?? 0).toFixed(2), cut);
  }

  #number(field: number): number {
    return this.#of.rows[this.#at + field] ?? 0;
  }
}

/** The sentence whose gap ends a chunk, also where that was done by hand. */
function gapOf(after: number): number {
  return after < -1 ? -3 - after : after;
}

function pagesBetween(first: number, last: number): number[] {
  return first === 0 ? [] : Array.from({ length: last - first + 1 }, (_, i) => first + i);
}
