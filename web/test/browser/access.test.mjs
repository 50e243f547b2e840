// Accessibility by axe in every state, and use of the page by keyboard alone.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { join } from 'node:path';
import { add, downloaded, drop, highlighted, makeFixtures, onScreen, open, openSheet, programs, restsInView, row, slide, start, unlock, work } from './harness.mjs';
import { accessible } from './looks.mjs';

let site;
before(async () => {
  makeFixtures();
  site = await start();
});
after(() => site?.close());

/** Visits every state of the page. */
async function scanAll(page, phone) {
  await accessible(page, 'empty');
  await add(page, 'Paste text');
  await accessible(page, 'paste');
  await page.keyboard.press('Escape');
  await drop(page, join(work, 'many.pdf'));
  await onScreen(page, /reading page [\d,]+ of 10,000/).first().waitFor();
  void programs(page)[1].evaluate(() => { while (performance.now()) { /* until it is ended: it would come to its end while axe looks */ } }).catch(() => undefined);
  await accessible(page, 'reading');
  await page.getByRole('button', { name: /^Stop reading/ }).click();
  await row(page, 'many.pdf', 'failed');
  await accessible(page, 'failed');
  await drop(page, join(work, 'article.pdf'), join(work, 'empty.txt'));
  await row(page, 'empty.txt', 'failed');
  await drop(page, join(work, 'article.pdf'));
  await page.locator('.notice').getByText('is open already').waitFor();
  await accessible(page, 'chunked, with a note');
  if (phone) {
    await page.getByRole('button', { name: 'Settings', exact: true }).click();
    await accessible(page, 'sheet');
    await page.keyboard.press('Escape');
    await page.locator('.to-sheet:focus').waitFor();
    await page.getByRole('tab', { name: 'Chunks' }).click();
    await accessible(page, 'chunks');
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), 'nothing is wider than the screen');
  }
  await page.getByRole('tab', { name: 'Compare' }).click();
  await page.locator('.difference').first().waitFor();
  await accessible(page, 'compared');
  await page.locator('#search').fill('curd');
  await page.keyboard.press('Enter');
  await page.locator('.hits button').first().waitFor();
  await accessible(page, 'hits');
  await page.locator('#search').fill('zyxwv');
  await page.keyboard.press('Enter');
  await onScreen(page, 'Nothing found').waitFor();
  await accessible(page, 'no hits');
  await page.locator('.seal').click();
  await accessible(page, 'requests');
  await page.keyboard.press('Escape');
  await page.locator('#tab-search').focus();
  await page.keyboard.press('?');
  await page.locator('dialog .keys').waitFor();
  await accessible(page, 'keys');
  await page.keyboard.press('Escape');
  await drop(page, join(work, 'locked.pdf'));
  if (phone) await openSheet(page);
  await unlock(page, 'locked.pdf', 'wrong');
  await onScreen(page, 'that password does not open it').first().waitFor();
  await accessible(page, 'password');
}

for (const [name, options] of Object.entries({ wide: {}, '360 px': { viewport: { width: 360, height: 740 } } })) {
  test(`axe finds nothing: ${name}`, async () => {
    const tab = await open(site, { ...options, reducedMotion: 'reduce' });
    await scanAll(tab.page, options.viewport !== undefined);
    tab.check();
    await tab.close();
  });
}

for (const [name, viewport] of Object.entries({ '320 px, as at 400 % zoom': { width: 320, height: 256 }, '820 px': { width: 820, height: 1000 }, '4k': { width: 3840, height: 2160 } })) {
  test(`nothing is cut off or stretched: ${name}`, async () => {
    const tab = await open(site, { viewport });
    const { page } = tab;
    const fits = async (state) => {
      const { page: wide, screen } = await page.evaluate(() => ({ page: document.documentElement.scrollWidth, screen: innerWidth }));
      assert.ok(wide <= screen, `${state}: ${wide} of ${screen} px`);
    };
    await fits('empty');
    await drop(page, join(work, 'article.pdf'), join(work, 'picture.pdf'));
    await row(page, 'picture.pdf', 'failed');
    await fits('chunked');
    const { text, curve, main } = await page.evaluate(() => {
      const probe = document.querySelector('.blocks').appendChild(document.createElement('div'));
      probe.style.inlineSize = '66ch';
      const most = probe.getBoundingClientRect().width;
      probe.remove();
      const width = (selector) => document.querySelector(selector).getBoundingClientRect().width;
      const block = getComputedStyle(document.querySelector('.block'));
      return {
        text: (document.querySelector('.block').clientWidth - parseFloat(block.paddingLeft) - parseFloat(block.paddingRight)) / most,
        curve: width('.plot canvas'), main: width('main') || innerWidth - width('aside'), // on a phone it is next to the document's line
      };
    });
    assert.ok(text <= 1.001, `the text is ${(66 * text).toFixed(1)} ch wide`);
    assert.ok(curve >= main - 110, `the curve takes ${curve} of ${main} px`); // the rest is its scale
    tab.check();
    await tab.close();
  });
}

/** Names the focused element. */
function focused(page) {
  return page.evaluate(() => {
    const { id, className, tagName, textContent } = document.activeElement;
    return id || className || `${tagName} ${textContent}`.trim();
  });
}

test('Tab goes through the page in the order in which it is read', async () => {
  const tab = await open(site);
  const { page } = tab;
  await drop(page, join(work, 'article.pdf'), join(work, 'notes.md'));
  await row(page, 'notes.md');
  await page.locator('.doc .select', { hasText: 'article.pdf' }).click();
  await page.locator('.skip').focus();
  const order = ['skip'];
  for (let i = 0; i < 60 && !order.includes('card'); i++) {
    await page.keyboard.press('Tab');
    order.push(await focused(page));
  }
  const wanted = ['skip', 'search', 'tab-chunks', 'small menu-button', 'seal', 'method', 'threshold', 'setting', 'min-tokens', 'max-tokens', 'embedder', 'link',
    'add-open', 'select', 'remove', 'link all', 'walk', 'text', 'save-open', 'card'];
  let at = 0;
  for (const step of order) if (step === wanted[at]) at++;
  assert.equal(at, wanted.length, `${wanted[at]} is missing or too early: ${order.join(' · ')}`);
  tab.check();
  await tab.close();
});

test('the focus is never lost: dialogs, stopping, removing, cutting again, following a hit', async () => {
  const tab = await open(site);
  const { page } = tab;
  const there = async (what) => {
    const [tag, visible] = await page.evaluate(() => [document.activeElement.tagName, document.activeElement.checkVisibility()]);
    assert.notEqual(tag, 'BODY', what);
    assert.ok(visible, what);
  };
  await page.locator('#method').selectOption('percentile');
  await page.locator('.empty').getByRole('button', { name: 'Paste text' }).focus();
  await page.keyboard.press('Enter');
  await page.keyboard.type('Pasted by keyboard. It is one text.');
  await tabTo(page, 'dialog .primary');
  await page.keyboard.press('Enter');
  await row(page, 'Pasted text 1');
  await there('after pasting from the empty page');

  await page.getByRole('button', { name: 'Menu' }).focus();
  await page.keyboard.press('Enter');
  await page.getByRole('menuitem', { name: 'Keys…' }).press('Enter');
  await page.locator('dialog .keys').waitFor();
  await page.keyboard.press('Escape');
  assert.equal(await focused(page), 'small menu-button', 'a closed dialog gives the focus back');

  await drop(page, join(work, 'many.pdf'), join(work, 'article.pdf'));
  const stop = page.getByRole('button', { name: 'Stop reading many.pdf' });
  await stop.focus();
  await page.keyboard.press('Enter');
  await row(page, 'many.pdf', 'failed');
  await there('after a Stop');
  await page.getByRole('button', { name: 'Try many.pdf again' }).focus();
  await row(page, 'article.pdf');
  await page.keyboard.press('Enter');
  await row(page, 'many.pdf', 'reading');
  await there('after trying again');
  await page.getByRole('button', { name: 'Remove many.pdf' }).focus();
  await page.keyboard.press('Enter');
  await page.waitForFunction(() => document.querySelectorAll('.doc').length === 2);
  await there('after removing one of several');

  await page.locator('.doc .select', { hasText: 'article.pdf' }).click();
  await slide(page, '#setting', 30);
  await page.waitForFunction(() => document.querySelectorAll('#panel-chunks .card').length > 8);
  await page.locator('#panel-chunks .card').last().focus();
  await slide(page, '#setting', 99);
  await page.waitForFunction(() => document.querySelectorAll('#panel-chunks .card').length < 8);
  await there('when the card that had it is gone');

  for (let left = 2; left > 0; left--) {
    await page.locator('.doc .remove').first().focus();
    await page.keyboard.press('Enter');
    await page.waitForFunction((n) => document.querySelectorAll('.doc').length === n, left - 1);
    await there('after removing');
  }
  tab.check();
  await tab.close();
});

test('? lists the keys, but not while something is typed', async () => {
  const tab = await open(site);
  const { page } = tab;
  await drop(page, join(work, 'notes.md'));
  await row(page, 'notes.md');
  await page.locator('#search').focus();
  await page.keyboard.type('why?');
  assert.equal(await page.locator('dialog').count(), 0);
  assert.equal(await page.locator('#search').inputValue(), 'why?');
  await page.locator('.seal').focus();
  await page.keyboard.press('?');
  await page.locator('dialog .keys').waitFor();
  await page.keyboard.press('?');
  assert.equal(await page.locator('dialog').count(), 1, 'once');
  await page.keyboard.press('Enter');
  await page.locator('dialog').waitFor({ state: 'detached' }); // it disappears with its close event
  tab.check();
  await tab.close();
});

/** Presses Tab until the element has the focus. */
async function tabTo(page, selector) {
  for (let presses = 0; presses < 400; presses++) {
    await page.keyboard.press('Tab');
    const there = await page.evaluate((wanted) => document.activeElement?.matches(wanted), selector);
    if (there) return;
  }
  assert.fail(`Tab never reaches ${selector}`);
}

test('by keyboard alone: sample, threshold, curve, search, hit, text, remove', async () => {
  const tab = await open(site);
  const { page } = tab;
  await tabTo(page, '.empty .actions button:last-child');
  await page.keyboard.press('Enter');
  await row(page, 'Sample');
  const cards = () => page.locator('#panel-chunks .cards li').count();
  const first = await cards();

  await page.locator('body').focus();
  await tabTo(page, '#threshold');
  for (let i = 0; i < 6; i++) await page.keyboard.press('PageDown');
  await page.waitForFunction((n) => document.querySelectorAll('#panel-chunks .cards li').length > n, first);

  await tabTo(page, '.walk');
  await page.keyboard.press('ArrowRight');
  assert.match(await page.locator('.walk').getAttribute('aria-valuetext'), /^sentence 2→3: /);
  assert.ok(await page.locator('.tip').isVisible());
  await page.keyboard.press('Enter');
  await page.waitForFunction(() => CSS.highlights.get('seam-passage').size === 1);

  await page.keyboard.press('Control+k');
  await page.keyboard.type('why bread rises');
  await page.keyboard.press('Enter');
  await onScreen(page, 'for “why bread rises”').first().waitFor(); // intermediate results are replaced
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await page.waitForFunction(() => CSS.highlights.get('seam-word').size > 0);
  await restsInView(page, 'seam-passage');
  assert.ok((await highlighted(page, 'seam-passage'))[0].length > 0);
  await page.keyboard.press('Escape');
  assert.equal(await page.locator('#search').inputValue(), '');
  assert.equal(await page.locator('.hits li').count(), 0);

  await tabTo(page, '[role=tab][aria-selected=true]');
  await page.keyboard.press('ArrowLeft');
  assert.equal(await page.evaluate(() => document.activeElement.id), 'tab-chunks');

  await page.locator('body').focus();
  await tabTo(page, '.doc .remove');
  await page.keyboard.press('Enter');
  await page.locator('.empty').waitFor();
  assert.notEqual(await page.evaluate(() => document.activeElement.tagName), 'BODY', 'the focus is not lost');
  tab.check();
  await tab.close();
});

test('on a phone, a hit leads from the list to the text', async () => {
  const tab = await open(site, { viewport: { width: 360, height: 740 } });
  const { page } = tab;
  await drop(page, join(work, 'article.pdf'));
  await row(page, 'article.pdf');
  await page.locator('#search').fill('rooks and pawns in chess');
  await page.keyboard.press('Enter');
  await page.locator('.hits button').first().click();
  await page.waitForFunction(() => CSS.highlights.get('seam-word').size > 0);
  await restsInView(page, 'seam-word', { whole: true });
  assert.equal(await page.evaluate(() => document.activeElement.id), 'text', 'the focus goes with the person');
  assert.equal(await page.getByRole('tab', { name: 'Text' }).getAttribute('aria-selected'), 'true');
  assert.ok((await highlighted(page, 'seam-passage'))[0].includes('pawn'));
  tab.check();
  await tab.close();
});

test('said once and politely: the number of chunks, not every step of the slider', async () => {
  const tab = await open(site);
  const { page } = tab;
  await page.evaluate(() => {
    window.said = [];
    const region = document.querySelector('[role=status]');
    new MutationObserver(() => window.said.push(region.textContent)).observe(region, { childList: true, characterData: true, subtree: true });
  });
  await drop(page, join(work, 'article.pdf'));
  await row(page, 'article.pdf');
  // All steps in one task, because between keys on a busy machine the line would come to
  // rest.
  await page.locator('#threshold').evaluate((input) => {
    for (let i = 0; i < 10; i++) {
      input.stepDown();
      input.dispatchEvent(new Event('input', { bubbles: true }));
    }
  });
  const count = await downloaded(page).then(({ chunks }) => chunks.length);
  await page.waitForFunction((n) => document.querySelector('[role=status]').textContent.startsWith(`${n}\u00a0chunk`), count);
  const said = await page.evaluate(() => window.said);
  assert.ok(said.length >= 1 && said.length <= 2, said.join(' | '));
  assert.match(said.at(-1), /\d+\u00a0chunks?/);

  await page.evaluate(() => { window.said.length = 0; });
  await drop(page, ...['picture.pdf', 'empty.pdf', 'nuls.txt', 'drawing.png'].map((name) => join(work, name)));
  await row(page, 'drawing.png', 'failed');
  await page.locator('[role=status]').getByText(/4\sfiles could not be read/).waitFor();
  const failures = await page.evaluate(() => window.said);
  assert.ok(failures.length <= 2, failures.join(' | '));
  assert.match(failures.at(-1), /4\u00a0files could not be read/);
  tab.check();
  await tab.close();
});
