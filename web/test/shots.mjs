// Takes pictures of the states of the page for review: make shots, or node test/shots.mjs
// [DIR [SIZE-LOOK]], as in: node test/shots.mjs /tmp/shots 360-dark

import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { add, closeSheet, drop, makeFixtures, open, openSheet, row, start, still, work } from './browser/harness.mjs';
import { drawComponents } from './components.mjs';
import { proxied } from './browser/proxy-host.mjs';

const [, , dir = 'test/.work/shots', only] = process.argv;
const out = resolve(dir);
mkdirSync(out, { recursive: true });
makeFixtures();

const sizes = { 360: { width: 360, height: 740 }, 768: { width: 768, height: 1024 }, 1440: { width: 1440, height: 900 }, 2200: { width: 2200, height: 1240 } };
const looks = { light: { colorScheme: 'light' }, dark: { colorScheme: 'dark' }, forced: { forcedColors: 'active' } };
/** The sizes for states that look the same at other widths. */
const ENDS = ['360', '1440'];

/** Visits states in each size and look; `shot` takes a picture of one. */
async function look(from, body, of = Object.keys(sizes)) {
  for (const size of of) {
    for (const name of Object.keys(looks)) {
      if (only && only !== `${size}-${name}`) continue;
      const tab = await open(from, { viewport: sizes[size], ...looks[name], reducedMotion: 'reduce', deviceScaleFactor: size === '360' ? 2 : 1 });
      await body(tab.page, async (state) => {
        await still(tab.page);
        await tab.page.screenshot({ path: join(out, `${size}-${name}-${state}.png`), fullPage: state === 'components' });
      });
      await tab.close();
    }
  }
}

const tabTo = (page, name) => page.getByRole('tab', { name, exact: true }).click();
const narrow = (page) => page.viewportSize().width <= 720;
/** On a narrow screen, a result in a list is shown in the text. */
const toText = async (page) => { if (narrow(page)) await tabTo(page, 'Text'); };

async function opened(page, shot) {
  await page.locator('.example').nth(4).waitFor();
  await shot('empty');
  await page.getByRole('button', { name: 'Try the sample' }).click();
  await row(page, 'Sample');
  await page.locator('.tour-offer').waitFor();
  await shot('offer');
  await page.locator('.tour-offer').getByRole('button').last().click();
  await shot('text');
  await tabTo(page, 'Chunks');
  await shot('chunks');
  await tabTo(page, 'Compare');
  await page.locator('.compared .lengths i').last().waitFor({ state: 'attached' });
  await shot('compare');
  await toText(page);
}

async function found(page, shot) {
  await page.locator('#search').fill('why is a loaf crisp?');
  await page.keyboard.press('Enter');
  await page.locator('.hits button').first().waitFor();
  await shot('search');
  await page.locator('.hits button').first().click();
  await page.mouse.move(0, 0);
  await shot('hit');
  await page.locator('#search').fill('zyxwv');
  await page.keyboard.press('Enter');
  await page.getByText('Nothing found').waitFor();
  await shot('no-hits');
  await page.locator('#search').fill('');
}

async function files(page, shot) {
  await drop(page, join(work, 'article.pdf'), join(work, 'empty.txt'));
  await row(page, 'article.pdf');
  await row(page, 'empty.txt', 'failed');
  await choose(page, 'article.pdf');
  await toText(page);
  await page.getByRole('button', { name: 'Page', exact: true }).click();
  await page.locator('.sheet[data-state=drawn]').first().waitFor();
  await shot('page');
  const both = page.getByRole('button', { name: 'Text and page', exact: true });
  if (await both.isVisible()) { // where both have room
    await both.click();
    await page.locator('.sheet[data-state=drawn]').first().waitFor();
    await shot('text-and-page');
  }
  await page.getByRole('button', { name: 'Text', exact: true }).click();
  await choose(page, 'empty.txt');
  await shot('failed');
  await drop(page, join(work, 'many.pdf'));
  await page.getByText(/reading page/).first().waitFor({ state: 'attached' });
  await shot('working');
}

async function choose(page, name) {
  await openSheet(page);
  await page.locator('.doc .select', { hasText: name }).click();
  await page.locator('.doc:has([aria-current])', { hasText: name }).waitFor({ state: 'attached' });
  await closeSheet(page);
}

/** Opens a dialog with `press` and takes its picture. */
async function dialog(page, shot, state, press) {
  await press();
  await page.locator('dialog[open]').waitFor();
  await shot(state);
  await page.keyboard.press('Escape');
  await page.locator('dialog').waitFor({ state: 'detached' });
}

async function dialogs(page, shot) {
  await row(page, 'many.pdf');
  await choose(page, 'article.pdf');
  await openSheet(page);
  await shot('settings');
  await dialog(page, shot, 'methods', () => page.getByRole('button', { name: 'What each does' }).click());
  await dialog(page, shot, 'kept', () => page.getByRole('button', { name: 'Manage' }).click());
  await closeSheet(page);
  await dialog(page, shot, 'paste', () => add(page, 'Paste text'));
  await closeSheet(page);
  await toText(page);
  if (narrow(page)) {
    await page.getByRole('button', { name: /^Explain: / }).first().click();
    await shot('explained');
  }
  await dialog(page, shot, 'table', () => page.getByRole('button', { name: 'Table' }).click());
  await page.locator('body').press('?');
  await page.locator('dialog[open]').waitFor();
  await shot('keys');
  await page.keyboard.press('Escape');
  await drop(page, join(work, 'locked.pdf'));
  await row(page, 'locked.pdf', 'locked');
  await shot('password');
  await page.locator('.seal').click();
  await shot('requests');
}

const site = await start();
/** As a new user sees it: without all settings. */
await look(site, async (page, shot) => {
  await page.evaluate(() => localStorage.removeItem('seam.all-settings'));
  await page.addInitScript(() => localStorage.removeItem('seam.all-settings'));
  await page.reload();
  await page.getByRole('button', { name: 'Try the sample' }).click();
  await row(page, 'Sample');
  await page.locator('.tour-offer').getByRole('button').last().click();
  await shot('simple');
  await page.locator('#search').fill('why is a loaf crisp?');
  await page.keyboard.press('Enter');
  await page.locator('.hits button').first().click();
  await shot('simple-search');
  await tabTo(page, 'Compare');
  await page.locator('.compared .lengths i').last().waitFor({ state: 'attached' });
  await shot('simple-compare');
  await drawComponents(page);
  await shot('components');
});
await look(site, async (page, shot) => {
  await opened(page, shot);
  await found(page, shot);
  await files(page, shot);
  await dialogs(page, shot);
});
await site.close();

/** Texts for a hosted model: the question before sending, the progress, and errors. */
async function embedded(page, shot, host) {
  await openSheet(page);
  await page.locator('#embedder').selectOption('connect');
  await page.getByText('Connected; nothing was sent.').waitFor();
  await page.locator('#embedder').selectOption({ label: 'embed-small · $0.02 / 1M tokens' });
  const answer = page.locator('.settings .consent').getByRole('button');
  await page.getByText('Nothing is sent yet').first().waitFor();
  await shot('hosted-preview');
  await host.provider.script('header-delay=1s');
  await answer.first().click();
  await shot('hosted-sending');
  await page.locator('.settings .consent').waitFor({ state: 'hidden' });
  await page.locator('#embedder').selectOption({ label: 'Other · price unknown' });
  await page.getByText('Nothing is sent yet').first().waitFor();
  await host.provider.script('status=401');
  await answer.first().click();
  await page.locator('.settings .consent.failed').waitFor();
  await shot('hosted-failed');
  await answer.last().click();
  await closeSheet(page);
}

const WORDS = 'Harbours print tables of high water for their pilots [1]. When the moon and the sun pull in one line the tide is a spring tide [2], and ships wait for it [1, 2].';

async function asked(page, shot, host) {
  const ask = async (question) => {
    await page.locator('#question').fill(question);
    await page.keyboard.press('Enter');
  };
  await tabTo(page, 'Ask');
  await shot('ask');
  await ask('Why do pilots print tables?');
  await shot('ask-consent');
  const answers = [`chunk-delay=60ms; words=${WORDS}`, 'words=They follow the moon [1].', 'words=I do not have enough information to answer that.'];
  await host.provider.script(...answers.flatMap((script) => ['header-delay=0s', script])); // each question is embedded first
  await page.keyboard.press('Enter');
  await page.locator('.cite').nth(1).waitFor();
  await shot('ask-streaming');
  await page.locator('#panel-ask').getByText(/tokens read/).waitFor();
  await shot('ask-answer');
  await ask('And what do they follow?');
  await page.locator('.answer').getByText('They follow the moon').waitFor();
  await page.locator('#panel-ask').getByText(/tokens read/).waitFor();
  await page.locator('.thread summary').click();
  await shot('ask-thread');
  await ask('Who won in 1954?');
  await page.locator('.refusal').waitFor();
  await shot('ask-refusal');
}

// With almost no cache, so that every run is like the first.
const host = await proxied({ more: 'cache: {memory: 1, disk: 0}\n' });
await look(host, async (page, shot) => {
  await drop(page, join(work, 'article.pdf'));
  await row(page, 'article.pdf');
  await embedded(page, shot, host);
  await asked(page, shot, host);
}, ENDS);
await host.close();
console.log(out);
