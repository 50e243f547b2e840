// The chunks shown while the line moves, from the rows of `recut`. When it rests, the
// engine's own chunks, with ids, replace them.

import { Row, type Chunk, type Line, type Reason, type ReasonKind } from '../../lib/api.ts';
import type { EngineClient } from '../../lib/workers.ts';
import type { Doc } from './doc.ts';

/**
 * Moves the line of a document that has been cut with this method. Returns false if that is
 * not possible; the chunks then stay unchanged.
 *
 * The document's recorded settings are cleared. It therefore counts as out of date until
 * the line rests, even if the line returns to its old place.
 */
export async function moveLine(
  engine: EngineClient,
  doc: Doc,
  line: Line,
  kinds: readonly ReasonKind[],
): Promise<boolean> {
  const answer = await engine.call('recut', { doc: doc.id, ...line }).catch(() => null); // `chunk` will report the reason
  const [rows, boundaries] = [0, 1].map((i) => new Int32Array(answer?.blobs[i] ?? new ArrayBuffer(0))) as [
    Int32Array,
    Int32Array,
  ];
  const { chunking } = doc;
  if (!answer || rows.length === 0 || !chunking) return false;
  const sections =
    chunking.sections ?? new Map(chunking.result.chunks.map(({ start, end, section }) => [`${start}-${end}`, section]));
  const chunks = movedChunks({ rows, kinds, sections, curve: chunking.curve, threshold: answer.result.threshold });
  doc.chunking = {
    ...chunking,
    sections,
    boundaries,
    eased: '',
    settings: '',
    result: { ...chunking.result, ...answer.result, remedy: null, chunks },
  };
  return true;
}

/** The data of moved chunks. */
export interface Source {
  rows: Int32Array;
  kinds: readonly ReasonKind[];
  /** Sections of the chunks before the move, by start and end. */
  sections: ReadonlyMap<string, string>;
  curve: Float32Array;
  threshold: number;
}

export function movedChunks(source: Source): Chunk[] {
  return Array.from({ length: source.rows.length / Row.width }, (_, i) => new MovedChunk(source, i * Row.width));
}

/**
 * Computes its reason and pages on demand: of thousands of chunks, only those in view need
 * them.
 */
class MovedChunk implements Chunk {
  readonly #of: Source;
  readonly #at: number;
  readonly id = '';
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

  /** The section is known only for chunks that did not change, until the line rests. */
  get section(): string {
    return this.#of.sections.get(`${this.start}-${this.end}`) ?? '';
  }

  get page(): number {
    return this.#number(Row.firstPage);
  }

  get pages(): number[] {
    return pagesBetween(this.page, this.#number(Row.lastPage));
  }

  get reason(): Reason {
    const { kinds, curve, threshold } = this.#of;
    const kind = kinds[this.#number(Row.reason)] ?? 'end';
    const value = curve[this.#number(Row.after)];
    return {
      kind,
      ...(value === undefined ? {} : { value, threshold }),
      ...(this.#number(Row.needed) === 1 ? { for: 'max' as const } : {}),
    };
  }

  #number(field: number): number {
    return this.#of.rows[this.#at + field] ?? 0;
  }
}

function pagesBetween(first: number, last: number): number[] {
  return first === 0 ? [] : Array.from({ length: last - first + 1 }, (_, i) => first + i);
}
