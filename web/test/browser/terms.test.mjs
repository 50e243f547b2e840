// Explained terms: by key and by touch, in place, and for screen readers.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { closeSheet, open, openSheet, start } from './harness.mjs';
import { accessible } from './looks.mjs';

let site;
before(async () => { site = await start(); });
after(() => site?.close());

async function sample(options) {
  const tab = await open(site, { reducedMotion: 'reduce', ...options });
  await tab.page.getByRole('button', { name: 'Try the sample' }).click();
  await tab.page.locator('#panel-chunks .card').first().waitFor({ state: 'attached' });
  await tab.page.locator('#setting-explained').waitFor({ state: 'attached' });
  return tab;
}

/** Fails if the open explanation is not fully in the window or has an accessibility fault. */
async function shownWhole(page, note) {
  await note.waitFor();
  const { x, y, width, height } = await note.boundingBox();
  const { width: most, height: high } = page.viewportSize();
  assert.ok(x >= 0 && y >= 0 && x + width <= most && y + height <= high, `${x}, ${y}: ${width} × ${height}`);
  await accessible(page);
}

for (const colorScheme of ['light', 'dark']) {
  test(`every word that is explained opens by Enter and closes by Escape: ${colorScheme}`, async () => {
    const { page, check, close } = await sample({ colorScheme });
    const asks = page.getByRole('button', { name: /^Explain: / });
    assert.ok(await asks.count() >= 6, String(await asks.count()));
    for (const ask of await asks.all()) {
      const note = page.locator(`#${await ask.getAttribute('popovertarget')}`);
      await ask.focus();
      assert.equal(await note.isVisible(), false);
      await page.keyboard.press('Enter');
      await shownWhole(page, note);
      assert.ok((await note.textContent()).length > 60);
      await page.keyboard.press('Escape');
      await note.waitFor({ state: 'hidden' });
      assert.ok(await ask.evaluate((each) => each === document.activeElement));
    }
    check();
    await close();
  });
}

test('a word is the one of the method and of its curve', async () => {
  const { page, check, close } = await sample();
  await page.getByRole('button', { name: 'Explain: Coarseness' }).waitFor();
  await page.getByRole('button', { name: 'Explain: Strength' }).waitFor();
  await page.locator('#method').selectOption('stddev');
  await page.getByRole('button', { name: 'Explain: Standard deviations' }).waitFor();
  await page.getByRole('button', { name: 'Explain: Distance' }).waitFor();
  await page.locator('#method').selectOption('sections');
  await page.getByRole('button', { name: /^Explain: (Distance|Strength)/ }).waitFor({ state: 'detached' });
  check();
  await close();
});

test('on a phone a finger opens it, and another press closes it', async () => {
  const { page, check, close } = await sample({ viewport: { width: 360, height: 740 }, hasTouch: true });
  await openSheet(page);
  const ask = page.getByRole('button', { name: 'Explain: Coarseness' });
  await ask.tap();
  await shownWhole(page, page.locator('#setting-explained'));
  await ask.tap();
  await page.locator('#setting-explained').waitFor({ state: 'hidden' });
  await closeSheet(page);
  await page.getByRole('tab', { name: 'Chunks' }).tap();
  await page.getByRole('button', { name: 'Explain: Why a chunk ends' }).tap();
  await shownWhole(page, page.locator('#reason-explained'));
  check();
  await close();
});
