// Questions to a hosted chat model, through the real proxy: the answer as it arrives, its
// passages, Stop, errors; and axe in all states.

import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { join } from 'node:path';
import { closeSheet, drop, dropMade, highlighted, makeFixtures, onScreen, open, openSheet, questionsKept, restsInView, row, saved, slide, until, work } from './harness.mjs';
import { accessible } from './looks.mjs';
import { proxied } from './proxy-host.mjs';
import { answered, ask, choose, opened, panel, press, since, testKeyStays, text, words } from './proxy-page.mjs';

let site;
let arrived;
before(async () => {
  makeFixtures();
  site = await proxied();
});
after(() => site?.close());
beforeEach(async () => { arrived = await since(site); });

/** A document of sections about the same thing, which many passages answer. */
const chronicle = () => ({
  name: 'chronicle.md',
  parts: Array.from({ length: 8 }, (_, year) => `# Year ${1700 + year}\n\n${Array.from({ length: 14 }, (_unused, month) => `In the month of flood number ${month + 1} the keeper of the weir counted ${3 * year + month} boats and wrote their names in his book. `).join('')}\n\n`),
});
const BOATS = 'How many boats did the keeper of the weir count?';

test('an answer from a part of the passages is not shown, but its reason; then fewer are sent', async () => {
  const tab = await open(site);
  const { page } = tab;
  await dropMade(page, chronicle());
  await row(page, 'chronicle.md');
  const sent = async () => (await arrived('completions')).filter(({ body }) => JSON.stringify(body.messages).includes(BOATS)).map(({ body }) => JSON.stringify(body.messages).match(/--- passage \d/g).length);
  await site.provider.script('read=900; words=Forty boats [1].');
  await ask(page, BOATS);
  const box = page.locator('#panel-ask .consent:visible');
  await box.getByText(/^The model read 900 of about\s[\d,]+\stokens\.$/).waitFor();
  assert.equal(await page.locator('.answer').isVisible(), false);
  assert.match(await words(page.locator('#panel-ask')), /Sent to chat-small .* 900 tokens read/);
  await accessible(page);
  if (process.env.SEAM_SHOTS) await page.screenshot({ path: join(process.env.SEAM_SHOTS, 'cut.png') });
  const [all] = await sent();
  await site.provider.script('words=Forty boats [1].');
  await box.getByRole('button', { name: 'Ask with fewer passages' }).click();
  await page.locator('.answer[aria-busy=false]').getByText('Forty boats').waitFor();
  assert.ok((await sent()).at(-1) < all, `${await sent()} passages`);
  assert.match(await words(page.locator('#panel-ask')), /Passages? \d.* not sent: the model’s context, about 900 tokens, holds no more/);
  if (process.env.SEAM_SHOTS) await page.screenshot({ path: join(process.env.SEAM_SHOTS, 'fewer.png') });
  tab.check();
  await tab.close();
});

test('an answer from a part of the passages can be shown', async () => {
  const tab = await open(site);
  const { page } = tab;
  await dropMade(page, chronicle());
  await row(page, 'chronicle.md');
  await site.provider.script('read=900; words=Forty boats [1].');
  await ask(page, BOATS);
  await page.getByRole('button', { name: 'Show the answer' }).click();
  await page.locator('.answer').getByText('Forty boats').waitFor();
  assert.match(await words(page.locator('#panel-ask')), /The model read 900 of about [\d,]+ tokens/);
  tab.check();
  await tab.close();
});

test('Ask: consent once, the answer streams, its numbers lead to the passages', async (t) => {
  const tab = await open(site);
  const { page } = tab;
  await drop(page, join(work, 'article.pdf'));
  await row(page, 'article.pdf');
  await slide(page, '#setting', 0.125); // enough passages
  await page.getByRole('tab', { name: 'Ask' }).click();
  await page.getByRole('button', { name: /^Connect to/ }).click();
  await page.locator('#question').fill('How is curd made, what lets a road grow, and what do engineers test on a bridge?');
  await page.keyboard.press('Enter');
  assert.match(await words(page.locator('#panel-ask .consent:visible')), /Your question and the \d passages that fit it best, about [\d,]+ tokens, will be sent to chat-small through 127/);
  assert.deepEqual(await arrived('completions'), []);
  await site.provider.script('hold; words=Rennet sets the milk [1]. It is then cut [2, 3] and pressed [44].');
  await page.keyboard.press('Enter'); // Send has the focus
  await page.locator('.cite').first().waitFor();
  assert.equal(await page.locator('.answer').getAttribute('aria-busy'), 'true', 'while it comes');
  await site.provider.release();
  await answered(page);
  assert.equal(await page.locator('.answer').innerText(), 'Rennet sets the milk 1. It is then cut 23 and pressed.');
  await page.locator('.under').getByText('1 number that named no passage was left out.').waitFor();
  assert.equal(await page.locator('.answer').getAttribute('aria-busy'), 'false');
  assert.match(await words(page.locator('#panel-ask')), /Sent to chat-small through 127\.0\.0\.1:\d+: the question and \d passages · [\d,]+ tokens read, \d+ written · (about|less than) \$0\.0/);
  const [request] = await arrived('completions');
  assert.match(JSON.stringify(request.body.messages), /How is curd made, what lets a road grow/);
  const second = await words(page.locator('#panel-ask .hits .preview').nth(1));
  await page.locator('.cite').nth(1).click();
  await restsInView(page, 'seam-passage');
  const [shown] = await highlighted(page, 'seam-passage');
  assert.ok(shown.replace(/\s+/g, ' ').includes(second.replace(/^… |…$/g, '').slice(0, 40).replace(/\s+/g, ' ')), `${shown} has ${second}`);
  await page.locator('[role=status]').getByText(/Passage|Answer ready/).waitFor();
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.getByRole('button', { name: 'Copy with sources' }).click();
  await page.getByRole('button', { name: 'Copied' }).waitFor();
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  assert.match(copied, /^How is curd made[^\n]*\n\nRennet sets the milk \[1\]\. It is then cut \[2\]\[3\] and pressed\.\n\n\[1\] article\.pdf · p\. \d/);
  assert.deepEqual(copied.match(/^\[\d\] article\.pdf/gm), [1, 2, 3].map((n) => `[${n}] article.pdf`), 'the passages that the answer names');
  await page.locator('#question').fill('And then?');
  await page.keyboard.press('Enter');
  await answered(page); // without another Send
  tab.check();
  await tab.close();
});

test('a line says where each passage comes from: seen before Send, sent as seen, left out on one click', async (t) => {
  const tab = await open(site);
  t.after(tab.close);
  const { page } = tab;
  await dropMade(page, { name: 'in/private-weirs.md', parts: ['---\ndate: 2023-04-01\n---\n\n## Gate\n\nThe gate of the weir leaks.'] });
  await dropMade(page, { name: 'in/private-harbour.txt', parts: ['The gate of the harbour rusts.'] });
  await row(page, 'private-harbour.txt');
  for (const name of ['private-weirs.md', 'private-harbour.txt']) await saved(page, name);
  await page.getByRole('tab', { name: 'Ask' }).click();
  await page.getByRole('button', { name: /^Connect to/ }).click();
  await page.locator('#question').fill('What does the gate do?');
  await page.keyboard.press('Enter');
  const consent = page.locator('#panel-ask .consent:visible');
  await consent.getByText('A line above each passage names its document or file, section, page and date.').waitFor();
  const today = await page.evaluate(() => new Date().toLocaleDateString('sv'));
  const lines = ['private-weirs.md · Gate · 2023-04-01', `private-harbour.txt · saved ${today}`];
  for (const line of lines) await consent.getByText(`Begins with: ${line}`, { exact: true }).waitFor();
  const asked = async () => (await arrived('completions')).at(-1).body.messages.at(-1).content;
  await page.keyboard.press('Enter'); // Send has the focus
  await answered(page);
  const fence = /^--- passage \d (\w+) ---\n(.*)\n/gm;
  assert.deepEqual(Array.from((await asked()).matchAll(fence), (m) => m[2]).sort(), [...lines].sort());
  assert.ok(!(await words(page.locator('#panel-ask .hits'))).includes('2023-04-01'), 'the passage is shown without it');
  await page.locator('#sends-names').uncheck();
  await page.locator('#sees-first').check();
  await page.locator('#question').fill('And what does the gate of the weir do?');
  await page.keyboard.press('Enter');
  await consent.getByText('The line that says where a passage comes from is left out; names inside a passage stay.').waitFor();
  assert.equal(await consent.getByText('Begins with').count(), 0);
  await page.keyboard.press('Enter');
  await answered(page);
  assert.match(await asked(), /The gate of the weir leaks/);
  assert.doesNotMatch(await asked(), /private|2023-04-01|saved/);
  await page.waitForFunction(() => performance.getEntriesByName('seam:index-kept').length >= 2);
  await page.reload();
  await row(page, 'private-harbour.txt');
  await page.getByRole('tab', { name: 'Ask' }).click();
  await page.getByRole('button', { name: /^Connect to/ }).click();
  await page.locator('#question').fill('What does the gate of the harbour do?');
  await page.keyboard.press('Enter');
  await consent.waitFor();
  assert.equal(await page.locator('#sends-names').isChecked(), false, 'the choice is kept');
  await page.locator('#sends-names').check();
  for (const line of lines) await consent.getByText(`Begins with: ${line}`, { exact: true }).waitFor(); // also of documents that are not open
  await consent.getByRole('button', { name: 'Send' }).click();
  await answered(page);
  assert.match(await asked(), new RegExp(`---\\n${lines[1]}\\nThe gate of the harbour`));
  tab.check();
});

test('the questions of a document of the gallery can be asked, and are sent as any', async () => {
  const tab = await open(site);
  const { page } = tab;
  await page.locator('.example', { hasText: 'Wren' }).click();
  await row(page, 'Wren');
  await page.getByRole('tab', { name: 'Ask' }).click();
  const connect = page.getByRole('button', { name: /^Connect to/ });
  if (await connect.isVisible()) await connect.click();
  await page.locator('.ask .questions').getByRole('button', { name: 'Where should a rain gauge stand?' }).click();
  assert.equal(await page.locator('#question').inputValue(), 'Where should a rain gauge stand?');
  await onScreen(page, /Your question and the/).waitFor();
  tab.check();
  await tab.close();
});

test('while nothing comes for some seconds, that is said, and no longer once it comes', async (t) => {
  const page = await opened(t, site);
  await site.provider.script('hold; words=Late.');
  await ask(page, 'What ends late?');
  const silent = page.locator('#panel-ask').getByText(/^chat-small is being loaded, or reads… \d+\ss$/); // it runs on this machine
  await silent.waitFor();
  await page.locator('#panel-ask').getByText(/reads… 6\ss$/).waitFor();
  await page.locator('[role=status]').getByText(/chat-small is being loaded, or reads/).waitFor({ state: 'attached' });
  await site.provider.release();
  await answered(page);
  await silent.waitFor({ state: 'hidden' });
  assert.equal(await page.locator('.answer').innerText(), 'Late.');
});

test('said once, at the end, and not with every word', async (t) => {
  const page = await opened(t, site);
  await page.locator('[role=status]').getByText('chunk').waitFor();
  await page.evaluate(() => {
    window.said = [];
    const region = document.querySelector('[role=status]');
    new MutationObserver(() => window.said.push(region.textContent)).observe(region, { childList: true, characterData: true, subtree: true });
  });
  await site.provider.script(`chunk-delay=20ms; words=${'word '.repeat(60)}end.`);
  await ask(page, 'What ends?');
  await answered(page);
  await page.locator('[role=status]').getByText('Answer ready').waitFor();
  const said = await page.evaluate(() => window.said);
  assert.match(said.at(-1), /Answer ready, from \d\u00a0passages?/);
  assert.ok(said.length <= 2, said.join(' | '));
});

test('a question and its answer are there on the next visit', async (t) => {
  const page = await opened(t, site);
  await site.provider.script('words=All that ends well.');
  await ask(page, 'What ends?');
  await answered(page);
  await page.locator('.doc .kept[data-state=saved]').waitFor();
  await questionsKept(page, 1);
  await page.reload();
  await page.getByRole('button', { name: 'Manage…' }).click();
  await onScreen(page, 'Questions asked').click();
  await page.locator('.asked summary', { hasText: 'What ends?' }).click();
  await page.locator('.asked .answer').getByText('All that ends well.').waitFor();
});

test('documents of earlier visits are asked, too, without being opened; the consent counts their passages', async (t) => {
  const tab = await open(site);
  t.after(tab.close);
  const { page } = tab;
  await dropMade(page, { name: 'one.md', parts: ['The miller opens the weir.'] });
  for (const n of [2, 3, 4, 5]) await dropMade(page, { name: `${n}.md`, parts: [`${text(n, 8)} A zither has ${n}0 strings.`] });
  for (const name of ['one.md', '2.md', '3.md', '4.md', '5.md']) await saved(page, name);
  await page.waitForFunction(() => performance.getEntriesByName('seam:index-kept').length >= 5);
  await page.locator('.doc', { hasText: 'one.md' }).locator('.select').click();
  await page.reload();
  await row(page, 'one.md');
  await page.getByRole('tab', { name: 'Ask' }).click();
  await page.getByRole('button', { name: /^Connect to/ }).click();
  await page.locator('#question').fill('How many strings has a zither?');
  await page.keyboard.press('Enter');
  assert.match(await words(page.locator('#panel-ask .consent:visible')), /Your question and the 4 passages that fit it best/);
  await site.provider.script('words=Fifty, says one [1].');
  await page.keyboard.press('Enter');
  await answered(page);
  const [request] = await arrived('completions');
  for (const n of [2, 3, 4, 5]) assert.match(JSON.stringify(request.body.messages), new RegExp(`A zither has ${n}0 strings`));
  assert.equal(await page.locator('.doc[data-state=kept]').count(), 4);
  await page.locator('.cite').first().click();
  await restsInView(page, 'seam-passage');
  assert.equal(await page.locator('.doc[data-state=kept]').count(), 3);
  tab.check();
});

for (const [name, stop] of Object.entries({ 'the button': (page) => page.locator('#panel-ask').getByRole('button', { name: 'Stop', exact: true }).click(), Escape: (page) => page.keyboard.press('Escape') })) {
  test(`Stop by ${name} ends the answer at the provider, too`, async (t) => {
    const page = await opened(t, site);
    await site.provider.script(`hold; words=${'slow '.repeat(4)}`);
    await ask(page, 'What ends slowly?');
    await page.locator('.answer').getByText('slow slow').waitFor();
    await stop(page);
    await page.locator('#panel-ask').getByText('Stopped').waitFor();
    assert.match(await page.locator('.answer').innerText(), /^slow slow/);
    await until(async () => (await arrived('completions'))[0]?.gone); // the provider must stop writing
    assert.equal(await page.evaluate(() => document.activeElement.id), 'question');
    await ask(page, 'What ends then?');
    await answered(page);
  });
}

test('a refusal is told calmly, with the passages that were looked at', async (t) => {
  const page = await opened(t, site);
  await site.provider.script('words=I do not have enough information to answer that.');
  await ask(page, 'Who won when it ends?');
  await page.locator('.refusal').waitFor();
  assert.ok(await page.locator('.answer').isHidden());
  assert.match(await page.locator('.refusal').innerText(), /no answer in the passages below/);
  assert.ok(await page.locator('#panel-ask .hits li').count() > 0);
});

test('the mark of a refusal is asked for and never shown; the page refuses in its language', async (t) => {
  const page = await opened(t, site, { options: { locale: 'de-DE' } });
  await page.getByRole('tab', { name: 'Fragen' }).click();
  await page.getByRole('button', { name: 'verbinden' }).click();
  await page.evaluate(() => {
    window.marks = [];
    const seen = () => { if (/\[\[|answer\]/i.test(document.body.innerText)) window.marks.push(document.body.innerText); };
    new MutationObserver(seen).observe(document.body, { childList: true, characterData: true, subtree: true });
  });
  for (const script of ['chunk-delay=20ms; words=[ [NO ANS WER ]]', 'words=[[NO ANSWER]]', 'chunk-delay=20ms; words=**[[NO ANSWER]]** Es geht um Mühlen.']) {
    await site.provider.script(script);
    await page.locator('#question').fill('What ends?');
    await page.keyboard.press('Enter');
    const send = page.locator('#panel-ask .consent:visible').getByRole('button', { name: 'Senden' });
    const refusal = page.locator('.refusal:visible', { hasText: 'Nicht in diesen Textstellen' });
    await send.or(refusal).first().waitFor();
    if (await send.isVisible()) await send.click();
    await until(async () => (await page.locator('.answer').getAttribute('aria-busy')) !== 'true');
    if (script.includes('[ [')) await page.locator('.answer', { hasText: '[ [NO' }).waitFor();
    else await refusal.waitFor();
  }
  const sent = (await arrived('completions')).map(({ body }) => body.messages[0].content);
  assert.equal(sent.length, 3);
  for (const system of sent) assert.match(system, /in the language of the question.*\[\[NO ANSWER\]\]/s);
  assert.deepEqual(await page.evaluate(() => window.marks), []);
});

test('without a model the passages are shown, and nothing is sent', async (t) => {
  const tab = await open(site);
  t.after(tab.close);
  const { page } = tab;
  const begun = site.seen.paths.length;
  await drop(page, join(work, 'article.pdf'));
  await row(page, 'article.pdf');
  await slide(page, '#setting', 0.125);
  await page.getByRole('tab', { name: 'Ask' }).click();
  await page.locator('#question').fill('How is curd made?');
  await page.getByRole('button', { name: 'Find passages' }).click();
  await page.locator('#panel-ask').getByText(/^The \d\spassages that fit best\. No model has read them; nothing was sent\.$/).waitFor();
  assert.equal(await page.locator('.shown-question').innerText(), 'How is curd made?');
  assert.match(await page.locator('#panel-ask .hits li').first().textContent(), /^\[1\] article\.pdf · p\. \d/);
  await page.locator('#panel-ask .hits button').first().click();
  await restsInView(page, 'seam-passage');
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.getByRole('button', { name: 'Copy with sources' }).click();
  await page.getByRole('button', { name: 'Copied' }).waitFor();
  assert.match(await page.evaluate(() => navigator.clipboard.readText()), /^How is curd made\?\n\n\[1\] article\.pdf/);
  await page.locator('#question').fill('zyxwv');
  await page.keyboard.press('Enter');
  await page.locator('#panel-ask').getByText('No passage has anything of this question. Nothing was sent.').waitFor();
  assert.deepEqual(site.seen.paths.slice(begun).filter((path) => /\/ws/.test(path)), [], 'the proxy was not called');
  // From here questions go to the model.
  await page.getByRole('button', { name: /^Connect to/ }).click();
  await page.locator('#question').fill('How is curd made?');
  await page.getByRole('button', { name: 'Ask', exact: true }).click();
  await site.provider.script('words=Rennet sets the milk [1].');
  await page.locator('#panel-ask .consent:visible').getByRole('button', { name: 'Send', exact: true }).click();
  await answered(page);
  assert.match(await page.locator('.answer').innerText(), /Rennet sets the milk/);
  tab.check();
});

test('a question that fits no passage is not sent', async (t) => {
  const page = await opened(t, site);
  await ask(page, 'Zyxwv?');
  await page.locator('.refusal').waitFor();
  assert.match(await page.locator('.refusal').innerText(), /Nothing was sent/);
  assert.deepEqual(await arrived('completions'), []);
});

test('an answer that breaks off keeps what came, and is tried again', async (t) => {
  const page = await opened(t, site);
  await site.provider.script('chunk-delay=50ms; fault=cut-stream; words=It begins well and', 'words=All of it.');
  await ask(page, 'What ends badly?');
  await page.locator('#panel-ask .consent.failed').waitFor();
  console.log(`broken off: ${await words(page.locator('#panel-ask .consent.failed'))}`);
  assert.match(await page.locator('.answer').innerText(), /^It begins well/);
  await page.getByRole('button', { name: 'Try again' }).click();
  await answered(page);
  assert.equal(await page.locator('.answer').innerText(), 'All of it.');
});

test('a hundred words a second: each frame adds what has come, and the page stays free', async (t) => {
  const page = await opened(t, site);
  await site.provider.script(`chunk-delay=10ms; words=${Array.from({ length: 300 }, (_, i) => `word${i}${i % 20 === 19 ? ' [1]' : ''}`).join(' ')}`);
  await page.evaluate(() => {
    const seen = { mutations: 0, frames: 0, longest: 0 };
    window.seen = seen;
    new MutationObserver(() => { seen.mutations++; }).observe(document.querySelector('.answer'), { childList: true, characterData: true, subtree: true });
    let last = performance.now();
    const frame = (now) => {
      seen.frames++;
      seen.longest = Math.max(seen.longest, now - last);
      last = now;
      requestAnimationFrame(frame);
    };
    requestAnimationFrame(frame);
  });
  await ask(page, 'What ends in a stream?');
  await answered(page);
  const seen = await page.evaluate(() => window.seen);
  console.log(`stream: ${seen.mutations} changes in ${seen.frames} frames, longest frame ${seen.longest.toFixed(0)} ms`);
  assert.ok(seen.mutations <= seen.frames, 'no more than one change a frame');
  assert.equal((await page.locator('.answer').innerText()).split(/\s+/).length, 300 + 15 - 15 + 15);
});

test('a connection that is lost: the next question makes a new one', async (t) => {
  const page = await opened(t, site);
  await ask(page, 'What ends before?');
  await answered(page);
  site.cut();
  await ask(page, 'What ends after?');
  await page.locator('#panel-ask').getByText(/tokens? read|Try again/).first().waitFor();
  if (await page.getByRole('button', { name: 'Try again' }).isVisible()) await page.getByRole('button', { name: 'Try again' }).click();
  await answered(page);
});

for (const [name, options] of Object.entries({ wide: {}, '360 px': { viewport: { width: 360, height: 740 } } })) {
  test(`axe finds nothing: ${name}`, async (t) => {
    const page = await opened(t, site, { options: { reducedMotion: 'reduce', ...options } });
    const scan = async (state) => {
      await accessible(page, state);
      const [wide, screen] = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
      assert.ok(wide <= screen, `${state}: ${wide} of ${screen} px`);
    };
    await openSheet(page);
    await choose(page);
    await panel(page).getByText('Nothing is sent yet').waitFor();
    await scan('preview');
    await site.provider.script('hold; header-delay=0s');
    await press(page, 'Send');
    await panel(page).getByRole('button', { name: 'Stop', exact: true }).waitFor();
    await scan('sending');
    await press(page, 'Stop');
    await panel(page).getByText('Stopped').waitFor();
    await scan('stopped');
    await closeSheet(page);
    await page.getByRole('tab', { name: 'Ask' }).click();
    await page.locator('#question').fill('Why it ends?');
    await page.keyboard.press('Enter');
    await page.locator('#panel-ask').getByRole('button', { name: 'Send', exact: true }).waitFor();
    await scan('consent');
    await site.provider.script('words=Because [1].', 'words=I do not have enough information to answer that.', 'chunk-delay=100ms; fault=cut-stream; words=It begins well and');
    await page.keyboard.press('Enter');
    await answered(page);
    await scan('answer');
    await ask(page, 'Who ends?');
    await page.locator('.refusal').waitFor();
    await scan('refusal');
    await ask(page, 'What ends?');
    await page.locator('#panel-ask .consent.failed').waitFor();
    await scan('error');
  });
}

testKeyStays(() => site);
