// The widget must find the same pages, chunks and scores as Go, to the last bit. The golden
// file is in shared/site. The program builds the index.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { after, test } from 'node:test';
import { sourceOf } from './index-files.ts';
import { Index } from '../../widget/index/open.ts';
import { search } from '../../widget/index/search.ts';
import { bestPlace, excerpt, marked } from '../../widget/index/show.ts';
import { Damaged } from '../../widget/index/unpack.ts';
import { eachSigned, eachWord, queryWords } from '../../widget/index/words.ts';

interface Golden {
  language: string;
  query: string;
  typing?: boolean;
  filters?: Record<string, string[]>;
  newest?: boolean;
  hits: { url: string; chunks: number[]; score: number }[];
  count: number;
  together: number;
  all: number;
  unknown?: string[];
  corrections?: { word: string; taken: string }[];
}

const site = resolve('shared/site/testdata/site');
const golden = JSON.parse(readFileSync('shared/site/testdata/golden.json', 'utf8')) as Golden[];
const out = mkdtempSync(join(tmpdir(), 'seam-widget-'));
after(() => rmSync(out, { recursive: true }));
execFileSync(process.env['SEAM'] ?? resolve('bin/seam'), ['index', '--site', site, '--out', out]);
const entry = JSON.parse(readFileSync(join(out, 'seam.json'), 'utf8')) as {
  indexes: { language: string; meta: string }[];
};

const source = sourceOf(out);
const opened = (language: string) => Index.open(source, entry.indexes.find((i) => i.language === language)!.meta);

test('every query of the golden file finds what it finds in Go', async () => {
  assert.ok(golden.length > 30);
  for (const q of golden) {
    const x = await opened(q.language);
    const found = await search(x, {
      text: q.query,
      typing: q.typing ?? false,
      filters: q.filters ?? {},
      newest: q.newest ?? false,
    });
    const hits = await Promise.all(
      found.hits.map(async (h) => {
        const { page, chunk } = await x.text(h.chunks[0]!);
        const place = bestPlace(found, chunk);
        return { url: page.u + (place ? `#${place.id}` : ''), chunks: h.chunks, score: h.score };
      }),
    );
    const { count, together, all, unknown, corrections } = found;
    assert.deepEqual(
      { query: q.query, hits, count, together, all, unknown, corrections },
      {
        query: q.query,
        hits: q.hits,
        count: q.count,
        together: q.together,
        all: q.all,
        unknown: q.unknown ?? [],
        corrections: q.corrections ?? [],
      },
    );
  }
});

test('words of a text are those of the index', () => {
  const words = (s: string) => {
    const all: string[] = [];
    eachWord(s, (form, from, to, single) => {
      if (!single) all.push(`${form}:${s.slice(from, to)}`);
    });
    return all.join(' ');
  };
  assert.equal(
    words("Don't max_tokens maxTokens 1,000.5 C++ x#"),
    "dont:Don't max_tokens:max_tokens max:max tokens:tokens maxtokens:maxTokens max:max tokens:Tokens 1000.5:1,000.5 c++:C++ x#:x#",
  );
  assert.equal(words('Cafe\u0301 L’été naïve'), 'café:Cafe\u0301 été:été naïve:naïve');
  assert.equal(words('o\ufb03ce re\u00adport ＡＢＣ１'), 'office:o\ufb03ce report:re\u00adport abc1:ＡＢＣ１');
  assert.equal(words('\ufeb3\ufefc\ufee1'), 'سلام:\ufeb3\ufefc\ufee1');
  assert.equal(
    words("l'homme qu’il DELL'ARTE d'été Dell's O'Brien d'"),
    "homme:homme il:il arte:ARTE été:été dells:Dell's obrien:O'Brien d:d",
  );
  assert.equal(words('_x_ __init__ a_'), 'x:_x_ x:x init:__init__ init:init a:a_ a:a');
  assert.equal(words('织布机 と カタ'), '织布:织布 布机:布机 と:と カタ:カタ');
  assert.deepEqual(queryWords('os.path.join OS std::fmt 3.11'), [
    'os',
    'path',
    'join',
    'std',
    'fmt',
    '3.11',
    'os.path.join',
    'std.fmt',
  ]);
});

test('words of texts and queries are those of the golden file', () => {
  const golden = JSON.parse(
    readFileSync(new URL('../../../shared/site/testdata/words.json', import.meta.url), 'utf8'),
  ) as { text: string; words: string[]; query: string[] }[];
  assert.ok(golden.length > 5);
  for (const { text, words, query } of golden) {
    const all: string[] = [];
    eachWord(text, (form, _from, _to, extra) => all.push((extra ? '+' : '') + form));
    eachSigned(text, (form) => all.push(form));
    assert.deepEqual(all, words, text);
    assert.deepEqual(queryWords(text), query, text);
  }
});

test('an excerpt has the words that were looked for, and marks them', async () => {
  const x = await opened('en');
  const found = await search(x, { text: 'weight loose' });
  const long = `${'Lorem ipsum dolor sit amet. '.repeat(40)}Hang a small weight on a thread that has become loose. ${'Consectetur elit. '.repeat(40)}`;
  const part = excerpt(found, long);
  assert.match(part, /^… .*weight.*loose/);
  assert.ok(part.length < 220, part);
  assert.deepEqual(
    marked(found, part)
      .filter((p) => p.hit)
      .map((p) => p.text),
    ['weight', 'loose'],
  );
  assert.equal(
    marked(found, part)
      .map((p) => p.text)
      .join(''),
    part,
  );
});

test('a damaged file is told as one', async () => {
  const { meta } = entry.indexes[0]!;
  for (const damaged of [
    new ArrayBuffer(0),
    (await source(meta)).slice(0, 40),
    new TextEncoder().encode('<!doctype html>').buffer,
  ]) {
    await assert.rejects(
      Index.open(async () => damaged, meta),
      Damaged,
    );
  }
});
