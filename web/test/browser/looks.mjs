// How a page looks: to axe, and to those who look at pictures.

import assert from 'node:assert/strict';
import { mkdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { still } from './harness.mjs';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/**
 * That axe finds nothing, in the page or in the part that a selector names; `state` says of what.
 * axe reports violations alone: for all that is right, too, it takes twice as long.
 */
export async function accessible(page, state = 'the page', part = ':root') {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe);
  const found = await page.evaluate(async (selector) => {
    const { violations } = await window.axe.run({ include: [[selector]] }, { resultTypes: ['violations'] });
    return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' | ')}`);
  }, part);
  assert.deepEqual(found.map((each) => `${state}: ${each}`), []);
}

/** A picture, where $SEAM_SHOTS says. */
export async function picture(page, name) {
  if (!process.env.SEAM_SHOTS) return;
  mkdirSync(process.env.SEAM_SHOTS, { recursive: true });
  await still(page);
  await page.screenshot({ path: join(process.env.SEAM_SHOTS, `${name}.png`) });
}
