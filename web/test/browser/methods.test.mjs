// The dialog of methods: complete, usable by key and by touch, in both languages.

import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { open, openSheet, start } from './harness.mjs';
import { accessible } from './looks.mjs';

let site;
before(async () => { site = await start(); });
after(() => site?.close());

const pictures = process.env.SEAM_PICTURES;

/** Takes a picture of the state for review, if requested. */
async function picture(page, name) {
  if (!pictures) return;
  mkdirSync(pictures, { recursive: true });
  const { width } = page.viewportSize();
  await page.screenshot({ path: join(pictures, `${name}.png`) });
  await page.setViewportSize({ width, height: 2600 });
  await page.screenshot({ path: join(pictures, `${name}-all.png`) });
}

const opener = (page, name = 'What each does') => page.getByRole('button', { name });
const dialog = (page) => page.locator('dialog.methods');
const focused = (locator) => locator.evaluate((each) => each === document.activeElement);

/** Opens the dialog by keyboard. The button appears when the focus reaches the settings. */
async function ask(page, name) {
  await page.locator('#method').focus();
  await opener(page, name).waitFor();
  await page.keyboard.press('Tab');
  assert.ok(await focused(opener(page, name)), 'the button comes after the field');
  await page.keyboard.press('Enter');
  await dialog(page).waitFor();
}

test('each method with its picture, by key', async () => {
  const { page, check, close } = await open(site, { reducedMotion: 'reduce' });
  await ask(page);
  const names = await page.locator('#method option').allTextContents();
  assert.deepEqual(await dialog(page).locator('h4').allTextContents(), names);
  assert.deepEqual(await dialog(page).locator('h3').allTextContents(), await page.locator('#method optgroup').evaluateAll((groups) => groups.map(({ label }) => label)));
  assert.equal(await dialog(page).locator('.method-picture').count(), names.length);
  assert.equal(await dialog(page).locator('.good').count(), names.length);
  assert.ok(await focused(dialog(page).locator('[aria-current]')), 'the focus begins at the one in use');
  assert.match(await dialog(page).locator('[aria-current]').textContent(), /Semantic.*In use/);
  await accessible(page);
  await picture(page, 'methods');
  await page.keyboard.press('Escape');
  await dialog(page).waitFor({ state: 'detached' });
  assert.ok(await focused(opener(page)), 'the focus is where it was');
  assert.equal(await page.locator('#method').inputValue(), 'semantic');
  check();
  await close();
});

test('Use this chooses the method, and the document is cut by it', async () => {
  const { page, check, close } = await open(site, { reducedMotion: 'reduce' });
  await page.getByRole('button', { name: 'Try the sample' }).click();
  await page.locator('#panel-chunks .card').first().waitFor();
  const before = await page.locator('#panel-chunks .cards').textContent();
  await ask(page);
  await page.keyboard.press('Tab'); // from the current one to the next
  assert.ok(await focused(dialog(page).getByRole('button', { name: 'Use this: Percentile', exact: true })));
  await page.keyboard.press('Enter');
  await dialog(page).waitFor({ state: 'detached' });
  assert.ok(await focused(opener(page)));
  assert.equal(await page.locator('#method').inputValue(), 'percentile');
  await page.locator('[role=status]', { hasText: 'Method: Percentile' }).waitFor({ state: 'attached' });
  await page.waitForFunction((text) => document.querySelector('#panel-chunks .cards').textContent !== text, before);
  await opener(page).click();
  assert.match(await dialog(page).locator('[aria-current]').textContent(), /Percentile.*In use/);
  await dialog(page).getByRole('button', { name: 'Close' }).click();
  await dialog(page).waitFor({ state: 'detached' });
  check();
  await close();
});

for (const [locale, sample, name, use] of [['en-GB', 'Try the sample', 'What each does', 'Use this: Fixed size'], ['de-DE', 'Beispiel öffnen', 'Was jedes tut', 'Verwenden: Feste Größe']]) {
  test(`on a phone, by touch: ${locale}`, async () => {
    const { page, check, close } = await open(site, { locale, viewport: { width: 360, height: 740 }, hasTouch: true, reducedMotion: 'reduce' });
    await page.getByRole('button', { name: sample }).click();
    await page.locator('#panel-chunks .card').first().waitFor({ state: 'attached' });
    await openSheet(page);
    if (pictures) await page.screenshot({ path: join(pictures, `sheet-${locale}.png`) });
    await opener(page, name).tap();
    await dialog(page).waitFor();
    const wide = await dialog(page).evaluate((each) => [each, ...each.querySelectorAll('li, p, button, h2, h3, h4')].filter(({ scrollWidth, clientWidth }) => clientWidth > 0 && scrollWidth > clientWidth + 1).map(({ localName, textContent }) => `${localName}: ${textContent.slice(0, 40)}`));
    assert.deepEqual(wide, []);
    for (const button of await dialog(page).locator('button').all()) assert.ok((await button.boundingBox()).height >= 44);
    await accessible(page);
    await picture(page, `methods-360-${locale}`);
    await dialog(page).getByRole('button', { name: use }).tap();
    await dialog(page).waitFor({ state: 'detached' });
    assert.equal(await page.locator('#method').inputValue(), 'fixed');
    check();
    await close();
  });
}
