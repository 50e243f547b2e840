// Questions to all of a document or a section, through the real proxy: one request if it fits,
// otherwise part by part.

import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { dropMade, open, until } from './harness.mjs';
import { accessible } from './looks.mjs';
import { proxied } from './proxy-host.mjs';
import { since, testKeyStays, words } from './proxy-page.mjs';

const ROOMS = 12;
const codeOf = (room) => `code-${String(room).padStart(2, '0')}x`;
const QUESTION = 'Which rooms are cold?';

let site;
let arrived;
before(async () => { site = await proxied({ more: 'limits: {context: 900}\n' }); });
after(() => site?.close());
beforeEach(async () => { arrived = await since(site); });

const consent = (page) => page.locator('#panel-ask .consent:visible');
const press = (page, name) => consent(page).getByRole('button', { name, exact: true }).click();
const passagesIn = ({ body }) => body.messages.at(-1).content.split('\n\nQuestion:')[0];

/** Opens a house with a chunk for each room, connects, and chooses an entry of Read. */
async function reading(t, name, choice) {
  const tab = await open(site);
  t.after(async () => { tab.check(); await tab.close(); });
  const { page } = tab;
  const rooms = Array.from({ length: ROOMS }, (_, i) => `${i % 4 === 0 ? `## Floor ${i / 4}\n\n` : ''}### Room ${i}\n\nThe room ${codeOf(i)} of ${name} has a stove that burns ${['oak', 'ash', 'elm'][i % 3]} from the wood behind the river, two windows with shutters, and a bed for three guests.`);
  await dropMade(page, { name: `${name}.md`, parts: [`# House\n\n${rooms.join('\n\n')}\n`] });
  await page.locator('#method').selectOption('sections');
  await until(async () => (await page.locator('#panel-chunks .card').count()) >= ROOMS);
  await page.getByRole('tab', { name: 'Ask' }).click();
  await page.getByRole('button', { name: /^Connect to/ }).click();
  await page.locator('#reads').selectOption({ label: (await page.locator('#reads option').allTextContents()).find((each) => choice.test(each)) });
  await page.locator('#question').fill(QUESTION);
  await page.keyboard.press('Enter');
  await consent(page).waitFor();
  return page;
}

test('a document that does not fit is read part by part, each chunk once, and citations lead to its chunks', async (t) => {
  const page = await reading(t, 'long', /^all of long\.md/);
  const [, open] = /(\d+)\srequests for the parts, each chunk once/.exec(await words(consent(page)));
  assert.ok(Number(open) >= 3, `${open} parts`);
  assert.match(await words(consent(page)), /All of “long\.md”, 1[23]\schunks, about [\d,]+\stokens, will be sent to chat-small .*The thread before it does not go with it\./);
  assert.deepEqual(await arrived('completions'), []);
  // Room 2 and room 9 are cold; the other parts hold nothing of it.
  await site.provider.by(
    [['Part 1 of 2'], 'words=Cold are one room [1] and another [2].'],
    [[codeOf(2)], 'words=The room with oak [1] is cold.'],
    [[codeOf(9)], 'status=500'],
    [[], 'words=[[NO ANSWER]]'],
  );
  await press(page, 'Send');
  await consent(page).getByRole('button', { name: 'Try again' }).waitFor();
  const before = await arrived('completions');
  await site.provider.by(
    [['Part 1 of 2'], 'words=Cold are one room [1] and another [2].'],
    [[codeOf(9)], 'words=The last room [1] is cold.'],
    [[], 'words=[[NO ANSWER]]'],
  );
  await consent(page).getByRole('button', { name: 'Try again' }).click();
  await page.locator('#panel-ask').getByText(/tokens? read/).waitFor();
  const all = await arrived('completions');
  const answeredTwice = all.length - before.length;
  assert.ok(answeredTwice <= Number(open), 'only what was left is sent again');
  for (let i = 0; i < ROOMS; i++) {
    const with_ = all.filter((request) => request.status !== 500 && passagesIn(request).includes(codeOf(i)));
    assert.ok(with_.length === 1 || passagesIn(with_[0]).includes(codeOf(9)), `${codeOf(i)} is in ${with_.length} requests`);
  }
  const last = passagesIn(all.at(-1));
  assert.match(last, /Part 1 of 2\nThe room with oak is cold\.[^]*Part 2 of 2\nThe last room is cold\./);
  assert.match(await words(page.locator('#panel-ask .answer')), /Cold are one room 1 and another 2\./);
  assert.equal(await page.locator('#panel-ask .hits li').count(), 2);
  assert.match(await words(page.locator('#panel-ask')), /the question and 1[23]\spassages.*In \d+\srequests/s);
  await page.locator('#panel-ask .answer .cite').nth(1).click();
  assert.ok((await page.locator('#panel-ask .hits [aria-current] small').first().textContent()).startsWith('[2] long.md'));
  await page.locator('.text-frame, .page-text, .text').getByText(codeOf(9)).first().waitFor();
  await accessible(page, 'an answer from all of a document');
});

test('answers of parts that are too long to be read together end the question', async (t) => {
  const page = await reading(t, 'wordy', /^all of wordy\.md/);
  await site.provider.by([[], `words=${'The stove is warm and the room is cold. '.repeat(25)}[1]`]);
  await press(page, 'Send');
  await consent(page).getByText('The answers of the parts are too long to be read together: choose a section.').waitFor();
  assert.ok((await arrived('completions')).length <= 6, 'only the parts were asked');
});

test('a section that fits is one request, and a second time nothing is sent', async (t) => {
  const page = await reading(t, 'short', /^section “Floor 2”/);
  assert.match(await words(consent(page)), /All of “Floor 2”, [45]\schunks, about [\d,]+\stokens, will be sent to chat-small .*: one request\./);
  await site.provider.by([[], 'words=The third [3] is cold.']);
  await press(page, 'Send');
  await page.locator('#panel-ask').getByText(/tokens? read/).waitFor();
  const [request] = await arrived('completions');
  for (let i = 0; i < ROOMS; i++) assert.equal(passagesIn(request).includes(codeOf(i)), i >= 8, codeOf(i));
  assert.equal(await page.locator('#panel-ask .hits li').count(), 1);
  await page.locator('#question').fill(QUESTION);
  await page.keyboard.press('Enter');
  await consent(page).waitFor();
  assert.match(await words(consent(page)), /All of “Floor 2” was sent before: its answer is shown, and nothing is sent\./);
  await press(page, 'Send');
  await page.locator('#panel-ask').getByText('Nothing was sent: the model answered this before.').waitFor();
  assert.equal((await arrived('completions')).length, 1);
});

testKeyStays(() => site);
