// Cuts that part a table or a listing.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { blockCuts } from '../../lib/block-cuts.ts';

const text = `Prose with \`code\`
\`more\` of it.

| Name | Height |
|------|-------:|
| Oak  | 40     |
| Yew  | 20     |

| Another | table |
| of | two |

Prose.

~~~
first()

second()
~~~
~~~
third()
~~~
`;

/** Places where a cut parts something, by the words that follow. */
const parts = (cuts: (at: number) => boolean, ...words: string[]) => words.map((word) => cuts(text.indexOf(word)));

test('a cut between two lines of one table or listing parts it', () => {
  const cuts = blockCuts(text);
  assert.deepEqual(parts(cuts, '| Oak', '|---', '| Yew', '| of', 'Height', 'second()'), [true, true, true, true, true, true]);
});

test('a cut before, behind or between them does not', () => {
  const cuts = blockCuts(text);
  assert.deepEqual(parts(cuts, 'Prose with', '`more`', '| Name', '| Another', 'Prose.', 'first()', 'third()'), Array(7).fill(false));
  assert.equal(cuts(0), false);
  assert.equal(cuts(text.length), false);
  assert.equal(blockCuts('')(0), false);
});

test('lines end as they do on Windows, too', () => {
  const windows = text.replaceAll('\n', '\r\n');
  const cuts = blockCuts(windows);
  assert.deepEqual(['| Oak', '| Yew', '| Another', 'second()'].map((word) => cuts(windows.indexOf(word))), [true, true, false, true]);
});
