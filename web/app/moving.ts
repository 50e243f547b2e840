// What the rows of a hot call say, as the chunks that the views show while the
// line moves. When it rests, the engine's own chunks, with ids, take their place.

import { Row, type Chunk, type CurveKind } from '../lib/api.ts';
import type { EngineClient } from '../lib/workers.ts';
import type { Doc } from './doc.ts';

const DROPS: Record<CurveKind, (value: string, cut: string) => string> = {
  distance: (value, cut) => `drop ${value} > ${cut}`,
  gradient: (value, cut) => `rise ${value} > ${cut}`,
  similarity: (value, cut) => `similarity ${value} < ${cut}`,
  '': () => '',
};

/**
 * Moves the line of a document that has been cut with this method. False where
 * that is not possible; the chunks are then as they were. The settings that the
 * document remembers stay those of the engine's own cut, so that it is out of
 * date until the line rests.
 */
export async function moveLine(engine: EngineClient, doc: Doc, cut: number): Promise<boolean> {
  const rows = await engine.recut(doc.id, cut);
  const { cutting } = doc;
  if (rows.length === 0 || !cutting) return false;
  const { chunks, boundaries } = movedChunks(rows, cutting.curve, cut, cutting.result.curve);
  doc.cutting = { ...cutting, boundaries, result: { ...cutting.result, cut, chunks } };
  return true;
}

export interface Moved {
  chunks: Chunk[];
  /** A break after sentence i. */
  boundaries: Int32Array;
}

export function movedChunks(rows: Int32Array, curve: Float32Array, cut: number, kind: CurveKind): Moved {
  const chunks: Chunk[] = [];
  const boundaries: number[] = [];
  for (let at = 0; at < rows.length; at += Row.width) {
    const number = (field: number) => rows[at + field] ?? 0;
    const after = number(Row.after);
    const last = at + Row.width >= rows.length;
    if (after >= 0 && !last) boundaries.push(after);
    const first = number(Row.firstPage);
    chunks.push({
      id: '', section: '',
      start: number(Row.start), end: number(Row.end), tokens: number(Row.tokens),
      page: first, pages: pagesBetween(first, number(Row.lastPage)),
      reason: last ? 'end' : after < 0 ? 'max tokens' : DROPS[kind]((curve[after] ?? 0).toFixed(2), cut.toFixed(2)),
    });
  }
  return { chunks, boundaries: Int32Array.from(boundaries) };
}

function pagesBetween(first: number, last: number): number[] {
  return first === 0 ? [] : Array.from({ length: last - first + 1 }, (_, i) => first + i);
}
