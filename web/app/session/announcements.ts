// Says to screen readers how documents and chunks change.

import type { SeamError } from '../../lib/seam-error.ts';
import type { Announcer } from '../ground/announcer.ts';
import { explain, strings } from '../words/en/page.ts';
import type { Doc } from './doc.ts';
import type { Session } from './session.ts';

/** Announces until the page is left. `begin` starts another number of failures. */
export function announce(session: Session, announcer: Announcer): { begin: () => void } {
  /**
   * The failures announced so far, and the latest ones. Several failures of a folder are
   * announced as a number.
   */
  const announced = new WeakSet<SeamError>();
  let failures: Doc[] = [];
  session.on('documents', (docs) => {
    const failed = docs.filter(
      (doc) => doc.state === 'failed' && doc.error && !doc.error.cancelled && !announced.has(doc.error),
    );
    for (const { error } of failed) if (error) announced.add(error);
    failures.push(...failed);
    const [only] = failures;
    if (failed.length === 0 || !only?.error) return;
    announcer.say(
      'failed',
      failures.length === 1
        ? strings.said.failed(only.name, explain(only.error).message)
        : strings.said.failures(failures.length),
    );
  });
  session.on('chunked', (doc) => {
    if (doc === session.selected) announcer.say('chunks', strings.said.chunks(doc.chunking?.result.chunks.length ?? 0));
  });
  session.on('removed', (doc) => {
    if (doc.stop || doc.state !== 'reading') announcer.say('removed', strings.said.removed(doc.name));
  });
  session.on('passage', (passage) => {
    if (passage) announcer.say('passage', strings.said.shown(passage.page));
  });
  return {
    begin: () => {
      failures = [];
    },
  };
}
