// Shows progress and Stop for work on a document that takes long.

import type { Progress } from '../../lib/api.ts';
import type { Doc } from './doc.ts';

/** Shorter work shows no progress, which would only flicker. */
const MOMENT_MS = 300;

export interface Watched {
  stop: AbortController;
  onProgress: (progress: Progress) => void;
  end: () => void;
}

/**
 * Shows progress and offers a stop once work on a document takes longer than a moment.
 * `heard` and `changed` are called along with it.
 */
export function watched(doc: Doc, heard: () => void, changed: () => void): Watched {
  const stop = new AbortController();
  let latest: Progress | null = null;
  const show = () => {
    doc.stop = stop;
    doc.progress = latest;
    changed();
  };
  const timer = setTimeout(show, MOMENT_MS);
  const onProgress = (progress: Progress) => {
    heard();
    latest = progress;
    if (doc.stop === stop) show();
  };
  const end = () => {
    clearTimeout(timer);
    if (doc.stop !== stop) return;
    doc.stop = doc.progress = null;
    changed();
  };
  return { stop, onProgress, end };
}
