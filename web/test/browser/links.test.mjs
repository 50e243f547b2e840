// The links of a document in its text: marked, offered where they are pressed, opened in a new
// tab, listed at the card of their chunk.

import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { after, before, test } from 'node:test';
import { dropMade, open, row, start, until } from './harness.mjs';
import { accessible, picture } from './looks.mjs';
import { staticHost } from './static-host.mjs';

let site;
/** Another host, which records the requests with the page they came from. */
let other;
const asked = [];
before(async () => {
  site = await start();
  other = createServer((request, answer) => {
    if (request.url !== '/favicon.ico') asked.push(`${request.url} ${request.headers.referer ?? 'no referrer'}`);
    answer.setHeader('content-type', 'text/html');
    answer.end('<title>there</title>');
  });
  await new Promise((done) => other.listen(0, '127.0.0.1', done));
  host = `127.0.0.1:${other.address().port}`;
});
after(() => {
  other?.close();
  return site?.close();
});
let host = '';

const source = () => `# Mills

😀 The [mill](http://${host}/a?b=1) turns. See [its
weir][weir] and http://${host}/bare.

Not [a program](javascript:document.title='alive'), [a file](file:///etc/passwd), [data](data:text/html,x) or [part](other.md).

Go to the [stones](#the-stones), or write to <a@b.example>.

## The stones

They grind. ![A red kite](kite.png)

[weir]: http://${host}/weir
`;

/**
 * Opens the page with the document. On a host without a policy, Chromium opens links; under
 * the policy of seam serve it refuses to leave for another host.
 */
async function opened(t, { plain = false, ...options } = {}) {
  const tab = await open(plain ? { ...site, url: (await staticHost(t)).url } : site, options);
  t.after(() => tab.page.context().close());
  await dropMade(tab.page, { name: 'mills.md', parts: [source()] });
  await row(tab.page, 'mills.md');
  await tab.page.locator('#text .md-link').first().waitFor();
  return { ...tab, context: tab.page.context() };
}

test('links are marked, and only those to the web and to mail have an address', async (t) => {
  const { page, check } = await opened(t);
  const links = await page.locator('#text .md-link').evaluateAll((all) => all.map((each) => `${each.textContent} = ${each.title}`));
  assert.deepEqual(links, [
    `mill = http://${host}/a?b=1`, `its = http://${host}/weir`, `weir = http://${host}/weir`, `http://${host}/bare = http://${host}/bare`,
    'a program = ', 'a file = ', 'data = ', 'part = ', 'stones = ', 'a@b.example = mailto:a@b.example',
  ]);
  assert.equal(await page.locator('#text a').count(), 0, 'no markup comes from the file');
  assert.deepEqual(await page.locator('#text .md-image').allTextContents(), ['![', 'A red kite', '](kite.png)']);
  await accessible(page, 'with links');
  await picture(page, 'links');
  check();
});

test('a press in a link offers it beside the cut, and leaves the page where it is', async (t) => {
  const { page, context } = await opened(t, { plain: true });
  asked.length = 0;
  await page.locator('#text .md-link', { hasText: 'mill' }).first().click();
  const offer = page.locator('.split-here a');
  assert.equal(await offer.textContent(), `Open ${host} in a new tab`);
  assert.equal(await offer.getAttribute('title'), `http://${host}/a?b=1`);
  await page.locator('.cards [aria-current]').first().waitFor(); // the chunk is chosen, as by any press
  assert.deepEqual(asked, []);
  await picture(page, 'links-offer');
  const [tab] = await Promise.all([context.waitForEvent('page'), offer.click()]);
  await tab.waitForURL(`http://${host}/a?b=1`);
  assert.equal(await tab.evaluate(() => String(opener)), 'null');
  assert.deepEqual(asked, ['/a?b=1 no referrer']);
  assert.equal(await page.title() === 'alive', false);
  await page.locator('#text .md-link', { hasText: 'a program' }).click();
  await page.getByRole('button', { name: 'Split here' }).waitFor();
  assert.equal(await page.locator('.split-here .follow').count(), 0);
  await page.locator('#text .md-link', { hasText: 'stones' }).click();
  await page.locator('.split-here').getByRole('button', { name: 'Go to ## The stones' }).or(page.locator('.split-here').getByRole('button', { name: 'Go to The stones' })).click();
  await page.locator('.split-here').waitFor({ state: 'hidden' });
});

test('Ctrl and a press opens a link at once; text in a link can be selected', async (t) => {
  const { page, context } = await opened(t, { plain: true });
  const link = page.locator('#text .md-link', { hasText: '/bare' });
  const [tab] = await Promise.all([context.waitForEvent('page'), link.click({ modifiers: ['ControlOrMeta'] })]);
  await tab.waitForURL(`http://${host}/bare`);
  await tab.close();
  const box = await link.boundingBox();
  await page.mouse.move(box.x + 3, box.y + box.height / 2);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width - 3, box.y + box.height / 2, { steps: 4 });
  await page.mouse.up();
  await until(async () => (await page.evaluate(() => String(getSelection()))).includes('/bar'));
});

test('the keyboard follows the links of a chunk from its card', async (t) => {
  const { page, context } = await opened(t, { plain: true });
  const card = page.locator('.cards .card').first();
  await card.focus();
  const button = page.locator('.tools').getByRole('button', { name: /^5 links$/ });
  await button.waitFor();
  while (!(await button.evaluate((each) => each === document.activeElement))) await page.keyboard.press('ArrowRight');
  await page.keyboard.press('Enter');
  const list = page.getByRole('dialog', { name: 'Links of chunk 1' });
  await list.waitFor();
  assert.deepEqual(await list.locator('[role=listitem]').allTextContents(), [
    `millOpen ${host} in a new tabCopy address`, `its weirOpen ${host} in a new tabCopy address`, `http://${host}/bareOpen ${host} in a new tabCopy address`,
    'stonesGo to The stones', 'a@b.exampleOpen a@b.example in a new tabCopy address',
  ]);
  await accessible(page, 'with the links of a chunk');
  await picture(page, 'links-list');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowDown');
  const [tab] = await Promise.all([context.waitForEvent('page'), page.keyboard.press('Enter')]);
  await tab.waitForURL(`http://${host}/weir`);
});

test('where the policy keeps the browser from leaving, only the address is offered', async (t) => {
  const { page, context } = await opened(t);
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.locator('#text .md-link', { hasText: 'mill' }).first().click();
  const copy = page.locator('.split-here').getByRole('button', { name: `Copy the address of ${host}` });
  await copy.waitFor();
  assert.equal(await page.locator('.split-here a').count(), 0);
  assert.match(await copy.getAttribute('title'), /The policy of this page keeps the browser from opening it/);
  await copy.click();
  await page.locator('.split-here').getByText('Copied').waitFor();
  assert.equal(await page.evaluate(() => navigator.clipboard.readText()), `http://${host}/a?b=1`);
  // The sentence is true: a tab for the address does not reach its host.
  asked.length = 0;
  const [tab] = await Promise.all([context.waitForEvent('page'), page.evaluate((url) => void open(url, '_blank', 'noopener'), `http://${host}/weir`)]);
  await tab.waitForLoadState();
  assert.deepEqual([tab.url(), asked.length], ['chrome-error://chromewebdata/', 0]);
});

test('the sealed page cannot open a tab: it copies the address', async (t) => {
  const tab = await open({ ...site, url: `${site.url}sealed/` });
  t.after(() => tab.page.context().close());
  await tab.page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await dropMade(tab.page, { name: 'mills.md', parts: [source()] });
  await row(tab.page, 'mills.md');
  await tab.page.locator('#text .md-link', { hasText: 'mill' }).first().click();
  assert.equal(await tab.page.locator('#text a').count(), 0);
  await tab.page.getByRole('button', { name: `Copy the address of ${host}` }).click();
  assert.equal(await tab.page.evaluate(() => navigator.clipboard.readText()), `http://${host}/a?b=1`);
});

for (const [name, options] of [['in the dark', { colorScheme: 'dark' }], ['on a phone', { viewport: { width: 360, height: 740 } }]]) {
  test(`the offer of a link ${name}`, async (t) => {
    const { page } = await opened(t, options);
    await page.locator('#text .md-link', { hasText: '/bare' }).click();
    const { x, y, width } = await page.locator('.split-here').boundingBox();
    assert.ok(x >= 0 && x + width <= page.viewportSize().width, `${x} and ${width}`);
    assert.ok(y >= (await page.locator('#text').boundingBox()).y, `${y}`);
    await accessible(page, `the offer of a link ${name}`);
    await picture(page, `links-${name.replaceAll(' ', '-')}`);
  });
}
