// Helpers for a page with hosted models: new documents, Send, questions.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { dropMade, onScreen, open, row, until } from './harness.mjs';
import { canary } from './proxy-host.mjs';

/** Returns sentences unique to a test, so that no cache has them. */
export function text(seed, sentences) {
  let state = seed;
  const word = () => {
    state = (state * 48271) % 2147483647;
    return `${'bcdfghklmnprstvz'[state % 16]}${'aeiou'[state % 5]}${'lmnrst'[state % 6]}${state % 997}`;
  };
  return Array.from({ length: sentences }, () => `The ${Array.from({ length: 8 }, word).join(' ')} ends.`).join(' ');
}

/** Opens a page with one document; `check` of the harness must hold at the end. */
export async function opened(t, site, { name = `${t.name.replace(/\W+/g, '-')}.txt`, sentences = 12, options = {} } = {}) {
  const tab = await open(site, options);
  t.after(async () => {
    tab.check();
    await tab.close();
  });
  await dropMade(tab.page, { name, parts: [text(name.length * 7919 + sentences, sentences)] });
  await row(tab.page, name);
  return tab.page;
}

/** Returns a function for the provider's requests after this call, by the end of their path. */
export async function since({ provider }) {
  const before = { embeddings: (await provider.requests('/embeddings')).length, completions: (await provider.requests('/completions')).length };
  return (kind) => provider.requests(`/${kind}`, before[kind]);
}

/** Chooses a hosted embedder, after asking the proxy. */
export async function choose(page, label = /^embed-small/) {
  if (await page.locator('#embedder option[value=connect]').count() > 0) {
    await page.locator('#embedder').selectOption('connect');
    await onScreen(page, 'Connected; nothing was sent.').waitFor();
  }
  const name = await page.locator('#embedder option').filter({ hasText: label }).first().getAttribute('value');
  await page.locator('#embedder').selectOption(name);
}

/** Returns the text of the chunks' cards; the tools are outside the cards. */
export const listed = (page) => page.locator('#panel-chunks .card').allTextContents();

export const panel = (page) => page.locator('.settings .consent');
export const press = (page, name) => panel(page).getByRole('button', { name, exact: true }).click();

export async function send(page) {
  await press(page, 'Send');
  await panel(page).waitFor({ state: 'hidden' });
}

/** Returns the text with ordinary spaces. */
export const words = async (locator) => (await locator.innerText()).replaceAll('\u00a0', ' ');

export async function ask(page, question) {
  await page.getByRole('tab', { name: 'Ask' }).click();
  const connect = page.getByRole('button', { name: /^Connect to/ });
  if (await connect.isVisible()) {
    await connect.click();
    await connect.waitFor({ state: 'hidden' });
  }
  await page.locator('#question').fill(question);
  await page.keyboard.press('Enter');
  await until(async () => !(await page.locator('.ask > .bar').innerText()).includes('Looking for passages'));
  const yes = page.locator('#panel-ask').getByRole('button', { name: 'Send', exact: true });
  if (await yes.isVisible()) await yes.click();
}

export const answered = (page) => page.locator('#panel-ask').getByText(/tokens? read/).waitFor();

/** Must be the last test of a site. */
export function testKeyStays(site) {
  test('the key has never reached the browser, which has got much else', () => {
    const bytes = Buffer.concat(site().seen.bytes); // too long for a string
    assert.ok(bytes.length > 100_000 && bytes.includes('embed-small'), 'the relay has seen what came');
    assert.ok(!bytes.includes(canary) && !bytes.includes('sk-canary'));
  });
}
