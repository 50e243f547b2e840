// Where the links of a document lead.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { linksIn, outside, targetOf } from '../../lib/links.ts';

const link = (url: string) => ({ url, start: 0, end: 1 });

test('only addresses of the web and of mail may be opened', () => {
  for (const url of ['http://a.org', 'HTTPS://a.org/x y', 'mailto:a@b.c']) assert.ok(outside(link(url)), url);
  for (const url of [
    'javascript:alert(1)',
    ' javascript:x',
    'java\nscript:x',
    'data:text/html,x',
    'file:///x',
    'blob:http://a',
    '//a.org',
    'a.html',
    'http:',
    '',
  ])
    assert.equal(outside(link(url)), null, url);
});

test('a link leads to its page, or to the heading of its name', () => {
  const text = '## The *first* mill\nx\n\nMühlen & Öl\n';
  const view = {
    text,
    pages: [
      { number: 1, start: 0, end: 5 },
      { number: 2, start: 5, end: 9 },
    ],
    headings: [
      { level: 2, start: 0, end: 19 },
      { level: 1, start: 23, end: 34 },
    ],
  };
  assert.deepEqual(targetOf({ page: 2, start: 0, end: 1 }, view), { at: 5, page: 2 });
  assert.equal(targetOf({ page: 3, start: 0, end: 1 }, view), null);
  assert.deepEqual(targetOf(link('#the-first-mill'), view), { at: 0, title: 'The *first* mill' });
  assert.deepEqual(targetOf(link('#m%C3%BChlen--%C3%B6l'), view), { at: 23, title: 'Mühlen & Öl' });
  for (const url of ['#none', '#', '#%', 'other.md']) assert.equal(targetOf(link(url), view), null, url);
  assert.deepEqual(targetOf(link('https://a.org:8/x'), view), { href: 'https://a.org:8/x', name: 'a.org:8' });
});

test('links in a part of a text have words there', () => {
  const all = [
    [0, 4],
    [4, 4],
    [4, 8],
    [9, 12],
  ].map(([start = 0, end = 0]) => ({ url: 'http://a', start, end }));
  assert.deepEqual(
    linksIn(all, 4, 9).map(({ start, end }) => [start, end]),
    [[4, 8]],
  );
  assert.deepEqual(
    linksIn(all, 3, 10).map(({ start }) => start),
    [0, 4, 9],
  );
});
