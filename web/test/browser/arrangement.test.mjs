// The layout: most of a phone's screen is text, settings stay in reach, documents are
// removed and restored together, and text, list and curve follow each other.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { add, downloaded, drop, dropMade, LONG, makeFixtures, onScreen, open, openSheet, row, saveAs, saved, start, until, work } from './harness.mjs';
import { text } from './proxy-page.mjs';

let site;
before(async () => {
  makeFixtures();
  site = await start();
});
after(() => site?.close());

function onPage(name, body, options) {
  test(name, async () => {
    const tab = await open(site, options);
    await body(tab.page);
    tab.check();
    await tab.close();
  });
}

/** More documents than a list shows at once. */
const MANY = LONG ? 100 : 30;

/** Returns an element's share of the window. */
const share = (page, selector) => page.locator(selector).evaluate((element) => {
  const { top, bottom, left, right } = element.getBoundingClientRect();
  const seen = (Math.min(bottom, innerHeight) - Math.max(top, 0)) * (Math.min(right, innerWidth) - Math.max(left, 0));
  return seen / (innerWidth * innerHeight);
});

for (const [name, viewport] of Object.entries({ phone: { width: 360, height: 740 }, '1440 × 900 at 200 %': { width: 720, height: 450 } })) {
  onPage(`most of the first screen is text: ${name}`, async (page) => {
    await drop(page, join(work, 'article.pdf'));
    await row(page, 'article.pdf');
    const text = await share(page, '#text');
    console.log(`${name}: ${(100 * text).toFixed(0)} % are text`);
    assert.ok(text >= 0.7);
    assert.ok(await page.locator('.plot').isVisible(), 'and the curve is there');
    await openSheet(page);
    assert.ok(await page.locator('#method').isVisible());
    assert.equal(await page.locator('main').evaluate((main) => main.inert), true);
    await page.keyboard.press('Escape');
    await page.locator('.to-sheet:focus').waitFor();
    await add(page, 'Try the sample');
    await row(page, 'Sample');
    assert.equal(await page.locator('aside.open').count(), 0, 'the sheet makes way for what was opened');
    await openSheet(page);
    await page.locator('.doc .select', { hasText: 'article.pdf' }).click();
    await page.locator('.doc:has([aria-current])', { hasText: 'article.pdf' }).waitFor({ state: 'attached' });
    assert.equal(await page.locator('aside.open').count(), 0);
  }, { viewport });
}

onPage('with many documents settings stay at hand, the newest is in view, and all go and come back', async (page) => {
  await dropMade(page, ...Array.from({ length: MANY }, (_, i) => ({ name: `essay ${i + 1}.txt`, parts: [text(1000 + i, 4)] })));
  await row(page, `essay ${MANY}.txt`);
  const inWindow = (selector) => page.locator(selector).last().evaluate((element) => {
    const { top, bottom } = element.getBoundingClientRect();
    return top >= 0 && bottom <= innerHeight;
  });
  assert.ok(await inWindow('#method'));
  await until(() => inWindow('.doc .select'));
  await until(async () => await page.locator('.doc .kept[data-state=saved]').count() === MANY);
  await page.getByRole('button', { name: 'Remove all' }).click();
  await page.locator('.empty').waitFor();
  await onScreen(page, `${MANY}\u00a0documents are removed.`).first().waitFor();
  await page.getByRole('button', { name: 'Undo' }).click();
  await until(async () => await page.locator('.doc').count() === MANY);
  await row(page, 'essay 1.txt');
});

onPage('a failure is a line, and gives way to what can be shown', async (page) => {
  await drop(page, join(work, 'empty.txt'), join(work, 'notes.md'));
  await page.locator('.doc:has([aria-current])', { hasText: 'notes.md' }).waitFor();
  const failed = await row(page, 'empty.txt', 'failed');
  assert.ok((await failed.boundingBox()).height < 40);
  await failed.getByRole('button', { name: 'Remove empty.txt' }).click();
  assert.equal(await page.locator('.doc').count(), 1);
});

onPage('text, list and curve follow each other', async (page) => {
  await drop(page, join(work, 'article.pdf'));
  await row(page, 'article.pdf');
  await page.locator('#method').selectOption('sentences');
  await page.locator('#panel-chunks .cards li').nth(8).waitFor();
  await page.locator('#text .s').nth(6).click();
  const current = page.locator('#panel-chunks .card[aria-current]');
  await current.waitFor();
  const sentence = await page.locator('#text .s').nth(6).textContent();
  const plain = (words) => words.replace(/\s+/g, ' ').trim();
  assert.ok(plain(await current.locator('.preview').textContent()).includes(plain(sentence).slice(0, 30)));
  const window = page.locator('.plot .window');
  const left = () => window.evaluate((element) => parseFloat(element.style.left));
  const began = await left();
  await page.locator('#text').evaluate((element) => { element.scrollTop = element.scrollHeight; });
  await until(async () => await left() > began + 10);
  assert.match(await page.locator('.reading-place').innerText(), /^p\. \d+ of \d+/);
}, { viewport: { width: 1400, height: 500 } });

onPage('the number on the line moves it, and one that is none is put back', async (page) => {
  await drop(page, join(work, 'article.pdf'));
  await row(page, 'article.pdf');
  await page.locator('#method').selectOption('percentile');
  const number = page.getByRole('textbox', { name: 'Where the line is' });
  const made = () => page.locator('.curve .made').innerText().then((words) => Number(/\d+/.exec(words)[0]));
  await until(async () => await page.locator('.curve').getAttribute('aria-label').then((label) => label.startsWith('Distance')));
  const [before, was] = [await made(), await number.inputValue()];
  await number.fill(String(Number(was) / 2));
  await number.press('Enter');
  await until(async () => await made() > before);
  await number.fill('');
  await number.press('Enter');
  await number.blur();
  assert.equal(Number(await number.inputValue()), Number((Number(was) / 2).toFixed(2)));
});

onPage('a number typed before the new method’s curve is there does not move its line', async (page) => {
  await drop(page, join(work, 'article.pdf'));
  await row(page, 'article.pdf');
  const curve = page.locator('.curve');
  assert.match(await curve.getAttribute('aria-label'), /^Strength/);
  await page.locator('#method').evaluate((method) => {
    const number = document.querySelector('.plot input');
    method.value = 'percentile';
    method.dispatchEvent(new Event('change', { bubbles: true }));
    number.value = '0.5'; // on the old curve's scale
    number.dispatchEvent(new Event('change', { bubbles: true }));
  });
  await page.locator('.curve[aria-label^="Distance"]').waitFor();
  const typed = await page.getByRole('textbox', { name: 'Where the line is' }).inputValue();
  await page.locator('#method').selectOption('iqr');
  await until(async () => await page.getByRole('textbox', { name: 'Where the line is' }).inputValue() !== typed);
  await page.locator('#method').selectOption('percentile');
  await until(async () => await page.getByRole('textbox', { name: 'Where the line is' }).inputValue() === typed);
});

onPage('JSON Lines and CSV have every chunk, and no cell of a spreadsheet is a formula', async (page) => {
  await dropMade(page, { name: 'sums.txt', parts: ['=1+1 is a sum, "quoted". It has two parts.\n\nTea is made of leaves. They are dried.'] });
  await row(page, 'sums.txt');
  await page.locator('#method').selectOption('sentences');
  const cards = page.locator('#panel-chunks .cards li');
  await cards.nth(3).waitFor();
  const saved = async (format, end) => {
    const [download] = await Promise.all([page.waitForEvent('download'), saveAs(page, format)]);
    assert.equal(download.suggestedFilename(), `sums.txt.chunks.${end}`);
    return readFileSync(await download.path(), 'utf8');
  };
  const parsed = (lines) => lines.trimEnd().split('\n').map((line) => JSON.parse(line));
  const lines = parsed(await saved('jsonl', 'jsonl'));
  assert.equal(lines.length, await cards.count());
  assert.match(lines[0].text, /^=1\+1 is a sum, "quoted"\./);
  assert.deepEqual(lines.map(({ index }) => index), [...lines.keys()]);
  const [{ metadata }] = parsed(await saved('langchain', 'langchain.jsonl'));
  assert.deepEqual({ ...metadata, reason: '' }, { source: 'sums.txt', chunk: lines[0].id, index: 0, origin: lines[0].origin, start: 0, end: lines[0].text.length, tokens: lines[0].tokens, reason: '', id: lines[0].id, view: 'reading' });
  assert.match(await saved('csv', 'csv'), /^file,id,start,end,tokens,page,pages,section,reason,text,index,label,view,topic,labels,part,parent_start,parent_end,document,origin\nsums\.txt,\w+,0,\d+,\d+,1,1,,[^,]+,"=1\+1 is a sum, ""quoted""\./);
  assert.match(await saved('spreadsheet', 'spreadsheet.csv'), /^\ufefffile,.*\r\nsums\.txt,.*,"'=1\+1 is a sum, ""quoted""\./);
});

onPage('the text is read in another order by choice, and the method says which is its own', async (page) => {
  await drop(page, join(work, 'article.pdf'));
  await row(page, 'article.pdf');
  const order = page.getByLabel('Order of the text');
  assert.match(await order.locator('option:checked').innerText(), /as the method has it: reading order/);
  const shown = () => page.locator('.blocks').textContent();
  const reading = await shown();
  await order.selectOption('content');
  await until(async () => await shown() !== reading);
  const { view, chunks } = await downloaded(page);
  assert.equal(view, 'content');
  const content = await shown();
  for (const { text, start, end } of chunks) assert.equal(text, content.slice(start, end));
  await page.locator('#method').selectOption('percentile');
  await page.getByRole('button', { name: 'Reset settings' }).click();
  await until(async () => await shown() === reading);
});

onPage('columns are made wider, narrower, hidden and shown, by pointer and keyboard, and stay so', async (page) => {
  await drop(page, join(work, 'article.pdf'));
  await row(page, 'article.pdf');
  const edge = page.getByRole('separator', { name: 'Width of documents and settings' });
  const width = (selector = 'aside') => page.locator(selector).evaluate((element) => element.getBoundingClientRect().width);
  const before = await width();
  const { x, y, height } = await edge.boundingBox();
  await page.mouse.move(x + 4, y + height / 2);
  await page.mouse.down();
  await page.mouse.move(x + 64, y + height / 2, { steps: 4 });
  await page.mouse.up();
  await until(async () => Math.abs(await width() - before - 60) < 3);
  await edge.focus();
  await page.keyboard.press('ArrowLeft');
  await until(async () => Math.abs(await width() - before - 44) < 3);
  const results = page.getByRole('separator', { name: 'Width of the results' });
  await results.focus();
  await page.keyboard.press('Enter');
  await page.locator('#panel-chunks').waitFor({ state: 'hidden' });
  assert.equal(await results.getAttribute('aria-valuetext'), 'hidden');
  await saved(page, 'article.pdf');
  await page.reload();
  await row(page, 'article.pdf');
  await until(async () => Math.abs(await width() - before - 44) < 3);
  await page.locator('#panel-chunks').waitFor({ state: 'hidden' });
  await page.getByRole('separator', { name: 'Width of the results' }).dblclick();
  await page.locator('#panel-chunks').waitFor();
});

onPage('hits come as one types, and the arrows walk along them', async (page) => {
  await drop(page, join(work, 'article.pdf'), join(work, 'notes.md'));
  await row(page, 'notes.md');
  await page.locator('#search').pressSequentially('rooks and pawns');
  const hits = page.locator('.hits .card');
  await onScreen(page, /for “rooks and pawns”/).first().waitFor();
  assert.ok(await hits.count() > 1);
  assert.equal(await page.evaluate(() => document.activeElement.id), 'search', 'the focus stays in the field');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowDown');
  await page.locator('.hits .card[aria-current]').and(page.locator(':focus')).waitFor();
  await until(() => page.evaluate(() => CSS.highlights.get('seam-word').size > 0));
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('ArrowUp');
  assert.equal(await page.evaluate(() => document.activeElement.id), 'search');
});

onPage('methods stand in groups', async (page) => {
  const labels = await page.locator('#method optgroup').evaluateAll((groups) => groups.map((group) => [group.label, group.children.length]));
  assert.ok(labels.length >= 4 && labels.every(([label, count]) => label && count > 0), JSON.stringify(labels));
  assert.equal(await page.locator('#method > option').count(), 0, 'each method is in one');
});

onPage('a text in Markdown is set as a document, and every place of it holds', async (page) => {
  const source = '# Tea timer\n\nA small program that tells when **tea is ready**. It has [two options](docs/options.md).\n\n## Install\n\n```sh\nnpm install tea-timer\n```\n\nIt takes a minute. Then it is there.\n\n| option | meaning |\n|---|---|\n| `--time` | how long it stands |\n\n- Green tea stands\n  for two minutes.\n  1. Then it is poured.\n\n  And drunk.\n- Black tea stands for four.\n\nThat is all.\n';
  await dropMade(page, { name: 'README.md', parts: [source] });
  await row(page, 'README.md');
  await page.locator('#method').selectOption('sentences');
  await page.locator('#panel-chunks .cards li').nth(4).waitFor();
  const seen = await page.locator('#text').innerText();
  for (const mark of ['# ', '**', '](docs', '```', '|---|']) assert.ok(!seen.includes(mark), mark);
  await page.getByRole('heading', { name: 'Tea timer', level: 1 }).waitFor();
  await page.getByRole('heading', { name: 'Install', level: 2 }).waitFor();
  assert.equal(await page.locator('.blocks').textContent(), source, 'nothing is gone');
  const items = await page.locator('#text .item').evaluateAll((all) => all.map((item) => [item.innerText.trim().replace(/\s+/g, ' '), Math.round(item.querySelector('.s').getBoundingClientRect().left - item.getBoundingClientRect().left)]));
  assert.deepEqual(items, [['- Green tea stands for two minutes.', 22], ['1. Then it is poured.', 44], ['And drunk.', 22], ['- Black tea stands for four.', 22]]);
  const { chunks } = await downloaded(page);
  for (const { text, start, end } of chunks) assert.equal(text, source.slice(start, end));
  const coloured = await page.evaluate(() => [0, 1, 2, 3, 4].flatMap((i) => [...CSS.highlights.get(`seam-${i}`)].map((range) => {
    const live = new Range();
    live.setStart(range.startContainer, range.startOffset);
    live.setEnd(range.endContainer, range.endOffset);
    return live.toString();
  })));
  assert.deepEqual(coloured.sort(), chunks.map(({ text }) => text).sort());
  await page.locator('#search').fill('"tea is ready"');
  await page.keyboard.press('Enter');
  await page.locator('.hits button').first().click();
  await until(() => page.evaluate(() => [...CSS.highlights.get('seam-word')].some((range) => range.toString().includes('tea'))));
});

onPage('headings of a PDF and of an HTML page are headings, and a page is read without what is about it', async (page) => {
  await drop(page, join(work, 'article.pdf'));
  await row(page, 'article.pdf');
  const heading = page.locator('#text [role=heading]').first();
  await heading.waitFor();
  const body = page.locator('#text .s:not([role])').first();
  const size = (one) => one.evaluate((element) => parseFloat(getComputedStyle(element.querySelector('span') ?? element).fontSize));
  assert.ok(await size(heading) > await size(body), 'a heading is larger than the text');
  await dropMade(page, { name: 'tea.html', parts: ['<!doctype html><html lang=en><head><title>On tea</title><style>p { color: red }</style></head><body><nav><a href="/">Home</a></nav>'
    + '<main><h1>On tea</h1><p>Tea is made by <b>steep</b>ing leaves. It is bitter if it stands too long.</p><h2>Kinds</h2><ul><li>green<li>black</ul>'
    + '<table><tr><th>kind<th>minutes<tr><td>green<td>2</table><script>alert(1)</script><img src=x onerror="alert(2)"></main></body></html>'] });
  await row(page, 'tea.html');
  await page.getByRole('heading', { name: 'On tea', level: 1 }).waitFor();
  await page.getByRole('heading', { name: 'Kinds', level: 2 }).waitFor();
  assert.equal(await page.locator('.blocks').textContent(), 'On tea\n\nTea is made by steeping leaves. It is bitter if it stands too long.\n\nKinds\n\n• green\n• black\n\nkind | minutes\ngreen | 2');
});

onPage('a bar of sizes lists its chunks, a kind those of it, and hands reach the right one', async (page) => {
  await drop(page, join(work, 'article.pdf'));
  await row(page, 'article.pdf');
  await page.locator('#method').selectOption('percentile');
  await page.locator('#setting').fill('75');
  const title = page.locator('#panel-chunks h2');
  await until(async () => Number(/\d+/.exec(await title.innerText())[0]) > 20);
  const { chunks } = await downloaded(page); // the line rests
  const all = chunks.length;
  await until(async () => await page.locator('#panel-chunks .cards li').count() === all);
  // A chunk with several sentences, so that its end can be moved.
  const long = chunks.findIndex(({ tokens }, i) => i > 4 && tokens > 40);
  const listed = page.locator('#panel-chunks .cards li:visible');
  const bars = page.getByRole('group', { name: /^Chunk sizes/ }).getByRole('button');
  const bar = bars.last();
  const [, n] = /: (\d+)\s/.exec(await bar.getAttribute('aria-label'));
  await bar.click();
  await until(async () => await listed.count() === Number(n));
  assert.match(await title.innerText(), new RegExp(`^${n} of ${all}`, 'i'));
  await bar.click();
  await until(async () => await listed.count() === all);
  await bars.first().focus();
  await page.keyboard.press('ArrowRight');
  assert.equal(await bars.nth(1).evaluate((element) => element === document.activeElement), true);
  // By hand: the third chunk is merged with the fourth, and is then the only one listed.
  await page.locator('#panel-chunks .cards li').nth(2).hover();
  await page.getByRole('button', { name: 'Merge with next' }).click();
  await page.locator('.by-hand').getByText(/^1\s/).waitFor();
  await page.locator('#panel-chunks .card').nth(long - 1).focus();
  await page.keyboard.press('Alt+ArrowUp');
  await page.locator('.by-hand').getByText(/^2\s/).waitFor();
  await page.getByLabel('Which chunks are listed').selectOption('hand');
  await until(async () => await listed.count() === 1);
  const start = await listed.locator('.preview').textContent();
  await listed.hover();
  await page.getByRole('button', { name: 'Merge with next' }).click();
  await page.getByLabel('Which chunks are listed').selectOption('all');
  await until(async () => await listed.count() === all - 2);
  const texts = await page.locator('#panel-chunks .cards .preview').allTextContents();
  assert.ok(texts[long - 1].startsWith(start.slice(0, 30)), `${start}: ${texts.slice(long - 2, long + 1)}`);
});

onPage('the sample has three questions to ask it', async (page) => {
  await add(page, 'Try the sample');
  await row(page, 'Sample');
  await page.getByRole('tab', { name: 'Search' }).click();
  for (const [question, found] of [['How does a swarm', /swarm/], ['Why is a loaf', /crust|bread|oven/i], ['What makes people wait', /wait|queue|clerk/]]) {
    await page.getByRole('button', { name: question }).click();
    await onScreen(page, new RegExp(`for “${question}`)).first().waitFor();
    assert.match(await page.locator('.hits .card').first().textContent(), found); // not innerText, because a card is laid out only with its first frame
  }
});
