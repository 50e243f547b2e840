// The stylesheets: each custom property they use exists, because a missing one is no error
// to a browser.

import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

const read = (folder: string, ending: string): string =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith(ending))
    .map((name) => readFileSync(join(folder, name), 'utf8'))
    .join('\n');

test('each custom property of the styles is set by a style or by the page', () => {
  const styles = read('web/styles', '.css');
  const set = new Set(
    [...`${styles}${read('web/app', '.ts')}`.matchAll(/(?:^|[\s;{'"`])(--[\w-]+)(?=['"`]?\s*[:,])/gm)].map(
      ([, name]) => name,
    ),
  );
  const used = new Set([...styles.matchAll(/var\((--[\w-]+)\)/g)].map(([, name]) => name));
  assert.ok(used.has('--press') && set.has('--press'));
  assert.deepEqual(
    [...used].filter((name) => !set.has(name)),
    [],
  );
});

/** The report and the print view are documents of their own; a text in its own look has its author's sizes. */
const documents = ['report.css', 'print.css', 'look.css'];

test('the page has four font sizes', () => {
  const sizes = readdirSync('web/styles')
    .filter((name) => name.endsWith('.css') && !documents.includes(name))
    .flatMap((name) =>
      readFileSync(join('web/styles', name), 'utf8')
        .split('\n')
        .filter((line) => !/^\.(md-|table )/.test(line)) // headings and code of a document
        .flatMap((line) => [...line.matchAll(/font(?:-size)?: ([^;]+)/g)].map(([, value]) => `${name}: ${value}`)),
    );
  assert.ok(sizes.length > 100);
  assert.deepEqual(
    sizes.filter((size) => !/: (0|inherit|(?:[\w ]+ )?var\(--(small|base|read|title)\)(\/\S+ .+)?)$/.test(size)),
    [],
  );
});

test('no rule is written twice', () => {
  const rules = new Map<string, string[]>();
  for (const name of readdirSync('web/styles').filter((each) => each.endsWith('.css') && !documents.includes(each))) {
    const css = readFileSync(join('web/styles', name), 'utf8').replace(/\/\*[\s\S]*?\*\//g, '');
    for (const [, selector = '', body = ''] of css.matchAll(/([^{};]+)\{([^{}]+)\}/g)) {
      const rule = `${selector} {${body}}`.replace(/\s+/g, ' ').trim();
      rules.set(rule, [...(rules.get(rule) ?? []), name]);
    }
  }
  assert.ok(rules.size > 500);
  assert.deepEqual(
    [...rules].filter(([, names]) => names.length > 1),
    [],
  );
});
