// Each language must have all words of English, and its functions the same parameters.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { kept } from '../../app/words/en/kept.ts';
import { german } from '../../app/words/german.ts';
import { words as pages } from '../../app/words/en/pages.ts';
import { choice } from '../../app/words/en/language.ts';
import { first } from '../../app/words/en/first.ts';
import { hosted, hostedTroubles } from '../../app/words/en/hosted.ts';
import { methods } from '../../app/words/en/methods.ts';
import { statements } from '../../app/words/en/statements.ts';
import { settings } from '../../app/words/en/settings.ts';
import { terms } from '../../app/words/en/terms.ts';
import { shown, shownReason } from '../../app/words/en/views.ts';
import { visits } from '../../app/words/en/visits.ts';
import { length, say, strings, troubles } from '../../app/words/en/page.ts';
import type { Reason } from '../../lib/api.ts';

const english: Record<string, unknown> = {
  strings,
  length,
  say,
  troubles,
  views: shown,
  shownReason,
  hosted,
  hostedTroubles,
  kept,
  pages,
  settings,
  statements,
  methods,
  terms,
  visits,
  first,
  choice,
};

/** Yields every leaf of two objects with its path. */
function* pairs(a: unknown, b: unknown, path: string): Generator<[path: string, a: unknown, b: unknown]> {
  if (typeof a !== 'object' || a === null) yield [path, a, b];
  else
    for (const key of new Set([...Object.keys(a), ...Object.keys(b as object)]))
      yield* pairs((a as Record<string, unknown>)[key], (b as Record<string, unknown>)[key], `${path}.${key}`);
}

const all = Object.entries(english)
  .flatMap(([name, words]) => [...pairs(words, german[name as keyof typeof german], name)])
  .filter(([path]) => !path.startsWith('first.gallery.about.'));

test('German has what English has, of the same kind', () => {
  assert.ok(all.length > 400, String(all.length));
  for (const [path, a, b] of all) {
    assert.equal(typeof b, typeof a, path);
    if (typeof a === 'string') assert.equal(b === '', a === '', path);
    if (typeof a === 'function') assert.ok((b as () => void).length <= a.length, `${path}: ${a.length}`);
  }
});

/** Arguments for functions: each is called with all of them in every position. */
const error = Object.assign(new Error('it is so'), { code: 'died', hint: '' });
const values: unknown[] = [
  1,
  2,
  0.5,
  'semantic',
  ['a', 'b'],
  [1, 2],
  true,
  'distance',
  error,
  { stage: 'pages', done: 1, total: 2 },
  { kind: 'max', value: 1, threshold: 0.5 },
  { action: 'split', when: 1, by: 'x' },
  { same: 1, near: 2, some: 3 },
  { texts: 2, missing: 1, tokens: 100, calls: 1, dollars: 1, embedder: 'x' },
  { unread: 1, beyond: 1, most: 1, unseen: true },
  { setting: 1 },
];

function said(call: (...values: unknown[]) => unknown, given: unknown[]): unknown {
  try {
    return call(...given);
  } catch {
    return null; // it takes other arguments
  }
}

test('what a function says in English it says in German', () => {
  let compared = 0;
  for (const [path, a, b] of all) {
    if (typeof a !== 'function' || /offered$|\.(and|or)$/.test(path)) continue; // covered by another test
    let texts = 0;
    for (const first of values) {
      for (const other of values) {
        const given = [first, ...Array<unknown>(6).fill(other)];
        const [one, two] = [said(a as () => unknown, given), said(b as () => unknown, given)];
        if (typeof one !== 'string' || !one || /undefined|NaN|\[object/.test(one)) continue;
        if (two === null) continue;
        assert.ok(
          typeof two === 'string' && two,
          `${path}(${JSON.stringify(given[0])}, ${JSON.stringify(other)}): ${one} / ${String(two)}`,
        );
        texts++;
      }
    }
    if (texts > 0) compared++;
  }
  assert.ok(compared > 130, String(compared));
});

const plain = (text: string) => text.replaceAll('\u00a0', ' ');

test('numbers, plurals and reasons as they are written in German', () => {
  assert.equal(plain(german.strings.documents.ready(15, 1257, 1)), '1 Abschnitt · 15 Seiten · 1.257 Sätze');
  assert.equal(plain(german.strings.knob.says(24, 1, 'words')), '24 Abschnitte, meist um 1 Wort');
  assert.equal(german.strings.knob.where('distance', 0.333, false), 'Schnitt, wo der Abstand über 0,33 liegt.');
  assert.equal(german.strings.or(['PDF', 'plain text', 'Seam bundles']), 'PDF, reinen Text oder Seam-Bündel');
  const reasons: [Reason, string][] = [
    [{ kind: 'distance', value: 0.3312, threshold: 0.3311 }, 'Abstand 0,3312, Linie bei 0,3311'],
    [{ kind: 'strength', value: 1.25 }, 'Thema 2,4'],
    [{ kind: 'largest', value: 0.5, of: 3 }, 'Abstand 0,50, einer der 3 größten'],
    [{ kind: 'max' }, 'Maximum'],
    [{ kind: 'manual' }, 'von Hand'],
  ];
  for (const [reason, words] of reasons) assert.equal(german.shownReason(reason), words);
});

test('quotation marks are German, and no blank before a unit breaks', () => {
  const texts = all.flatMap(([path, , b]) => (typeof b === 'string' && !path.startsWith('first.questions') ? [b] : []));
  for (const text of texts) {
    assert.doesNotMatch(text, /["”]|“(?=\w)/, text);
    assert.doesNotMatch(text, /\d (MB|GB|kB|%|Token)/, text);
  }
});
