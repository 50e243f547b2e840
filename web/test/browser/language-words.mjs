// Collects the page's English texts, for a test that looks for them in other languages.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { web } from './harness.mjs';

/** Returns every text in a module of words, with templates split at their values. */
function texts(file) {
  const source = readFileSync(file, 'utf8').replace(/^ *(\/\/|\/\*\*|\*|import ).*$/gm, '');
  const quoted = [...source.matchAll(/'((?:[^'\\\n]|\\.)*)'/g)].map(([, text]) => text);
  const templates = [...source.matchAll(/`((?:[^`\\]|\\.)*)`/g)].flatMap(([, text]) => text.split(/\$\{[^}]*\}/));
  return [...quoted, ...templates].map((text) => text.replaceAll('\\u00a0', '\u00a0').trim());
}

/**
 * Returns the English texts of more than twelve characters that are not names. Texts that
 * are the same in another language are left out.
 */
export function englishTexts() {
  const all = (folder) => readdirSync(join(web, 'app/words', folder)).flatMap((name) => texts(join(web, 'app/words', folder, name)));
  const same = new Set([...all('de'), ...all('german')]);
  return all('en').filter((text) => text.length > 12 && /[a-z] [a-z]/i.test(text) && !/[{}=]/.test(text) && !same.has(text));
}
