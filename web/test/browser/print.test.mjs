// In print: the whole text with its chunks, and nothing else of the page.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { after, before, test } from 'node:test';
import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { dropMade, makeFixtures, open, row, start, web, work } from './harness.mjs';
import { text } from './proxy-page.mjs';

let site;
before(async () => {
  makeFixtures();
  site = await start();
});
after(() => site?.close());

for (const [name, options] of Object.entries({ 'a wide page, dark': { colorScheme: 'dark' }, 'a phone': { viewport: { width: 360, height: 740 } } })) {
  test(`the whole text is printed with its cuts: ${name}`, async () => {
    const tab = await open(site, options);
    const { page } = tab;
    const parts = Array.from({ length: 30 }, (_, i) => `Part ${i + 1}\n\n${text(500 + i, 12)}`);
    await dropMade(page, { name: 'long.md', parts: [`${parts.map((part) => `# ${part}`).join('\n\n')}\n\nThese are the very last words.\n`] });
    await row(page, 'long.md');
    const pdf = join(work, 'printed.pdf');
    writeFileSync(pdf, await page.pdf({ printBackground: true }));
    const printed = execFileSync(resolve(web, '../bin/seam'), ['text', '--cache', 'off', pdf], { encoding: 'utf8' });
    for (let i = 1; i <= 30; i++) assert.match(printed, new RegExp(`Part ${i}\\b`), 'every part');
    assert.match(printed, /very last words/);
    assert.match(printed, /\bheading\b/, 'why a chunk ends');
    for (const word of ['Chunking', 'Documents', 'Search your documents', 'Settings', 'Compare']) assert.ok(!printed.includes(word), word);
    tab.check();
    await tab.close();
  });
}
