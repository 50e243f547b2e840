// Checks a page with axe, and takes pictures for review.

import assert from 'node:assert/strict';
import { mkdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { still } from './harness.mjs';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** The looks that `accessible` tests, and the rules about colours. */
const looks = { light: { colorScheme: 'light' }, dark: { colorScheme: 'dark' }, 'forced colours': { colorScheme: 'light', forcedColors: 'active' } };
const colourRules = ['color-contrast', 'link-in-text-block'];

/**
 * Asserts that axe finds nothing in the page, or in the part of a selector; `state`
 * describes it in errors. A wide page is tested by all rules in its current look, and in
 * `others`, by default all other looks, by the colour rules only, because the rest is the
 * same. A phone has the colours of the wide page.
 */
export async function accessible(page, state = 'the page', part = ':root', { others = Object.keys(looks) } = {}) {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe);
  await scan(page, state, part);
  if (others.length === 0 || page.viewportSize().width <= 480) return;
  const used = await page.evaluate(() => {
    const is = (query) => matchMedia(query).matches;
    return is('(forced-colors: active)') ? 'forced colours' : is('(prefers-color-scheme: dark)') ? 'dark' : 'light';
  });
  for (const look of others.filter((each) => each !== used)) {
    await page.emulateMedia({ forcedColors: 'none', ...looks[look] });
    await still(page);
    await picture(page, `${state}, ${look}`);
    await scan(page, `${state}, ${look}`, part, { runOnly: colourRules });
  }
  await page.emulateMedia({ forcedColors: 'none', ...looks[used] });
  await still(page);
}

/** axe reports violations only, because reporting passes would take twice as long. */
async function scan(page, state, part, options = {}) {
  const found = await page.evaluate(async ([selector, more]) => {
    const { violations } = await window.axe.run({ include: [[selector]] }, { resultTypes: ['violations'], ...more });
    return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' | ')}`);
  }, [part, options]);
  assert.deepEqual(found.map((each) => `${state}: ${each}`), []);
}

/** Takes a picture if $SEAM_SHOTS is set. */
export async function picture(page, name) {
  if (!process.env.SEAM_SHOTS) return;
  mkdirSync(process.env.SEAM_SHOTS, { recursive: true });
  await still(page);
  await page.screenshot({ path: join(process.env.SEAM_SHOTS, `${name}.png`) });
}
