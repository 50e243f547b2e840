// How a page looks: to axe, and to those who look at pictures.

import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import AxeBuilder from '@axe-core/playwright';
import { still } from './harness.mjs';

/**
 * That axe finds nothing, in the page or in the part that a selector names; `state` says of what.
 * In its usual mode axe opens one page more each time, to put together what it finds in frames: there are none.
 */
export async function accessible(page, state = 'the page', part = ':root') {
  const { violations } = await new AxeBuilder({ page }).setLegacyMode().include(part).analyze();
  assert.deepEqual(violations.map(({ id, nodes }) => `${state}: ${id}: ${nodes.map(({ html }) => html).join(' | ')}`), []);
}

/** A picture, where $SEAM_SHOTS says. */
export async function picture(page, name) {
  if (!process.env.SEAM_SHOTS) return;
  mkdirSync(process.env.SEAM_SHOTS, { recursive: true });
  await still(page);
  await page.screenshot({ path: join(process.env.SEAM_SHOTS, `${name}.png`) });
}
