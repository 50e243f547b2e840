// What the page says in English, for a test that looks for it where none should be.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { web } from './harness.mjs';

/** Every text in a module of words, and every part of one between values. */
function texts(file) {
  const source = readFileSync(file, 'utf8').replace(/^ *(\/\/|\/\*\*|\*|import ).*$/gm, '');
  const quoted = [...source.matchAll(/'((?:[^'\\\n]|\\.)*)'/g)].map(([, text]) => text);
  const templates = [...source.matchAll(/`((?:[^`\\]|\\.)*)`/g)].flatMap(([, text]) => text.split(/\$\{[^}]*\}/));
  return [...quoted, ...templates].map((text) => text.replaceAll('\\u00a0', '\u00a0').trim());
}

/** The English texts of more than twelve characters that are no names: those that another language has as they are, are left out. */
export function englishTexts() {
  const all = (folder) => readdirSync(join(web, 'app/words', folder)).flatMap((name) => texts(join(web, 'app/words', folder, name)));
  const same = new Set([...all('de'), ...all('german')]);
  return all('en').filter((text) => text.length > 12 && /[a-z] [a-z]/i.test(text) && !/[{}=]/.test(text) && !same.has(text));
}
