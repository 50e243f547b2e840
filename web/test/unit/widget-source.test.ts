// The line above a passage equals the engine's: both read shared/answer/testdata/sources.json.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { lineOf } from '../../widget/ask/source.ts';

interface Case {
  Title: string;
  Section: string;
  Pages: string[];
  Date: string;
  Saved: string;
  Line: string;
}

test('the line above a passage is the engine’s, to the character', () => {
  const cases = JSON.parse(readFileSync('shared/answer/testdata/sources.json', 'utf8')) as Case[];
  const able = cases.filter(
    ({ Title, Pages, Date, Saved }) =>
      Title && !Saved && Pages.every((page) => /^\d+$/.test(page)) && /^(\d{4}-\d\d-\d\d)?$/.test(Date),
  );
  assert.ok(able.length >= 7);
  for (const { Title, Section, Pages, Date, Line } of able)
    assert.equal(lineOf(Title, Section, Pages.map(Number), Date), Line);
});
