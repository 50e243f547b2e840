// Stop works everywhere and at once, and nothing else is lost. Times are printed. The
// assertion is that the work ends as stopped and is not completed.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { join } from 'node:path';
import { drop, dropMade, makeFixtures, onScreen, open, painted, programs, row, start, unlock, work } from './harness.mjs';

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

/** Measures in the page the time from pressing Stop until the document has failed. */
async function stopTime(page, label) {
  const began = await page.evaluate((button) => {
    document.querySelector(button).click();
    return performance.now();
  }, '.doc[data-state=reading] .work button:not([hidden])');
  const ended = await page.waitForFunction(() => document.querySelector('.doc[data-state=failed]') && performance.now());
  console.log(`stop ${label}: ${(await ended.jsonValue() - began).toFixed(0)} ms`);
  assert.match(await page.locator('.doc[data-state=failed]').innerText(), /Stopped/);
}

/** Measures how long a small new text takes, to see whether the engine is free. */
async function nextFile(page, label) {
  const began = Date.now();
  await dropMade(page, { name: `after ${label}.txt`, parts: [`This comes after ${label}. It is short.`] });
  await row(page, `after ${label}.txt`);
  console.log(`the next file after stop ${label}: ${Date.now() - began} ms`);
}

/** Drops a text of many different words, created in the page. */
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

onPage('while a PDF of 400 pages is read', async (page) => {
  await dropMade(page, { name: 'kept.txt', parts: ['This was here before. It stays.'] });
  await row(page, 'kept.txt');
  await drop(page, join(work, 'large.pdf'), join(work, 'article.pdf'));
  await onScreen(page, /reading page [\d,]+ of [\d,]+/).first().waitFor();
  await stopTime(page, 'reading 400 pages');
  await row(page, 'article.pdf');
  await row(page, 'kept.txt');
  await nextFile(page, 'reading');
});

for (const stage of [/finding sentences|embedding sentence/, /embedding sentence|measuring/]) {
  onPage(`while a text of 20 MB is cut (${stage.source})`, async (page) => {
    await dropBig(page, 'big.txt', 20 * MB);
    await page.locator('.doc .state').getByText(stage).first().waitFor();
    const first = await page.locator('.doc .state').first().innerText();
    await page.waitForFunction((text) => document.querySelector('.doc .state').innerText !== text, first); // in progress
    await stopTime(page, `cutting 20 MB (${await page.locator('.doc .state').first().innerText()})`);
    await nextFile(page, 'cutting');
  });
}

onPage('while several documents are searched', async (page) => {
  await dropBig(page, 'big.txt', 2 * MB);
  await page.locator('.doc[data-state=ready]').waitFor();
  await page.locator('#search').fill('abc end');
  await page.evaluate(() => document.querySelector('.search').requestSubmit());
  await painted(page);
  const began = await page.evaluate(() => {
    const stop = document.querySelector('#panel-search .bar button:not([hidden])');
    stop?.click();
    return stop && performance.now();
  });
  const ended = await page.waitForFunction(() => !document.querySelector('#panel-search .bar button:not([hidden])') && performance.now());
  console.log(began === null ? 'stop searching: it had ended before' : `stop searching: ${(await ended.jsonValue() - began).toFixed(0)} ms`);
  await nextFile(page, 'searching');
  await page.locator('#search').press('Enter');
  await page.locator('.hits button').first().waitFor();
});

/** Keeps the engine from reading its messages, like a very long step. */
async function deafen(page) {
  const [engine] = programs(page);
  await page.evaluate(() => { window.deaf = new Promise((heard) => { new BroadcastChannel('deaf').onmessage = heard; }); });
  await engine.evaluate(() => {
    const channel = new BroadcastChannel('deaf');
    self.addEventListener('message', () => { channel.postMessage(1); while (performance.now()) { /* until it is ended */ } }, { once: true });
  });
}

onPage('an engine that never comes back is replaced, and its documents are opened again', async (page) => {
  await drop(page, join(work, 'notes.md'), join(work, 'locked.pdf'));
  await unlock(page, 'locked.pdf', 'seam');
  await row(page, 'locked.pdf');
  const [old] = programs(page);
  const ended = old.waitForEvent('close');
  await deafen(page);
  await dropMade(page, { name: 'stuck.txt', parts: ['The engine hears nothing. It works for ever.'] });
  await row(page, 'stuck.txt', 'reading');
  await page.evaluate(() => window.deaf); // before that, the engine could still answer
  const began = Date.now();
  await stopTime(page, 'a deaf engine');
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
