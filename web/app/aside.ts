// Cuts a document to look at what comes of it, and leaves alone what is shown.

import type { Chunked } from '../lib/api.ts';
import type { Answer } from '../lib/client.ts';
import { SeamError } from '../lib/seam-error.ts';
import type { EngineClient } from '../lib/workers.ts';
import { isHosted } from './choices.ts';
import type { Settings } from './chunker.ts';
import type { Doc } from './doc.ts';
import { watched } from './watched.ts';

export interface AsideOptions {
  engine: EngineClient;
  /** Those of the list. */
  docs: readonly Doc[];
  /** The embedder that sends nothing. */
  fallback: string;
  /** The engine is at work. */
  heard: () => void;
  /** A document has progress. */
  changed: () => void;
}

/** Null where the document went or was stopped meanwhile. Nothing is sent: what a hosted embedder has not had already is compared by `fallback`. */
export async function cutAside({ engine, docs, fallback, heard, changed }: AsideOptions, doc: Doc, settings: Settings): Promise<Answer<Chunked> | null> {
  const { stop: { signal }, onProgress, end } = watched(doc, heard, changed);
  const params = { ...settings, doc: doc.id };
  try {
    const lacks = isHosted(settings.embedder ?? '') && (await engine.call('preview', params, { signal })).result.missing > 0;
    return await engine.call('chunk', { ...params, ...(lacks && { embedder: fallback }), aside: true }, { signal, onProgress });
  } catch (cause) {
    const error = SeamError.from(cause);
    if (error.cancelled || !docs.includes(doc)) return null;
    throw error;
  } finally {
    end();
  }
}
