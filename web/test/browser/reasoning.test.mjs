// The reasoning of a model in Ask: apart from the answer, folded, and never sent again.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { makeFixtures } from './harness.mjs';
import { accessible } from './looks.mjs';
import { proxied } from './proxy-host.mjs';
import { answered, ask, opened, since } from './proxy-page.mjs';

let site;
before(async () => {
  makeFixtures();
  site = await proxied();
});
after(() => site?.close());

const thought = 'Passage 2 says [1], I think.';

test('Ask: reasoning is folded, and neither shown, copied nor sent as the answer', async (t) => {
  const page = await opened(t, site);
  const shown = async () => (await page.locator('.answer:visible').innerText()).trim();
  for (const [script, answer] of [
    [`words=<think>${thought}</think>It is so.`, 'It is so.'],
    [`words=${thought} </think> It is thus.`, 'It is thus.'], // the model thinks first
    [`words=${thought} </think> It is thus again.`, 'It is thus again.'], // it is held until the mark
    [`reasoning=${thought}; reasoning-in=reasoning; words=It was so.`, 'It was so.'],
    ['words=It writes `<think>` first.', 'It writes <think> first.'],
  ]) {
    await site.provider.script(script);
    await ask(page, `What ends, as to ${answer}`);
    await answered(page);
    assert.equal(await shown(), answer, script);
    const fold = page.locator('details.reasoning');
    assert.equal(await fold.isVisible(), !script.includes('`'), script);
    if (!(await fold.isVisible())) continue;
    assert.equal(await fold.getAttribute('open'), null);
    await fold.locator('summary').click();
    assert.equal((await fold.locator('p').innerText()).trim(), thought, script);
  }
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.getByRole('button', { name: 'Copy with sources' }).click();
  await page.getByRole('button', { name: 'Copied', exact: true }).waitFor();
  assert.doesNotMatch(await page.evaluate(() => navigator.clipboard.readText()), /I think/);
  const arrived = await since(site);
  await ask(page, 'And then?');
  await answered(page);
  const [request] = await arrived('completions');
  assert.match(JSON.stringify(request.body), /It is thus again/);
  assert.doesNotMatch(JSON.stringify(request.body), /I think/, 'the history has answers only');
});

test('Ask: while a model reasons, that is said with seconds, and Stop ends it', async (t) => {
  const page = await opened(t, site);
  await site.provider.script(`hold; words=<think>${thought} </think>So.`);
  await ask(page, 'What ends here?');
  await page.getByText(/^Thinking… \d+ s$/).waitFor();
  await page.locator('details.reasoning').waitFor();
  await page.getByText('Thinking… 2 s').waitFor();
  await accessible(page, 'a model that reasons');
  await page.getByRole('button', { name: 'Stop', exact: true }).click();
  await page.getByText(/^Thinking…/).waitFor({ state: 'detached' });
  await site.provider.release();
});
