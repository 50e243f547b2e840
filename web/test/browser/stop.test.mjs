// Stop works everywhere, at once, and nothing else is lost. Times are printed;
// what is asserted of them only tells a stop from a hang.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { join } from 'node:path';
import { drop, dropMade, makeFixtures, open, row, start, work } from './harness.mjs';

/** Far above the 200 ms that are wanted, and far below the work that is stopped. */
const HANG_MS = 3000;
const MB = 2 ** 20;

let site;
before(async () => {
  makeFixtures();
  site = await start();
});
after(() => site?.close());

function onPage(name, body) {
  test(name, async () => {
    const tab = await open(site);
    await body(tab.page);
    tab.check();
    await tab.close();
  });
}

/** From the press of a Stop until the page shows `done`, measured in the page itself. */
async function stopTime(page, label, selector, done) {
  const ms = await page.evaluate(([button, ended]) => new Promise((resolve) => {
    const began = performance.now();
    document.querySelector(button).click();
    const look = () => (document.querySelector(ended) ? resolve(performance.now() - began) : requestAnimationFrame(look));
    look();
  }), [selector, done]);
  console.log(`stop ${label}: ${ms.toFixed(0)} ms`);
  assert.ok(ms < HANG_MS, `${label}: ${ms} ms`);
}

/** How long a small new text takes to be read: whether the engine is free. */
async function nextFile(page, label) {
  const began = Date.now();
  await dropMade(page, { name: `after ${label}.txt`, parts: [`This comes after ${label}. It is short.`] });
  await row(page, `after ${label}.txt`);
  console.log(`the next file after stop ${label}: ${Date.now() - began} ms`);
}

/** A text of many different words, made in the page. */
async function dropBig(page, name, bytes) {
  const transfer = await page.evaluateHandle(([file, size]) => {
    let seed = 1;
    const word = () => {
      seed = (seed * 48271) % 2147483647;
      return 'abcdefghijklmnopqrstuvwxyz'.slice(seed % 20, (seed % 20) + 3) + (seed % 5000);
    };
    const parts = [];
    for (let length = 0; length < size;) {
      const sentence = `The ${Array.from({ length: 11 }, word).join(' ')} end. `;
      parts.push(sentence);
      length += sentence.length;
    }
    const data = new DataTransfer();
    data.items.add(new File(parts, file));
    return data;
  }, [name, bytes]);
  for (const type of ['dragenter', 'dragover', 'drop']) await page.dispatchEvent('body', type, { dataTransfer: transfer });
}

const STOP = '.doc[data-state=reading] .work button:not([hidden])';

onPage('while a PDF of 400 pages is read', async (page) => {
  await dropMade(page, { name: 'kept.txt', parts: ['This was here before. It stays.'] });
  await row(page, 'kept.txt');
  await drop(page, join(work, 'large.pdf'), join(work, 'article.pdf'));
  await page.getByText(/reading page [\d,]+ of [\d,]+/).first().waitFor();
  await stopTime(page, 'reading 400 pages', STOP, '.doc[data-state=failed]');
  await row(page, 'article.pdf');
  await row(page, 'kept.txt');
  await nextFile(page, 'reading');
});

for (const stage of [/finding sentences|embedding sentence/, /embedding sentence|measuring/]) {
  onPage(`while a text of 20 MB is cut (${stage.source})`, async (page) => {
    await dropBig(page, 'big.txt', 20 * MB);
    await page.locator('.doc .state').getByText(stage).first().waitFor({ timeout: 60_000 });
    await page.waitForTimeout(500);
    await stopTime(page, `cutting 20 MB (${await page.locator('.doc .state').first().innerText()})`, STOP, '.doc[data-state=failed]');
    await nextFile(page, 'cutting');
  });
}

onPage('while several documents are searched', async (page) => {
  await dropBig(page, 'big.txt', 2 * MB);
  await page.locator('.doc[data-state=ready]').waitFor({ timeout: 60_000 });
  await page.locator('#search').fill('abc end');
  const ms = await page.evaluate(() => new Promise((resolve) => {
    document.querySelector('.search').requestSubmit();
    setTimeout(() => {
      const stop = document.querySelector('#panel-search .bar button:not([hidden])');
      if (!stop) { resolve(null); return; }
      const began = performance.now();
      stop.click();
      const look = () => (stop.hidden ? resolve(performance.now() - began) : requestAnimationFrame(look));
      look();
    }, 50);
  }));
  console.log(ms === null ? 'stop searching: it had ended after 50 ms' : `stop searching: ${ms.toFixed(0)} ms`);
  assert.ok(ms === null || ms < HANG_MS);
  await nextFile(page, 'searching');
  await page.locator('#search').press('Enter');
  await page.locator('.hits button').first().waitFor({ timeout: 60_000 });
});

/** Makes the engine deaf, as some step that never looks at its messages would. */
function deafen(page) {
  const [engine] = page.workers();
  return engine.evaluate(() => {
    self.addEventListener('message', () => { while (performance.now()) { /* until it is ended */ } }, { once: true });
  });
}

onPage('an engine that never comes back is replaced, and its documents are opened again', async (page) => {
  await drop(page, join(work, 'notes.md'), join(work, 'locked.pdf'));
  await page.locator('#password').fill('seam');
  await page.keyboard.press('Enter');
  await row(page, 'locked.pdf');
  const [old] = page.workers();
  const ended = old.waitForEvent('close', { timeout: 30_000 });
  await deafen(page);
  await dropMade(page, { name: 'stuck.txt', parts: ['The engine hears nothing. It works for ever.'] });
  await row(page, 'stuck.txt', 'reading');
  const began = Date.now();
  await stopTime(page, 'a deaf engine', STOP, '.doc[data-state=failed]');
  await ended;
  console.log(`a deaf engine is replaced after ${Date.now() - began} ms`);
  await row(page, 'notes.md');
  await row(page, 'locked.pdf'); // without asking for its password again
  assert.equal(await page.locator('dialog').count(), 0);
  assert.match(await page.locator('.doc', { hasText: 'stuck.txt' }).innerText(), /Stopped/);
  await page.getByRole('button', { name: /^Try stuck\.txt again/ }).click();
  await row(page, 'stuck.txt');
  await page.locator('#search').fill('rennet');
  await page.keyboard.press('Enter');
  await page.locator('.hits button', { hasText: 'notes.md' }).first().waitFor();
});
