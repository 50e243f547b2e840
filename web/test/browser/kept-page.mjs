// Helpers for the tests of kept documents.

import { byHand, row } from './harness.mjs';

export const TEXT = 'The miller opens the weir. Water runs over the wheel. The wheel turns the stone.\n\nA printer sets type by hand. Ink is rolled on. The sheet is pulled.\n\nBees leave the hive at dawn. They dance for each other. Honey is stored.';

export const manage = (page) => page.getByRole('button', { name: 'Manage…' }).click();

/** Merges the first chunk with the next one. */
export async function mergeFirst(page) {
  await page.locator('#panel-chunks .cards li').nth(0).hover();
  await page.getByRole('button', { name: 'Merge with next' }).click();
  await byHand(page, 1);
}

/** Starts the next visit in the same browser. The document shown last must be open again. */
export async function again(page, name) {
  await page.reload();
  await row(page, name);
}

/** Returns the names of the page's files. */
export const files = (page) => page.evaluate(async () => {
  const folder = await (await navigator.storage.getDirectory()).getDirectoryHandle('seam-documents', { create: true });
  const names = [];
  for await (const name of folder.keys()) names.push(name);
  return names;
});
