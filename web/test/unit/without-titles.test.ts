import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withoutTitles } from '../../lib/without-titles.ts';

test('the titles of a chunk go from its start, not from elsewhere', () => {
  assert.equal(withoutTitles('Bread\n\nDough rises. Bread is old.', 'Food › Bread'), 'Dough rises. Bread is old.');
  assert.equal(withoutTitles('Food\nBread\nDough rises.', 'Food › Bread'), 'Dough rises.');
  assert.equal(withoutTitles('Essays\nThey differ.', 'Essays – Bees'), 'They differ.');
  assert.equal(withoutTitles('Breadth is not bread.', 'Bread'), 'Breadth is not bread.');
  assert.equal(withoutTitles('Dough rises.', ''), 'Dough rises.');
  assert.equal(withoutTitles('Bread', 'Bread'), 'Bread', 'nothing else to show');
  assert.equal(withoutTitles('Bread\n', 'Bread'), 'Bread\n');
});
