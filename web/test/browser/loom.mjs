// Opens the page with an HTML document that has every kind of formatting.

import { join } from 'node:path';
import { drop, open, row, work } from './harness.mjs';

/** Opens a page with the formatted loom.html until the test `t` ends. */
export async function loomTab(t, site, options = {}) {
  const opened = await open(site, { reducedMotion: 'reduce', ...options });
  t.after(opened.close);
  await drop(opened.page, join(work, 'loom.html'));
  await row(opened.page, 'loom.html');
  await opened.page.locator('.md-row').first().waitFor({ state: 'attached' });
  return opened;
}
