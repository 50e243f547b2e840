// The key that seals questions: an unreadable one is not replaced, and two tabs that need
// the first key at once make one.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { makeFixtures, onScreen, questionsKept, row, until } from './harness.mjs';
import { proxied } from './proxy-host.mjs';
import { answered, ask, opened } from './proxy-page.mjs';

let site;
before(async () => {
  makeFixtures();
  site = await proxied();
});
after(() => site?.close());

/** Asks, and waits for the answer. */
async function asked(page, question) {
  await site.provider.script('words=All that ends well.');
  await ask(page, question);
  await answered(page);
}

/** Returns the listed questions of earlier visits. */
async function listed(page) {
  await page.reload();
  await page.getByRole('button', { name: 'Manage…' }).click();
  await onScreen(page, 'Questions asked').click();
  await page.locator('.asked summary').first().waitFor();
  return (await page.locator('.asked summary').allTextContents()).join('\n');
}

test('a key that cannot be read for a while is not replaced', async (t) => {
  const page = await opened(t, site);
  await asked(page, 'What ends first?');
  await page.locator('.doc .kept[data-state=saved]').waitFor();
  await questionsKept(page, 1);
  await page.addInitScript(() => {
    const read = FileSystemFileHandle.prototype.getFile;
    globalThis.refused = 0;
    FileSystemFileHandle.prototype.getFile = function getFile() {
      if (this.name !== 'questions.key' || sessionStorage.getItem('readable')) return read.call(this);
      globalThis.refused++;
      return Promise.reject(new DOMException('held by another program', 'NotReadableError'));
    };
  });
  await page.reload();
  await row(page, '.txt');
  await asked(page, 'What ends second?');
  await until(() => page.evaluate(() => globalThis.refused > 0));
  await asked(page, 'What ends third?'); // the second tab has finished by then
  await page.evaluate(() => sessionStorage.setItem('readable', 'yes'));
  assert.match(await listed(page), /What ends first\?/);
});

test('two tabs that ask their first question at once keep both', async (t) => {
  const page = await opened(t, site);
  await page.locator('.doc .kept[data-state=saved]').waitFor();
  // Each tab waits until both have seen that there is no key.
  await page.context().addInitScript(() => {
    if (!isSecureContext) return; // about:blank
    const find = FileSystemDirectoryHandle.prototype.getFileHandle;
    const channel = new BroadcastChannel('no key');
    let other;
    const seen = new Promise((done) => { other = done; });
    let mine = false;
    channel.onmessage = () => {
      if (mine) channel.postMessage('here, too');
      other();
    };
    FileSystemDirectoryHandle.prototype.getFileHandle = async function getFileHandle(name, options) {
      try {
        return await find.call(this, name, options);
      } catch (cause) {
        if (name === 'questions.key' && !mine) {
          mine = true;
          channel.postMessage('no key here');
          await seen;
        }
        throw cause;
      }
    };
  });
  const second = await page.context().newPage();
  await second.goto(page.url());
  await page.reload();
  await row(page, '.txt');
  await row(second, '.txt');
  await asked(page, 'What ends here?');
  await asked(second, 'What ends there?');
  await questionsKept(page, 2);
  await second.close();
  const questions = await listed(page);
  assert.match(questions, /What ends here\?/);
  assert.match(questions, /What ends there\?/);
});
