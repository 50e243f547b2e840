// The page with a document of HTML that has all that a file can be set with.

import { join } from 'node:path';
import { drop, open, row, work } from './harness.mjs';

/** A page of a site, until the test `t` ends, with loom.html open and set. */
export async function loomTab(t, site, options = {}) {
  const opened = await open(site, { reducedMotion: 'reduce', ...options });
  t.after(opened.close);
  await drop(opened.page, join(work, 'loom.html'));
  await row(opened.page, 'loom.html');
  await opened.page.locator('.md-row').first().waitFor({ state: 'attached' });
  return opened;
}
