// Pictures of the page for a person to look at: node test/shots.mjs OUTDIR

import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { add, aiInformation, drop, makeFixtures, open, row, start, still, work } from './browser/harness.mjs';
import { proxied } from './browser/proxy-host.mjs';

const out = resolve(process.argv[2] ?? 'test/.work/shots');
mkdirSync(out, { recursive: true });
makeFixtures();
const site = await start();

const sizes = { wide: { width: 1400, height: 860 }, tablet: { width: 820, height: 1000 }, phone: { width: 360, height: 740 }, '4k': { width: 3840, height: 2160 } };
const file = aiInformation ?? join(work, 'article.pdf');

const looks = { light: { colorScheme: 'light' }, dark: { colorScheme: 'dark' }, forced: { forcedColors: 'active' } };
const only = process.argv[3]; // as in: wide-forced

async function look(from, size, name, body) {
  if (only && only !== `${size}-${name}`) return;
  const tab = await open(from, { viewport: sizes[size], ...looks[name], reducedMotion: 'reduce', deviceScaleFactor: size === 'phone' ? 2 : 1 });
  await body(tab.page, async (state) => {
    await still(tab.page);
    await tab.page.screenshot({ path: join(out, `${size}-${name}-${state}.png`) });
  });
  await tab.close();
}

for (const size of Object.keys(sizes)) {
  for (const name of Object.keys(looks)) {
    await look(site, size, name, async (page, shot) => {
      await shot('empty');
      await drop(page, file, join(work, 'empty.txt'), join(work, 'notes.md'));
      await row(page, 'notes.md');
      await shot('loaded');
      if (size === 'tablet' || size === 'phone') {
        await page.getByRole('tab', { name: 'Chunks' }).click();
        await shot('chunks');
      }
      await page.locator('#search').fill('why does explainability matter?');
      await page.keyboard.press('Enter');
      await page.locator('.hits button').first().waitFor();
      await shot('search');
      await page.locator('.hits button').first().click();
      await page.mouse.move(0, 0);
      await shot('hit');
      await page.locator('.doc .select', { hasText: '.pdf' }).click();
      if (size === 'tablet' || size === 'phone') await page.getByRole('tab', { name: 'Text', exact: true }).click();
      await page.getByRole('button', { name: 'Page', exact: true }).click();
      await page.locator('.sheet[data-state=drawn]').first().waitFor();
      await shot('pages');
      await page.getByRole('button', { name: 'Text', exact: true }).click();
      if (size === 'wide') {
        await page.locator('.doc .select', { hasText: 'empty.txt' }).click();
        await shot('failed');
        await add(page, 'Paste text');
        await shot('dialog');
        await page.keyboard.press('Escape');
        await page.keyboard.press('?');
        await shot('keys');
        await page.keyboard.press('Escape');
        await drop(page, join(work, 'locked.pdf'), file);
        await page.locator('#password').waitFor();
        await shot('password');
        await page.keyboard.press('Escape');
        await page.locator('.seal').click();
        await shot('requests');
        await page.keyboard.press('Escape');
        await page.locator('#search').fill('zyxwv');
        await page.keyboard.press('Enter');
        await page.getByText('Nothing found').waitFor();
        await shot('no-hits');
        await drop(page, join(work, 'many.pdf'));
        await page.getByText(/reading page/).first().waitFor();
        await shot('reading');
      }
    });
  }
}
await site.close();

// Hosted models, on a page with a proxy.
const host = await proxied();
for (const size of ['wide', 'phone']) {
  for (const name of Object.keys(looks)) {
    await look(host, size, name, async (page, shot) => {
      await drop(page, file);
      await row(page, '.pdf');
      if (size === 'phone') await page.locator('.settings summary').click();
      await page.locator('#embedder').selectOption('connect');
      await page.getByText('Connected; nothing was sent.').waitFor();
      await page.locator('#embedder').selectOption({ label: 'embed-small · $0.02 / 1M tokens' });
      const answer = page.locator('.settings .consent').getByRole('button');
      await page.getByText('Nothing is sent yet').first().waitFor();
      await shot('hosted-preview');
      await host.provider.script('header-delay=2s', 'header-delay=2s', 'status=401'); // a call for 256 sentences, and one for the rest
      await answer.first().click();
      await shot('hosted-sending');
      await page.locator('.settings .consent').waitFor({ state: 'hidden' });
      await page.locator('#embedder').selectOption({ label: 'Other · price unknown' });
      await page.getByText('Nothing is sent yet').first().waitFor();
      await answer.first().click();
      await page.locator('.settings .consent.failed').waitFor();
      await shot('hosted-failed');
      await answer.last().click();
      if (size === 'phone') await page.locator('.settings summary').click();
      await page.getByRole('tab', { name: 'Ask' }).click();
      await page.locator('#question').fill('Why does explainability matter?');
      await page.keyboard.press('Enter');
      await shot('hosted-consent');
      const words = 'People trust what they can follow [1]. Where a decision weighs heavily, those it concerns ask for its reasons, and rules begin to demand them [2, 3]. A model that explains itself is also easier to mend [5].';
      const answers = [`chunk-delay=60ms; words=${words}`, 'words=Rules demand reasons where a decision weighs heavily [1].', 'words=I do not have enough information to answer that.', 'chunk-delay=100ms; fault=cut-stream; words=It begins well and'];
      await host.provider.script(...answers.flatMap((script) => ['header-delay=0s', script])); // each question is embedded first
      await page.keyboard.press('Enter');
      await page.locator('.cite').nth(1).waitFor();
      await shot('hosted-streaming');
      await page.locator('#panel-ask').getByText(/tokens read/).waitFor();
      await page.locator('.cite').nth(1).click();
      if (size === 'phone') await page.getByRole('tab', { name: 'Ask' }).click();
      await shot('hosted-answer');
      await page.locator('#question').fill('And what do the rules demand?');
      await page.keyboard.press('Enter');
      await page.locator('.answer').getByText('Rules demand reasons').waitFor();
      await page.locator('#panel-ask').getByText(/tokens read/).waitFor();
      await page.locator('.thread summary').click();
      await shot('hosted-thread');
      await page.locator('#question').fill('And who asks for them?');
      await page.locator('.prompt summary').click();
      await page.getByText(/were found by words alone/).waitFor();
      await page.locator('.prompt').evaluate((element) => element.scrollIntoView());
      await shot('hosted-prompt');
      await page.locator('.prompt summary').click();
      for (const [question, ends, state] of [['Who won in 1954?', '.refusal', 'hosted-refusal'], ['What breaks?', '#panel-ask .consent.failed', 'hosted-error']]) {
        await page.locator('#question').fill(question);
        await page.keyboard.press('Enter');
        await page.locator(ends).waitFor();
        await shot(state);
      }
      await page.locator('.seal').click();
      await shot('hosted-requests');
    });
  }
}
await host.close();
console.log(out);
