// Kinds of cuts, in words that need no number.

import type { Chunk, Reason, ReasonKind } from './api.ts';
import { isForMaximum } from './gaps.ts';

/**
 * A cut at a heading; at the top of a page; where the subject changes; where it changes too
 * little, but the maximum needed a cut; where a chunk was full; or one made by hand.
 */
export type CutKind = 'heading' | 'page' | 'subject' | 'inside' | 'full' | 'hand';

const KINDS: Partial<Record<ReasonKind, CutKind>> = {
  heading: 'heading',
  page: 'page',
  manual: 'hand',
  distance: 'subject',
  gradient: 'subject',
  similarity: 'subject',
  strength: 'subject',
  topic: 'subject',
  largest: 'subject',
  cluster: 'subject',
};

export function cutKindOf(reason: Reason): CutKind {
  const kind = KINDS[reason.kind] ?? 'full';
  return kind === 'subject' && isForMaximum(reason) ? 'inside' : kind;
}

/** Returns the number of cuts of each kind, without kinds that do not occur. The end of the text is no cut. */
export function cutKinds(chunks: readonly Pick<Chunk, 'reason'>[]): [CutKind, number][] {
  const counts = new Map<CutKind, number>();
  for (const { reason } of chunks.slice(0, -1)) {
    const cut = cutKindOf(reason);
    counts.set(cut, (counts.get(cut) ?? 0) + 1);
  }
  const order: CutKind[] = ['heading', 'page', 'subject', 'inside', 'full', 'hand'];
  return order.flatMap((kind) => (counts.has(kind) ? [[kind, counts.get(kind) ?? 0] as [CutKind, number]] : []));
}
