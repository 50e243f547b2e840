// The explanations of terms.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { terms } from '../../app/words/en/terms.ts';

test('each explanation is short, and is of a word with a name', () => {
  const { ask, ...rest } = terms;
  assert.match(ask('Tokens'), /Tokens/);
  for (const [term, { name, text }] of Object.entries(rest)) {
    assert.ok(name.length > 0 && name.length < 40, term);
    assert.ok(text.length > 60 && text.length < 400, `${term}: ${text.length}`);
    assert.match(text, /\.$/, term);
  }
});
