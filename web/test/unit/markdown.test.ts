// The Markdown of an answer as a tree: its forms, its citations, text that is still arriving,
// and text made to be slow or deep.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parse, withoutInvented } from '../../app/hosted/markdown.ts';
import type { Node } from '../../app/hosted/markdown-inline.ts';

/** Writes a tree as a short text: tag(children), with the number of a passage or a list after the tag. */
function short(nodes: readonly Node[]): string {
  return nodes
    .map((node) => (typeof node === 'string' ? node : `${node.tag}${node.n ?? ''}(${short(node.children)})`))
    .join('');
}

const whole = (text: string, most = 9) => short(parse(text, { most }).pieces);
const arriving = (text: string) => short(parse(text, { most: 9 }, true).pieces);

test('paragraphs, headings, rules', () => {
  assert.equal(whole('One\ntwo.\n\n\n# Three #\nfour\n***\nfive'), 'p(One\ntwo.)heading1(Three)p(four)hr()p(five)');
  assert.equal(whole('#no heading\n\n###### six\n\n#'), 'p(#no heading)heading6(six)heading1()');
});

test('lists, nested as models indent them', () => {
  assert.equal(whole('- a\n- b\n  - c\n    - d\n- e'), 'ul(li(a)li(bul(li(cul(li(d)))))li(e))');
  assert.equal(whole('3. a\n  - b\n    - c\n4. d\n\n5) e'), 'ol3(li(aul(li(bul(li(c)))))li(d)li(e))');
  assert.equal(whole('Steps:\n1. a\ngoes on\n\n   more\n\nend'), 'p(Steps:)ol1(li(p(a\ngoes on)p(more)))p(end)');
  assert.equal(whole('* a\n1. b'), 'ul(li(a))ol1(li(b))');
  assert.equal(whole('- a\n  ```\n  - code [1]\n\n  ```\n- # b'), 'ul(li(apre(- code [1]\n))li(strong(b)))');
  assert.equal(whole('It was in\n1990. Then'), 'p(It was in\n1990. Then)');
});

test('code, quotations, tables', () => {
  assert.equal(whole('```py\nif a < b:\n  c[1]\n```\nend'), 'pre(if a < b:\n  c[1])p(end)');
  assert.equal(whole('> a\n> > b\n\nc'), 'blockquote(p(a)blockquote(p(b)))p(c)');
  assert.equal(
    whole('| Part | m² |\n|---|--:|\n| Loft [1] | **120** |\n| a \\| b | 1 | 2 |\nend'),
    'div(table(thead(tr(th(Part)th1(m²)))tbody(tr(td(Loft cite1())td1(strong(120)))tr(td(a | b)td1(1)))))p(end)',
  );
  assert.equal(whole('a | b\nc'), 'p(a | b\nc)');
});

test('emphasis and code within a line', () => {
  assert.equal(
    whole('**a** *b* ***c*** __d__ _e_ ~~f~~ `g*`'),
    'p(strong(a) em(b) strong(em(c)) strong(d) em(e) del(f) code(g*))',
  );
  assert.equal(whole('**a *b* c** snake_case_name 2 * 3 * 4'), 'p(strong(a em(b) c) snake_case_name 2 * 3 * 4)');
  assert.equal(whole('**a *b** c `` d ` e `` `f'), 'p(strong(a *b) c code(d ` e) `f)');
  assert.equal(whole('\\*a\\* **b'), 'p(*a* **b)');
});

test('citations anywhere but in code; numbers that name no passage are left out', () => {
  let invented = 0;
  const { pieces } = parse('**A [1]** and `[1]`.\n- b [2, 3], c [44].\n\nd[i] [0]', {
    most: 3,
    invented: () => invented++,
  });
  assert.equal(short(pieces), 'p(strong(A cite1()) and code([1]).)ul(li(b cite2()cite3(), c.))p(d[i])');
  assert.equal(invented, 2);
  assert.equal(withoutInvented('a [2, 3], c [44]. `[44]`\n```\n[44]\n```', 3), 'a [2][3], c. `[44]`\n```\n[44]\n```');
});

test('links and images are words, and raw HTML is text', () => {
  assert.equal(
    whole('[**a**](https://a.example/b_(c)) [d](javascript:alert(1)) ![a cat](https://a.example/cat.png) <img src=x>'),
    'p(strong(a) (https://a.example/b_(c)) d (javascript:alert(1)) a cat <img src=x>)',
  );
  assert.equal(whole('[https://a.example](https://a.example) [a] (b)'), 'p(https://a.example [a] (b))');
});

test('an element that has begun in an arriving text is shown as if it had ended', () => {
  assert.equal(arriving('**a'), 'p(strong(a))');
  assert.equal(arriving('**a\n'), 'p(strong(a))');
  assert.equal(arriving('**a\n\nb *c `d'), 'p(**a)p(b em(c code(d)))');
  assert.equal(arriving('```\na\n``'), 'pre(a\n)');
  assert.equal(arriving('| a | b'), 'div(table(thead(tr(th(a)th(b)))))');
  assert.equal(arriving('| a | b |\n|--'), 'div(table(thead(tr(th(a)th(b)))))');
  for (const [text, shown] of Object.entries({
    'a [1': 'p(a)',
    'a *': 'p(a)',
    '- a\n-': 'ul(li(a))',
    '#': '',
    'a [b](http://c': 'p(a b)',
  }))
    assert.equal(arriving(text), shown, text);
});

test('blocks before the last stay as they are while a text arrives', () => {
  const text =
    '# A\n\nOne **two** [1]\n\n- a\n  - b\n\n- c\n\n| d | e |\n|---|---|\n| f | g |\n\n```\nh\n\ni\n```\n> j\n\n1. k\n2. l\n\n---\nend';
  const all = parse(text, { most: 9 }).pieces;
  let done: string[] = [];
  let from = 0;
  for (let i = 1; i <= text.length; i++) {
    const { pieces, last } = parse(text.slice(from, i), { most: 9 }, true);
    done = [...done, ...pieces.slice(0, -1).map((piece) => short([piece]))];
    from += last;
    assert.deepEqual(
      done,
      all.slice(0, done.length).map((piece) => short([piece])),
      text.slice(0, i),
    );
  }
  assert.equal(done.length, all.length - 1);
});

const M = 200_000;
const hostile: Record<string, string> = {
  'nested brackets': '['.repeat(10_000) + ']('.repeat(10_000),
  'nested quotations': `${'>'.repeat(10_000)} a`,
  'nested markers': `${'- '.repeat(10_000)}a`,
  'levels of a list': Array.from({ length: 1000 }, (_, i) => `${' '.repeat(2 * i)}- a`).join('\n'),
  'a long line': 'a '.repeat(M / 2),
  asterisks: '*'.repeat(M),
  'emphasis that begins': 'a **b *c _d __e ~~f '.repeat(M / 20),
  'emphasis that ends': 'a* b** c_ '.repeat(M / 10),
  'runs of backticks': Array.from({ length: 1400 }, (_, i) => '`'.repeat(i)).join(' '),
  'links that begin': '[a]('.repeat(M / 4),
  'images that begin': '![](('.repeat(M / 5),
  blanks: `- a${'\n'.repeat(M)}b`,
  'blanks in lines': `-${' '.repeat(M)}-x|\n|-${' '.repeat(M)}x`,
  bars: `${'|'.repeat(M / 2)}\n${'|-'.repeat(M / 2)}`,
  rows: '|a|b|\n'.repeat(M / 6),
  'numbers of no passage': 'a [99]'.repeat(M / 6),
  fences: '```\n- a\n'.repeat(M / 10),
  marks: `# ${'#'.repeat(M)}a`,
};
for (const [name, text] of Object.entries(hostile))
  test(`linear and not deep: ${name}`, () => {
    const begun = performance.now();
    for (const open of [false, true]) assert.ok(depthOf(parse(text, { most: 9 }, open).pieces) < 40);
    withoutInvented(text, 9);
    assert.ok(performance.now() - begun < 20_000, `${Math.round(performance.now() - begun)} ms`);
  });

function depthOf(nodes: readonly Node[]): number {
  return nodes.reduce((most, node) => Math.max(most, typeof node === 'string' ? 0 : 1 + depthOf(node.children)), 0);
}
