// The states of a document in words, for the lists and the stage.

import type { Doc } from '../session/doc.ts';
import { explain, say, strings } from '../words/en/page.ts';

/** Errors of the file itself. Retrying would fail again. */
const HOPELESS: ReadonlySet<string> = new Set(['no-bytes', 'empty', 'unsupported', 'not-text', 'not-pdf', 'encoding']);

const NO_LANGUAGE = 'no-language';

/** Whether another try may succeed. */
export const canRetry = ({ state, error }: Doc): boolean => state === 'failed' && !HOPELESS.has(error?.code ?? '');

/** Whether the text looks like no language, and is read if the user wants that. */
export const readsAnyway = ({ error }: Doc): boolean => error?.code === NO_LANGUAGE;

/** Describes the state of a document in a few words, or its error in a sentence. */
export function describe({ state, progress, error, opened, chunking, kept, wrong }: Doc): string {
  if (state === 'ready' && progress) return strings.documents.progress(progress);
  if (state === 'kept') return kept?.record ? strings.documents.keptReady(kept.record.pages, kept.record.chunks) : '';
  if (state === 'queued') return strings.documents.queued;
  if (state === 'reading') return progress ? strings.documents.progress(progress) : strings.documents.starting;
  if (state === 'locked') return strings.documents.locked(wrong);
  if (state === 'failed') return error ? explain(error).message : '';
  return chunking
    ? strings.documents.ready(opened?.pages ?? 0, chunking.result.sentences, chunking.result.chunks.length)
    : '';
}

/** Returns further notes on a document: pages without text, or a hint after an error. */
export function notes({ state, error, opened }: Doc): string {
  if (state === 'failed') return error ? explain(error).hint : '';
  return state === 'ready' ? (opened?.notes ?? []).map(say).join('; ') : '';
}

/** Returns all that the row of a document depends on, to notice changes at little cost. */
export function stateKey(doc: Doc): readonly unknown[] {
  const { state, name, progress, error, opened, chunking, kept, stop, tags, trying, wrong } = doc;
  const { result } = chunking ?? {};
  return [
    state,
    name,
    progress,
    error,
    opened,
    result,
    result?.chunks.length,
    stop,
    tags,
    trying,
    wrong,
    kept?.state,
    kept?.reason,
    kept?.record,
  ];
}

export const sameKeys = (a: readonly unknown[], b: readonly unknown[]): boolean =>
  a.length === b.length && a.every((each, i) => each === b[i]);
