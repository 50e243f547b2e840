// Cuts a document for a preview, without changing its chunks.

import type { Chunked } from '../../lib/api.ts';
import type { Answer } from '../../lib/client.ts';
import type { Settings } from '../../lib/cut.ts';
import { SeamError } from '../../lib/seam-error.ts';
import type { EngineClient } from '../../lib/workers.ts';
import { isHosted } from './choices.ts';
import type { Doc } from './doc.ts';
import type { Session } from './session.ts';

/**
 * Returns null if the document was removed or stopped meanwhile. Nothing is sent: if a
 * hosted embedder lacks some of the document, the default embedder replaces it.
 */
export async function cutAside(
  engine: EngineClient,
  session: Session,
  doc: Doc,
  settings: Settings,
): Promise<Answer<Chunked> | null> {
  const {
    stop: { signal },
    onProgress,
    end,
  } = session.watch(doc);
  const params = { ...settings, doc: doc.id };
  try {
    const lacks =
      isHosted(settings.embedder ?? '') && (await engine.call('preview', params, { signal })).result.missing > 0;
    return await engine.call(
      'chunk',
      { ...params, ...(lacks && { embedder: session.choices.hello?.defaults.embedder ?? '' }), aside: true },
      { signal, onProgress },
    );
  } catch (cause) {
    const error = SeamError.from(cause);
    if (error.cancelled || !session.docs.includes(doc)) return null;
    throw error;
  } finally {
    end();
  }
}
