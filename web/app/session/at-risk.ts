// The losses of a reload of the page.

import { needsUser } from './doc.ts';
import type { Session } from './session.ts';

/**
 * Returns whether a reload would lose documents or changes, and whether it would interrupt
 * work.
 */
export function atRisk({ docs }: Session): { lost: boolean; busy: boolean } {
  const busy = docs.some(
    ({ state, progress, stop, kept }) =>
      state === 'queued' || state === 'reading' || stop || progress || kept?.state === 'saving',
  );
  const lost =
    docs.some((doc) => !needsUser(doc) && doc.kept?.state !== 'saved') ||
    !dispatchEvent(new Event('beforeunload', { cancelable: true }));
  return { busy, lost: lost && !busy };
}
