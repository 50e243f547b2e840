// The page's own thread stays free, and the page is there soon. Times are
// printed; bounds are relative to this machine, or so wide that only a hang
// passes them.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { join } from 'node:path';
import { drop, makeFixtures, open, row, shownText, slide, start, work } from './harness.mjs';

let site;
before(async () => {
  makeFixtures();
  site = await start();
});
after(() => site?.close());

/** Collects the page's long tasks from now on; the function returned tells them, in milliseconds. */
async function watchTasks(page) {
  await page.evaluate(() => {
    window.longTasks = [];
    new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries()) window.longTasks.push(duration);
    }).observe({ type: 'longtask' });
  });
  return async (label) => {
    await page.waitForTimeout(400);
    const tasks = await page.evaluate(() => window.longTasks.splice(0));
    const longest = Math.max(0, ...tasks);
    console.log(`long tasks, ${label}: ${tasks.length === 0 ? 'none over 50 ms' : `${tasks.map((ms) => ms.toFixed(0)).join(', ')} ms`}`);
    return longest;
  };
}

/** How long this machine takes now for work of a fixed size: some 20 ms on one of its own cores. */
function reference(page) {
  return page.evaluate(() => {
    const times = Array.from({ length: 5 }, () => {
      const began = performance.now();
      const root = document.createElement('div');
      for (let i = 0; i < 8000; i++) {
        const span = document.createElement('span');
        span.append(`sentence ${i}`);
        root.append(span);
      }
      return performance.now() - began;
    });
    return times.sort((a, b) => a - b)[2];
  });
}

test('no long task while a PDF of 400 pages is read, cut, scrolled and marked', async () => {
  const tab = await open(site);
  const { page } = tab;
  const unit = await reference(page);
  const tasks = await watchTasks(page);
  await drop(page, join(work, 'article.pdf')); // the programs are loaded
  await row(page, 'article.pdf');
  await tasks('the first small PDF');

  const most = Math.max(400, 30 * unit); // a page that stands still, not a machine that is busy
  console.log(`reference: 8,000 elements in ${unit.toFixed(1)} ms; bound ${most.toFixed(0)} ms`);
  const reading = [];
  for (let run = 0; run < 3; run++) {
    await drop(page, join(work, 'large.pdf'));
    await row(page, 'large.pdf');
    reading.push(await tasks('reading 400 pages'));
    if (run < 2) await page.getByRole('button', { name: 'Remove large.pdf' }).click();
  }
  // The best of three: others use this machine, too.
  assert.ok(Math.min(...reading) < most, `${reading.join(', ')} ms`);

  await page.locator('#method').selectOption('percentile');
  assert.ok(await tasks('another method') < most);
  await slide(page, '#threshold', 60);
  await page.waitForFunction(() => /[\d,]{4,}/.test(document.querySelector('#panel-chunks h2').textContent));
  assert.ok(await tasks('cutting it into many') < most);
  for (const at of [0.3, 0.9, 0.5, 1]) {
    await page.locator('#text').evaluate((text, share) => { text.scrollTop = text.scrollHeight * share; }, at);
    await page.waitForTimeout(150);
  }
  assert.ok(await tasks('jumping through its text') < most);
  // What was jumped to has its cuts.
  const cuts = await page.evaluate(() => {
    const { top, bottom } = document.querySelector('#text').getBoundingClientRect();
    return [...document.querySelectorAll('.cut')].filter((cut) => {
      const box = cut.getBoundingClientRect();
      return box.bottom > top && box.top < bottom;
    }).length;
  });
  assert.ok(cuts > 0, 'cuts are shown at the end of the text, too');
  await page.locator('#search').fill('spruce and maple');
  await page.keyboard.press('Enter');
  await page.locator('.hits button').last().click();
  await page.waitForFunction(() => CSS.highlights.get('seam-word').size > 0);
  assert.ok(await tasks('searching and marking') < most);
  assert.ok((await shownText(page)).includes('spruce and maple'));
  tab.check();
  await tab.close();
});

test('the whole text is there before it is looked at, and exact', async () => {
  const tab = await open(site);
  const { page } = tab;
  await drop(page, join(work, 'large.pdf'));
  await row(page, 'large.pdf');
  const before = await shownText(page);
  for (let at = 0; at <= 1; at += 0.05) {
    await page.locator('#text').evaluate((text, share) => { text.scrollTop = text.scrollHeight * share; }, at);
    await page.waitForTimeout(40);
  }
  assert.equal(await shownText(page), before, 'building the sentences changes no character');
  assert.ok(before.length > 100_000);
  tab.check();
  await tab.close();
});

test('a cold start: the drop zone and the settings', async () => {
  const times = [];
  for (let run = 0; run < 3; run++) {
    const context = await site.browser.newContext({ viewport: { width: 1400, height: 860 } });
    const page = await context.newPage();
    await page.addInitScript(() => {
      window.marks = {};
      const look = () => {
        if (!window.marks.usable && document.querySelector('.ways-in button')) window.marks.usable = performance.now();
        if (!window.marks.settings && document.querySelector('#method:enabled')) window.marks.settings = performance.now();
        if (!window.marks.settings) requestAnimationFrame(look);
      };
      look();
    });
    await page.goto(site.url);
    await page.waitForFunction(() => window.marks.settings);
    times.push(await page.evaluate(() => window.marks));
    await context.close();
  }
  const show = (part) => times.map((each) => each[part].toFixed(0)).join(', ');
  console.log(`cold start on loopback: files can be given after ${show('usable')} ms, settings after ${show('settings')} ms`);
  assert.ok(Math.min(...times.map(({ settings }) => settings)) < 5000);
});

test('before the programs are there, files are taken and wait', async () => {
  const context = await site.browser.newContext();
  let release;
  const held = new Promise((done) => { release = done; });
  await context.route(/\.wasm(\.gz)?$/, async (route) => {
    await held;
    await route.continue();
  });
  const page = await context.newPage();
  await page.goto(site.url);
  await page.locator('#picker').setInputFiles(join(work, 'notes.md'));
  await page.getByRole('button', { name: 'Paste text' }).first().click();
  await page.locator('#paste').fill('This was pasted early. It waited.');
  await page.getByRole('button', { name: 'Chunk it' }).click();
  await page.locator('.doc').nth(1).waitFor();
  assert.equal(await page.locator('#method:enabled').count(), 0, 'the engine is not there yet');
  release();
  await row(page, 'notes.md');
  await row(page, 'Pasted text 1');
  await context.close();
});
