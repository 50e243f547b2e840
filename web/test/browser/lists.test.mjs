// Lists of references are searched, and a model reads them only if the question asks for them.

import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, beforeEach, test } from 'node:test';
import { drop, makeFixtures, open, row, slide, work } from './harness.mjs';
import { proxied } from './proxy-host.mjs';
import { answered, since, words } from './proxy-page.mjs';

let site;
let arrived;
before(async () => {
  makeFixtures();
  const text = Array.from({ length: 30 }, (_, i) => `Wheel ${i} turns where the river falls by ${i + 3} feet, and its stones grind ${7 * i} sacks.`);
  const works = Array.from({ length: 30 }, (_, i) => `Miller, A. (${1800 + i}): The overshot wheel and its water, volume ${i}. Valley Press.`);
  writeFileSync(join(work, 'wheels.md'), ['# Wheels', 'The overshot wheel needs the least water of all wheels.', ...text, '## References', ...works].join('\n\n'));
  site = await proxied();
});
after(() => site?.close());
beforeEach(async () => { arrived = await since(site); });

test('Ask: the references stay here until the question asks for them', async () => {
  const tab = await open(site);
  const { page } = tab;
  await drop(page, join(work, 'wheels.md'));
  await row(page, 'wheels.md');
  await slide(page, '#setting', 0.125); // enough passages
  await page.getByRole('tab', { name: 'Ask' }).click();
  await page.getByRole('button', { name: /^Connect to/ }).click();
  await page.locator('#question').fill('How much water does an overshot wheel need?');
  await page.keyboard.press('Enter');
  assert.match(await words(page.locator('#panel-ask .consent:visible')),
    /the \d passages? that fit it best.* \d passages? of lists of references or contents (is|are) left out: ask for the references or the contents to have (it|them) sent\./);
  await site.provider.script('words=The least of all [1].');
  await page.keyboard.press('Enter'); // Send has the focus
  await answered(page);
  let [request] = await arrived('completions');
  assert.doesNotMatch(JSON.stringify(request.body.messages), /Valley Press/);
  assert.match(await words(page.locator('#panel-ask')), /tokens read.* \d passages? of lists of references or contents (is|are) left out/);

  await page.locator('#question').fill('Which references does it have on the overshot wheel?');
  await page.keyboard.press('Enter');
  await answered(page);
  const all = await arrived('completions');
  request = all[all.length - 1];
  assert.match(JSON.stringify(request.body.messages), /Valley Press/);
  assert.doesNotMatch(await words(page.locator('#panel-ask')), /left out/);
  tab.check();
});
