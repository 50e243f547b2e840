// A kept document in several tabs: one makes the changes, the others follow, and nothing
// shown as saved is lost when another takes over. SEAM_LONG=1 does more.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { contextOf, dropMade, LONG, row, saved as shownAsSaved, start, until } from './harness.mjs';
import { chance, seed } from './profile.mjs';
import { text } from './proxy-page.mjs';

const STEPS = LONG ? 1000 : 15;

let site;
before(async () => { site = await start(); });
after(() => site?.close());

const NAME = 'notes.md';
const PARTS = [Array.from({ length: 8 }, (_, i) => `## Part ${i + 1}\n\n${text(77 + i, 12)}`).join('\n\n')];

const saved = (page, name = NAME) => shownAsSaved(page, name);
const following = (page) => page.locator('.following');
const cards = (page) => page.locator('#panel-chunks .cards .card').allTextContents();
const select = (page, name = NAME) => page.locator('.doc', { hasText: name }).locator('.select').click();
const lead = (page) => following(page).getByRole('button', { name: 'Change it here' }).click();
const manage = (page) => page.getByRole('button', { name: 'Manage…' }).click();

/** Returns the displayed number of changes by hand. */
async function changes(page) {
  const line = page.locator('.by-hand');
  return await line.isVisible() ? Number(/^\d+/.exec(await line.innerText())?.[0] ?? 0) : 0;
}

/** Waits until both tabs have the same chunks after `n` changes by hand. */
const same = (one, other, n) => until(async () => await changes(one) === n && await changes(other) === n && JSON.stringify(await cards(one)) === JSON.stringify(await cards(other)));

async function merge(page, at) {
  await page.locator('#panel-chunks .cards li').nth(at).hover();
  await page.getByRole('button', { name: 'Merge with next' }).click();
}

const undo = (page) => page.locator('.by-hand').getByRole('button', { name: 'Undo' }).click();

/** Creates a context; `tab` opens a page in it, and `check` fails after any console output. */
async function tabs() {
  const context = await contextOf(site.browser, { viewport: { width: 1400, height: 860 } });
  const trouble = [];
  context.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) trouble.push(message.text());
  });
  context.on('weberror', (error) => trouble.push(error.error().stack));
  return {
    async tab() {
      const page = await context.newPage();
      await page.goto(site.url);
      await page.locator('#method:enabled').waitFor({ state: 'attached' });
      return page;
    },
    check: () => assert.deepEqual(trouble, []),
    close: () => context.close(),
  };
}

/** Opens two tabs with the same document, saved by the first. */
async function two() {
  const all = await tabs();
  const first = await all.tab();
  await dropMade(first, { name: NAME, parts: PARTS });
  await row(first, NAME);
  await saved(first);
  const second = await all.tab();
  await row(second, NAME);
  await following(second).waitFor();
  return { ...all, first, second };
}

test('the second tab follows the first, refuses changes in words, and has them when the first is closed', async () => {
  const { first, second, check, close } = await two();
  assert.match(await following(second).innerText(), /open in another tab, which makes its changes/);
  await merge(first, 0);
  await same(first, second, 1);
  await merge(first, 2);
  await same(first, second, 2);
  await undo(first);
  await same(first, second, 1);
  await merge(second, 3);
  await second.getByRole('alert').filter({ hasText: 'another tab' }).waitFor();
  assert.equal(await changes(second), 1);
  await saved(first);
  await first.close();
  await following(second).waitFor({ state: 'hidden' });
  await merge(second, 3);
  await second.locator('.by-hand').getByText(/^2\schanges by hand/).waitFor();
  await saved(second);
  check();
  await close();
});

test('"Change it here" takes over, and the first follows from then on', async () => {
  const { first, second, check, close } = await two();
  await merge(first, 1);
  await same(first, second, 1);
  await saved(first);
  await lead(second);
  await following(second).waitFor({ state: 'hidden' });
  await following(first).waitFor();
  await merge(second, 3);
  await same(first, second, 2);
  await lead(first);
  await following(second).waitFor();
  await undo(first);
  await same(first, second, 1);
  check();
  await close();
});

test('what a tab has told nobody before it was closed is told by the one that has the changes next', async () => {
  const { tab, first, second, check, close } = await two();
  const third = await tab();
  await row(third, NAME);
  await following(third).waitFor();
  await first.evaluate(() => { BroadcastChannel.prototype.postMessage = () => {}; });
  await merge(first, 0);
  await saved(first);
  await first.close();
  await same(second, third, 1);
  await following(second).waitFor({ state: 'hidden' });
  check();
  await close();
});

test('what comes, is renamed, removed, brought back or deleted in one tab is so in the other', async () => {
  const { first, second, check, close } = await two();
  await dropMade(first, { name: 'more.md', parts: ['Another one. It has three sentences. This is the last.'] });
  await saved(first, 'more.md');
  await row(second, 'more.md', 'kept');
  await manage(second);
  await second.getByLabel('Name of more.md').fill('Second.md');
  await second.getByLabel('Name of more.md').press('Tab');
  await second.getByRole('button', { name: 'Close' }).click();
  await row(first, 'Second.md');
  await second.getByRole('button', { name: 'Remove Second.md' }).click();
  await first.locator('.doc', { hasText: 'Second.md' }).waitFor({ state: 'detached' });
  await second.getByRole('button', { name: 'Undo', exact: true }).click();
  await row(first, 'Second.md', 'kept');
  await row(second, 'Second.md');
  assert.equal(await following(second).isVisible(), false, 'who brings it back makes its changes');
  await first.getByRole('button', { name: 'Remove Second.md' }).click();
  await second.locator('.doc', { hasText: 'Second.md' }).waitFor({ state: 'detached' });
  await select(second);
  await manage(first);
  await first.getByRole('button', { name: 'Delete all…' }).click();
  await first.getByRole('button', { name: 'Delete all', exact: true }).click();
  // Open documents stay open but are not kept.
  for (const page of [first, second]) {
    await page.locator('.doc .kept[data-state=""]').waitFor({ state: 'attached' });
    assert.equal(await page.locator('.doc').count(), 1);
    await page.locator('.kept-line').getByText('Documents are kept in this browser.').waitFor();
  }
  await following(second).waitFor({ state: 'hidden' });
  await first.close();
  await second.reload();
  // The tab keeps the next document, which is its only one.
  await dropMade(second, { name: NAME, parts: PARTS });
  await saved(second);
  assert.equal(await second.locator('.doc').count(), 1);
  check();
  await close();
});

test(`${STEPS} steps in several tabs: all show the same in the end, and what was saved`, async () => {
  const random = chance(seed());
  const { tab, first, second, check, close } = await two();
  const open = [first, second];
  let least = 0; // possible numbers of changes by hand
  let most = 0;
  const any = () => open[Math.floor(random() * open.length)];
  const leader = async () => {
    for (const page of open) {
      await row(page, NAME); // a newly loaded tab shows neither its changes nor its leader
      if (!await following(page).isVisible()) return page;
    }
    return null;
  };
  const settled = async () => {
    for (const page of open) await row(page, NAME);
    await until(async () => (await Promise.all(open.map((page) => following(page).isVisible()))).filter((each) => !each).length === 1);
    const one = await leader();
    await saved(one);
    await until(async () => {
      const seen = await Promise.all(open.map(async (page) => JSON.stringify([await changes(page), await cards(page)])));
      return seen.every((each) => each === seen[0]);
    });
    const n = await changes(one);
    assert.ok(n >= least && n <= most, `${n} changes by hand, not ${least} to ${most}`);
    least = most = n;
  };
  const done = [];
  const steps = {
    async merge() {
      const page = await leader();
      if (!page || most >= 4) return;
      most++;
      const before = await changes(page);
      await merge(page, 0);
      // The merge follows the work in progress; until then nothing announces it.
      await until(async () => await changes(page) !== before || await following(page).isVisible());
    },
    async undo() {
      const page = await leader();
      if (!page || least === 0) return;
      least--;
      const before = await changes(page);
      await undo(page);
      await until(async () => await changes(page) !== before || await following(page).isVisible());
    },
    async lead() {
      // The button disappears if the other tab releases the document, possibly now. It is
      // pressed if it exists, even if hidden.
      await following(any()).getByRole('button', { name: 'Change it here', includeHidden: true }).evaluateAll(([button]) => button?.click());
    },
    async close() {
      if (open.length < 2) return;
      const page = any();
      open.splice(open.indexOf(page), 1);
      await page.close();
    },
    async open() {
      if (open.length < 3) open.push(await tab());
    },
    async reload() {
      await any().reload();
    },
  };
  try {
    for (let i = 0; i < STEPS; i++) {
      const names = ['merge', 'merge', 'undo', ...Object.keys(steps)];
      const name = names[Math.floor(random() * names.length)];
      done.push(name);
      await steps[name]();
      if (random() < 0.5) {
        done.push('settled');
        await settled();
      }
    }
    await settled();
    for (const page of open) await page.reload();
    await settled();
  } catch (cause) {
    console.log(done.join(' '));
    throw cause;
  }
  check();
  await close();
});
