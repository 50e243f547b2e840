// What of a Markdown text is marks: everything else is shown, in order, once.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { looksIn, markdownMarks, withoutMarks as shown } from '../../lib/markdown-marks.ts';

const looking = (text: string, look: string): string[] =>
  looksIn(markdownMarks(text), 0, text.length)
    .filter(({ looks }) => !looks.includes('mark') && looks.includes(look as never))
    .map(({ start, end }) => text.slice(start, end));

test('the usual marks go, and what they mark stays', () => {
  const text =
    '# Tea timer #\n\nA **small** program, _old_ and `rm -rf *`; see [the list](docs/options.md).\n\n## Install\n\n```sh\nnpm install **tea**\n```\n\n| option | meaning |\n|---|:-:|\n| `--time` | how long |\n\n> said *once*\n\n- one\n- [x] two\n';
  assert.equal(
    shown(text),
    'Tea timer\n\nA small program, old and rm -rf *; see the list.\n\nInstall\n\nnpm install **tea**\n\n| option | meaning |\n| --time | how long |\n\nsaid once\n\n- one\n- [x] two\n',
  );
  assert.deepEqual(looking(text, 'h1'), ['Tea timer']);
  assert.deepEqual(looking(text, 'h2'), ['Install']);
  assert.deepEqual(looking(text, 'strong'), ['small']);
  assert.deepEqual(looking(text, 'em'), ['old', 'once']);
  assert.deepEqual(looking(text, 'code'), ['rm -rf *', 'npm install **tea**', '--time']);
  assert.deepEqual(looking(text, 'link'), ['the list']);
  assert.deepEqual(looking(text, 'bullet'), ['- ', '- [x] ']);
});

test('a line that ends within a paragraph ends nothing', () => {
  assert.deepEqual(looking('one\ntwo  \nthree\n\nfour\n- five\n', 'soft'), ['\n']);
});

test('each item of a numbered list is a line', () => {
  const text = 'What to do:\n1. Unpack the parts,\n   all of them.\n2. Join the sides.\n\n10) Weave.\n';
  assert.deepEqual(looking(text, 'number'), ['1. ', '2. ', '10) ']);
  assert.deepEqual(looking(text, 'soft').length, 1, 'the end of a line within an item');
  assert.deepEqual(looking('It was in\n1984. That is long ago.', 'number'), [], 'a number that only begins a line');
  assert.deepEqual(looking('A. One', 'number'), []);
});

test('underlined headings, pictures, addresses with brackets', () => {
  assert.equal(
    shown('Title\n=====\n\nPart\n----\n![a cat](cat.png) and [it](a_(b).html "why")\n'),
    'Title\n\nPart\na cat and it\n',
  );
  assert.deepEqual(looking('Title\n=====\nPart\n---\n', 'h2'), ['Part']);
});

test('what is no mark stays', () => {
  for (const text of [
    '2 * 3 * 4 = 24',
    'snake_case_name and __init__',
    '#hashtag',
    'a | b',
    '- - x',
    '\\',
    '[a] (b)',
    'un**closed',
    '```\nopen to the end',
  ]) {
    const left = shown(text);
    assert.equal(left, text === '```\nopen to the end' ? 'open to the end' : text.replace('__init__', 'init'), text);
  }
});

test('every character is in one stretch, whatever the text', () => {
  const alphabet = [
    '#',
    '*',
    '_',
    '`',
    '|',
    '-',
    '=',
    '>',
    '[',
    ']',
    '(',
    ')',
    '!',
    ' ',
    '\n',
    '\r\n',
    'a',
    'é',
    '😀',
    '~~~',
    '```',
  ];
  let seed = 7;
  const next = () => {
    seed = (seed * 1103515245 + 12345) % 2 ** 31;
    return seed;
  };
  for (let run = 0; run < 500; run++) {
    const text = Array.from({ length: next() % 60 }, () => alphabet[next() % alphabet.length]).join('');
    const stretches = looksIn(markdownMarks(text), 0, text.length);
    assert.equal(stretches.map(({ start, end }) => text.slice(start, end)).join(''), text);
  }
});

test('a long line of half marks takes no long', () => {
  const text = '[('.repeat(50_000) + '*'.repeat(50_000) + '`'.repeat(50_000);
  const began = performance.now();
  markdownMarks(text);
  const once = performance.now() - began;
  const twice = performance.now();
  markdownMarks(text + text);
  assert.ok(performance.now() - twice < 20 * once + 50, 'it grows with the text, not with its square');
});
