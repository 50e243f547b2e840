// The other views of documents in addition to the text.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Doc } from '../../app/session/doc.ts';
import { KINDS, kindOf } from '../../app/session/kind.ts';
import { formats } from '../../lib/formats.ts';

const doc = (name: string, head: string | null, format = ''): Doc =>
  ({
    name,
    source: head === null ? null : new Blob([head]),
    kept: format ? { record: { source: { format } } } : null,
  }) as unknown as Doc;

test('its formats are of the table', () => {
  const names = formats.filter(({ room }) => room).map(({ name }) => name);
  for (const name of Object.keys(KINDS)) assert.ok(names.includes(name), name);
});

test('a file that is here tells by itself', async () => {
  assert.equal(await kindOf(doc('a.txt', '%PDF-1.7')), 'pdf');
  assert.equal(await kindOf(doc('A.XHTML', '<html>')), 'html');
  assert.equal(await kindOf(doc('a.epub', 'PK\u0003\u0004')), 'html');
  assert.equal(await kindOf(doc('a.md', '# <html>')), null);
});

test('a file is read once', async () => {
  let reads = 0;
  class Counted extends Blob {
    override slice(...range: [number, number]): Blob {
      reads++;
      return super.slice(...range);
    }
  }
  const pdf = { ...doc('a.txt', null), source: new Counted(['%PDF-1.7']) } as unknown as Doc;
  const page = { ...doc('a.txt', null), source: new Counted(['<html>']) } as unknown as Doc;
  for (const _ of [1, 2, 3]) assert.deepEqual([await kindOf(pdf), await kindOf(page)], ['pdf', null]);
  assert.equal(reads, 2);
});

test('of one that is not here, what is known of it tells, else its name', async () => {
  assert.equal(await kindOf(doc('a.txt', null, 'pdf')), 'pdf');
  assert.equal(await kindOf(doc('a.pdf', null, 'text')), null);
  assert.equal(await kindOf(doc('a.htm', null)), 'html');
  assert.equal(await kindOf(doc('a', null)), null);
});
