// The pages of a PDF: drawn by pdf.js, marked by the engine's boxes.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { join } from 'node:path';
import { aiInformation, downloaded, drop, highlighted, makeFixtures, onScreen, open, row, slide, start, unlock, until, work } from './harness.mjs';
import { accessible } from './looks.mjs';
import { bound, keptAll, staticHost, visit } from './static-host.mjs';

let site;
before(async () => {
  makeFixtures();
  site = await start();
});
after(() => site?.close());

const SIZE = { viewport: { width: 1440, height: 900 }, reducedMotion: 'reduce' };

async function tab(t, options = SIZE) {
  const opened = await open(site, options);
  t.after(opened.close);
  return opened;
}

/** Opens a file and shows it by one of the buttons above the text. */
async function show(page, path, choice = 'Page') {
  await drop(page, path);
  await row(page, path.split('/').pop());
  await choose(page, choice);
}

const choose = (page, choice) => page.getByRole('group', { name: 'Text or page' }).getByRole('button', { name: choice, exact: true }).click();

/** Waits for a page of the document, counted from 1, to be drawn and visible. */
async function sheet(page, number) {
  const found = page.locator('.sheet').nth(number - 1);
  await found.scrollIntoViewIfNeeded();
  await page.locator(`.sheet[data-state=drawn] >> nth=0`).waitFor();
  await until(async () => await found.getAttribute('data-state') === 'drawn');
  return found;
}

/** Returns the share of dark pixels in rectangles, given as shares of the page. */
function ink(found, rectangles) {
  return found.evaluate((element, list) => {
    const canvas = element.querySelector('canvas');
    const context = canvas.getContext('2d');
    return list.map(({ x, y, width, height }) => {
      const [w, h] = [Math.max(1, Math.round(width * canvas.width)), Math.max(1, Math.round(height * canvas.height))];
      const { data } = context.getImageData(Math.round(x * canvas.width), Math.round(y * canvas.height), w, h);
      let dark = 0;
      for (let i = 0; i < data.length; i += 4) if (data[i] + data[i + 1] + data[i + 2] < 384) dark++;
      return dark / (w * h);
    });
  }, rectangles);
}

/** Returns the marks of a kind on a page, as shares of it. */
function marks(found, kind) {
  return found.locator(`.marks .${kind}`).evaluateAll((all) => all.map((mark) => {
    const [box, paper] = [mark.getBoundingClientRect(), mark.closest('.paper').getBoundingClientRect()];
    return { x: (box.x - paper.x) / paper.width, y: (box.y - paper.y) / paper.height, width: box.width / paper.width, height: box.height / paper.height };
  }));
}

/** Rotates a rectangle with its page; all numbers are shares of the page. */
function turn({ x, y, width, height }, degrees) {
  if (degrees === 90) return { x: 1 - y - height, y: x, width: height, height: width };
  if (degrees === 180) return { x: 1 - x - width, y: 1 - y - height, width, height };
  if (degrees === 270) return { x: y, y: 1 - x - width, width: height, height: width };
  return { x, y, width, height };
}

async function scan(page, state) {
  await accessible(page, state);
}

test('nothing of pdf.js is asked for before a page is to be seen, and nothing but files of the page then', async (t) => {
  const { page, check } = await tab(t);
  const asked = [];
  page.context().on('request', (request) => { if (/\/(page|drawer|liberation\w+|foxit\w+|cmaps|jbig2|openjpeg)-\w+\./.test(request.url())) asked.push(new URL(request.url()).pathname.replace(/-\w+\./, '.')); });
  await drop(page, join(work, 'article.pdf'), join(work, 'notes.md'));
  await row(page, 'article.pdf');
  await row(page, 'notes.md');
  assert.deepEqual(asked, []);
  await choose(page, 'Text and page');
  await sheet(page, 1);
  assert.deepEqual([...new Set(asked)].sort(), ['/drawer.js', '/liberationsansbold.packed', '/liberationsansregular.packed', '/page.js']);
  const [share] = await ink(page.locator('.sheet').first(), [{ x: 0, y: 0, width: 1, height: 1 }]);
  assert.ok(share > 0.005 && share < 0.2, `${share} of the page is dark`);
  assert.ok(await page.locator('#text').isVisible(), 'the text is beside the page');
  await page.locator('.doc .select', { hasText: 'notes.md' }).click();
  await page.locator('.page-switch').waitFor({ state: 'hidden' });
  assert.ok(!await page.locator('.pages').isVisible(), 'what is no PDF has no pages');
  assert.ok(await page.locator('#text').isVisible());
  check();
});

test('a press selects its sentence, whose marks lie over its words, however the page lies', async (t) => {
  const { page, check } = await tab(t);
  await show(page, join(work, 'turned.pdf'));
  const ways = [0, 90, 180, 270, 0];
  const second = ['A lighthouse stands on a rock.', 'Hard wood takes a better polish.', 'Knights jump over other pieces.', 'Varnish protects the spruce.', 'Harbours print their own tables.'];
  for (const [i, degrees] of ways.entries()) {
    const found = await sheet(page, i + 1);
    // The second line: 40 points from the left edge of the visible part, its baseline 140
    // below the top.
    const at = turn({ x: 60 / 510, y: 136 / 710, width: 0, height: 0 }, degrees);
    const paper = found.locator('.paper');
    const { width, height } = await paper.boundingBox();
    await paper.click({ position: { x: at.x * width, y: at.y * height } });
    await until(async () => (await highlighted(page, 'seam-passage'))[0] === second[i]);
    const [mark, ...more] = await marks(found, 'passage');
    assert.deepEqual(more, [], `one line on page ${i + 1}`);
    assert.equal(await page.locator('.marks .passage').count(), 1, 'on this page alone');
    const back = turn(mark, (360 - degrees) % 360);
    assert.ok(Math.abs(back.x - 38.5 / 510) < 0.01 && Math.abs(back.y - 123.5 / 710) < 0.01 && back.height < 25 / 710, `${JSON.stringify(back)} on page ${i + 1}`);
    const part = (x, wide) => turn({ ...back, x: back.x + x * back.width, width: wide * back.width }, degrees);
    const strip = (y, high) => turn({ ...back, y: back.y + y * back.height, height: high * back.height }, degrees);
    const [inside, first, last, before, behind, above, below] = await ink(found, [mark, part(0, 0.1), part(0.9, 0.1), part(-0.1, 0.1), part(1, 0.1), strip(-0.5, 0.5), strip(1, 0.5)]);
    assert.ok(inside > 0.08 && first > 0.02 && last > 0.02, `words below the mark of page ${i + 1}: ${[inside, first, last]}`);
    assert.deepEqual([before, behind, above, below], [0, 0, 0, 0], `and none beside it on page ${i + 1}`);
    const chunk = await marks(found, 'chunk');
    assert.ok(chunk.length >= 3, 'the lines of its chunk are marked, too');
    assert.ok((await ink(found, chunk)).every((share) => share > 0.08));
    assert.equal((await marks(found, 'now')).length, 1, 'with a bar beside them');
  }
  check();
});

test('a text in its other order is marked at its own places', async (t) => {
  const { page, check } = await tab(t);
  await show(page, join(work, 'article.pdf'), 'Text and page');
  await sheet(page, 1);
  await page.getByLabel('Order of the text').selectOption('content');
  await until(async () => (await downloaded(page)).view === 'content');
  await page.locator('#panel-chunks .card').first().click();
  await page.locator('.marks .now').first().waitFor();
  const { chunks } = await downloaded(page);
  const found = page.locator('.sheet', { has: page.locator('.marks .now') }).first();
  await until(async () => await found.getAttribute('data-state') === 'drawn');
  assert.equal(await page.locator('.sheet').evaluateAll((all) => all.findIndex((each) => each.querySelector('.now'))), chunks[0].page - 1);
  assert.ok((await ink(found, await marks(found, 'chunk'))).every((share) => share > 0.02), 'the marks are over words');
  check();
});

test('a hit and a chunk bring their page into view, with their marks', async (t) => {
  const { page, check } = await tab(t);
  await show(page, aiInformation ?? join(work, 'article.pdf'), 'Text and page');
  await sheet(page, 1);
  const cards = page.locator('#panel-chunks .card');
  await cards.last().click();
  const bar = page.locator('.marks .now').first();
  await bar.waitFor();
  const inView = () => bar.evaluate((mark) => {
    const [box, view] = [mark.getBoundingClientRect(), mark.closest('.pages').getBoundingClientRect()];
    return box.top >= view.top && box.top < view.bottom;
  });
  await until(inView);
  const last = page.locator('.sheet', { has: page.locator('.marks .now') }).first();
  await until(async () => await last.getAttribute('data-state') === 'drawn');
  assert.ok((await ink(last, await marks(last, 'chunk'))).every((share) => share > 0.02), 'every mark of the chunk is over words');
  await page.locator('#search').fill(aiInformation ? 'reinforcement learning' : 'moon');
  await page.keyboard.press('Enter');
  await page.locator('.hits button').first().click();
  await page.locator('.marks .word').first().waitFor();
  await until(() => page.locator('.marks .passage').first().evaluate((mark) => {
    const [box, view] = [mark.getBoundingClientRect(), mark.closest('.pages').getBoundingClientRect()];
    return box.top >= view.top && box.bottom < view.bottom;
  }));
  // A place of the curve by keyboard: the last gap is on the last page.
  await page.locator('.curve .walk').focus();
  await page.keyboard.press('End');
  await page.keyboard.press('Enter');
  await page.locator('.sheet').last().locator('.marks .passage').first().waitFor();
  check();
});

test('on a phone a hit leads to its page, and what was found is on the screen', async (t) => {
  const { page, check } = await tab(t, { viewport: { width: 360, height: 740 }, reducedMotion: 'reduce' });
  await show(page, join(work, 'article.pdf'));
  await sheet(page, 1);
  await page.locator('#search').fill('endgames');
  await page.keyboard.press('Enter');
  await page.locator('.hits button').first().click();
  const word = page.locator('.marks .word').first();
  await word.waitFor();
  await until(() => word.evaluate((mark) => {
    const { top, bottom } = mark.getBoundingClientRect();
    return top > 0 && bottom < innerHeight;
  }));
  check();
});

test('marks follow the line while it moves', async (t) => {
  const { page, check } = await tab(t);
  await show(page, join(work, 'article.pdf'));
  const first = await sheet(page, 1);
  const bars = () => first.locator('.marks .bar').count();
  const before = await bars();
  const finest = await page.locator('#setting').getAttribute('min');
  await slide(page, '#setting', finest);
  await until(async () => await bars() !== before);
  check();
});

test('of four hundred pages few are in memory, and all have their room', async (t) => {
  const { page, check } = await tab(t);
  await show(page, join(work, 'large.pdf'));
  await sheet(page, 1);
  const pages = await page.locator('.sheet').count();
  assert.ok(pages > 300, `${pages} pages`);
  const pane = page.locator('.pages');
  const whole = await pane.evaluate((element) => element.scrollHeight);
  let most = 0;
  for (let at = 0; at < pages; at += 9) {
    await pane.evaluate((element, y) => { element.scrollTop = y; }, (whole * at) / pages);
    await until(() => pane.evaluate((element) => {
      const view = element.getBoundingClientRect();
      return [...element.querySelectorAll('.sheet')].filter((each) => {
        const { top, bottom } = each.getBoundingClientRect();
        return top < view.bottom && bottom > view.top;
      }).every((each) => each.dataset.state === 'drawn');
    }));
    most = Math.max(most, await page.locator('.pages canvas').count());
  }
  console.log(`pages: ${pages} scrolled through, ${most} canvases at most`);
  assert.ok(most <= 8, `${most} canvases`);
  assert.equal(await pane.evaluate((element) => element.scrollHeight), whole, 'nothing has shifted');
  await choose(page, 'Text');
  assert.equal(await page.locator('.pages canvas').count(), 0, 'nothing is kept of what is not seen');
  check();
});

test('the password is not asked for twice in a visit, and for the pages alone in the next', async (t) => {
  const { page, check } = await tab(t);
  await drop(page, join(work, 'locked.pdf'));
  const give = async (password) => {
    await page.locator('#password').fill(password);
    await page.keyboard.press('Enter');
  };
  await unlock(page, 'locked.pdf', 'seam');
  await row(page, 'locked.pdf');
  await choose(page, 'Page');
  await sheet(page, 1);
  assert.equal(await page.locator('dialog[open]').count(), 0);
  await page.locator('.doc', { hasText: 'saved' }).waitFor();
  await page.reload();
  await onScreen(page, 'The file itself is not kept').waitFor();
  let drawers = 0;
  page.on('worker', (worker) => { if (worker.url().includes('/drawer-')) drawers++; });
  await drop(page, join(work, 'locked.pdf'));
  await page.locator('#password').waitFor();
  await page.keyboard.press('Escape');
  await onScreen(page, 'The pages are locked by a password').waitFor();
  // No event of the document may ask for the password again.
  await page.getByRole('button', { name: 'Manage…' }).click();
  await page.getByLabel('Name of locked.pdf').fill('sealed.pdf');
  await page.keyboard.press('Tab');
  await page.locator('.doc', { hasText: 'sealed.pdf' }).waitFor();
  await page.getByRole('button', { name: 'Close' }).click();
  await choose(page, 'Text');
  await choose(page, 'Page');
  await give('sesame');
  await page.locator('dialog').getByRole('alert').getByText(/./).waitFor();
  await give('seam');
  await sheet(page, 1);
  assert.equal(drawers, 2, 'one that was closed, one that draws');
  check();
});

test('pages that are closed while one of them is asked for come back', async (t) => {
  const { page, check } = await tab(t);
  await page.evaluate(() => {
    const { postMessage } = Worker.prototype;
    window.held = 0;
    window.hold = true;
    Worker.prototype.postMessage = function (message, ...more) {
      if (window.hold && message?.action === 'GetPage') window.held++;
      else postMessage.call(this, message, ...more);
    };
  });
  await show(page, join(work, 'article.pdf'));
  await page.waitForFunction(() => window.held > 0);
  await page.evaluate(() => { window.hold = false; });
  await choose(page, 'Text');
  await choose(page, 'Page');
  await sheet(page, 1);
  check();
});

test('a page that cannot be drawn says so, and the others are drawn', async (t) => {
  const { page, check } = await tab(t);
  await show(page, join(work, 'torn.pdf'));
  const found = await sheet(page, 1);
  await page.locator('.sheet[data-state=failed]').getByText('This page cannot be drawn because it is damaged.').waitFor();
  assert.equal(await page.locator('.sheet').count(), 2);
  const paper = found.locator('.paper');
  await paper.click({ position: { x: 100, y: (await paper.boundingBox()).height / 3 } });
  await until(async () => (await highlighted(page, 'seam-passage'))[0]?.startsWith('The first page is whole') ?? false);
  check();
});

test('a document of an earlier visit says that its file is needed, and takes it', async (t) => {
  const { page, check } = await tab(t);
  await show(page, join(work, 'article.pdf'));
  await sheet(page, 1);
  await page.locator('.doc', { hasText: 'saved' }).waitFor();
  await page.reload();
  await row(page, 'article.pdf');
  await onScreen(page, 'The file itself is not kept; drop it again to see its pages.').waitFor(); // the choice is remembered
  assert.equal(await page.locator('.sheet').count(), 0);
  await scan(page, 'not kept');
  await drop(page, join(work, 'article.pdf'));
  await sheet(page, 1);
  check();
});

test('without the host the pages are there, once they were seen', async (t) => {
  const host = await staticHost(t);
  const { page, check } = await visit(t, site.browser, host.url, { ...SIZE, ignore: /ERR_CONNECTION_REFUSED|error occurred when fetching the script|Failed to update a ServiceWorker/ });
  await bound(page);
  await show(page, join(work, 'article.pdf'));
  await sheet(page, 1);
  await page.locator('.doc', { hasText: 'saved' }).waitFor();
  await keptAll(page);
  await host.close();
  await page.reload();
  await bound(page);
  await drop(page, join(work, 'article.pdf'));
  const [share] = await ink(await sheet(page, 1), [{ x: 0, y: 0, width: 1, height: 1 }]);
  assert.ok(share > 0.005, `${share} of the page is dark`);
  check();
});

test('the sealed entry draws pages, too', async (t) => {
  const { page, check } = await visit(t, site.browser, `${site.url}sealed/`, { ...SIZE, ignore: /allow-scripts and allow-same-origin/ });
  await page.locator('#method:enabled').waitFor({ state: 'attached' });
  await show(page, join(work, 'japanese.pdf'));
  await sheet(page, 1);
  const [share] = await ink(page.locator('.sheet').first(), [{ x: 0.1, y: 0.1, width: 0.4, height: 0.1 }]);
  assert.ok(share > 0, 'characters that only a table tells');
  check();
});

test('text or page below 1200 pixels, and both beside one another from there on', async (t) => {
  const { page, check } = await tab(t, { ...SIZE, viewport: { width: 1300, height: 800 } });
  await show(page, join(work, 'article.pdf'), 'Text and page');
  await sheet(page, 1);
  const pane = page.locator('.pages');
  const wide = (await pane.boundingBox()).width;
  const canvas = () => page.locator('.sheet canvas').first().evaluate((each) => each.width / each.clientWidth);
  await page.setViewportSize({ width: 1100, height: 800 });
  await pane.waitFor({ state: 'hidden' });
  assert.ok(await page.locator('#text').isVisible());
  assert.ok(!await onScreen(page, 'Text and page', { exact: true }).isVisible());
  await choose(page, 'Page');
  await sheet(page, 1);
  assert.ok(!await page.locator('#text').isVisible());
  assert.notEqual((await pane.boundingBox()).width, wide);
  await until(async () => Math.abs(await canvas() - await page.evaluate(() => devicePixelRatio)) < 0.02);
  await page.setViewportSize({ width: 1000, height: 800 });
  await until(async () => Math.abs(await canvas() - await page.evaluate(() => devicePixelRatio)) < 0.02); // sharp again
  check();
});

test('the pages by keyboard, to a screen reader, in both themes and on a phone', async (t) => {
  for (const [name, options] of Object.entries({
    dark: { ...SIZE, colorScheme: 'dark' },
    '360 px': { viewport: { width: 360, height: 740 }, reducedMotion: 'reduce' },
  })) {
    const { page, check } = await tab(t, options);
    await show(page, join(work, 'turned.pdf'), name === '360 px' ? 'Page' : 'Text and page');
    await sheet(page, 1);
    await page.locator('.paper').first().click({ position: { x: 40, y: 40 } });
    await scan(page, name);
    const pane = page.getByRole('region', { name: 'Pages of turned.pdf' });
    await pane.getByRole('figure', { name: 'Page 3 of 5' }).waitFor();
    assert.equal(await page.locator('.sheet .number').nth(2).innerText(), '3 of 5');
    await pane.focus();
    const top = () => pane.evaluate((element) => element.scrollTop);
    const before = await top();
    await page.keyboard.press('End');
    await until(async () => await top() > before);
    assert.equal(await page.locator('.paper').first().evaluate((paper) => getComputedStyle(paper).filter), name === 'dark' ? 'brightness(0.8)' : 'none');
    if (name === '360 px') assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), 'nothing is wider than the screen');
    check();
  }
});
