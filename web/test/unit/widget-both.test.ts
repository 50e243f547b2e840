// With words and vectors, the widget must find the same pages, chunks and scores as Go, to
// the last bit. The golden file is in shared/site. The program builds the index and its
// vectors.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { after, test } from 'node:test';
import { Index } from '../../widget/index/open.ts';
import { sourceOf } from './index-files.ts';
import { search } from '../../widget/index/search.ts';
import { bestPlace } from '../../widget/index/show.ts';
import { Damaged } from '../../widget/index/unpack.ts';
import { Sense } from '../../widget/meaning/meaning.ts';
import { corrected, Vectors } from '../../widget/meaning/vectors.ts';

interface Golden {
  query: string;
  asked: string;
  vector: string;
  typing?: boolean;
  filters?: Record<string, string[]>;
  newest?: boolean;
  dense?: boolean;
  hits: { url: string; chunks: number[]; score: number }[];
  count: number;
}

const golden = JSON.parse(readFileSync('shared/site/testdata/golden-meaning.json', 'utf8')) as Golden[];
const out = mkdtempSync(join(tmpdir(), 'seam-both-'));
after(() => rmSync(out, { recursive: true }));
interface Entry {
  indexes: { language: string; meta: string; meaning: string }[];
}
const run = (...args: string[]) => execFileSync(process.env['SEAM'] ?? resolve('bin/seam'), args, { encoding: 'utf8' });
run('index', '--site', 'shared/site/testdata/site', '--out', out, '--meaning', '--cache', 'off');
const { meta, meaning: first } = (JSON.parse(readFileSync(join(out, 'seam.json'), 'utf8')) as Entry).indexes.find(
  (i) => i.language === 'en',
)!;

const source = sourceOf(out);
const at = new URL('http://site.example/seam/');
const { signal } = new AbortController();

test('a question has the vector that it has in Go, and finds the same pages with the same scores', async () => {
  const x = await Index.open(source, meta);
  const sense = await Sense.open(x, source, at, first);
  assert.ok(golden.length > 5);
  for (const {
    query,
    asked,
    vector,
    typing = false,
    filters = {},
    newest = false,
    dense = false,
    hits,
    count,
  } of golden) {
    if (dense) continue; // the widget has no such search
    const found = await search(x, { text: query, typing, filters, newest }, (...words) =>
      sense.rank(query, signal, ...words),
    );
    assert.equal(corrected(found, query), asked);
    assert.equal(Buffer.from((await sense.encoder.encode(asked)).buffer).toString('base64'), vector, query);
    const seen = await Promise.all(
      found.hits.map(async (h) => {
        const { page, chunk } = await x.text(h.chunks[0]!);
        const place = bestPlace(found, chunk);
        return { url: page.u + (place ? `#${place.id}` : ''), chunks: h.chunks, score: h.score };
      }),
    );
    assert.deepEqual({ query, hits: seen, count: found.count }, { query, hits, count });
  }
});

test('long chunks, which have several vectors, are found with the scores that they have in Go', async () => {
  const site = mkdtempSync(join(tmpdir(), 'seam-long-'));
  after(() => rmSync(site, { recursive: true }));
  const cloth = [
    'The weft is beaten down with the reed.',
    'A shuttle carries the yarn from edge to edge.',
    'Shafts lift the warp in turn.',
  ];
  const others = [
    'Wool is washed in cool water and dried in the shade.',
    'Plants give yellow, and roots give red.',
    'Salt keeps the colour in the fibre.',
  ];
  const text = (...lists: string[][]) =>
    lists.map((l) => `<p>${Array.from({ length: 45 }, (_, i) => l[i % l.length]).join(' ')}</p>`).join('');
  [text(cloth, others), text(others), text(others, cloth, others)].forEach((body, i) => {
    writeFileSync(
      join(site, `${i}.html`),
      `<html lang="en"><title>Page ${i}</title><main><h1>Page ${i}</h1>${body}</main></html>`,
    );
  });
  const made = join(site, 'seam');
  const report = JSON.parse(run('index', '--site', site, '--out', made, '--meaning', '--cache', 'off', '--json')) as {
    meaning: { chunks: number; parts: number };
  };
  assert.ok(report.meaning.parts > report.meaning.chunks, JSON.stringify(report.meaning));
  const entry = JSON.parse(readFileSync(join(made, 'seam.json'), 'utf8')) as Entry;
  const from = sourceOf(made);
  const x = await Index.open(from, entry.indexes[0]!.meta);
  const sense = await Sense.open(x, from, at, entry.indexes[0]!.meaning);
  for (const query of ['the shuttle carries yarn', 'dyeing with plants', 'how do I dry washed wool?']) {
    const { hits } = JSON.parse(run('search', '--index', made, '--json', query)) as {
      hits: { url: string; score: number }[];
    };
    const found = await search(x, { text: query }, (...words) => sense.rank(query, signal, ...words));
    const seen = await Promise.all(
      found.hits.map(async (h) => ({ url: (await x.text(h.chunks[0]!)).page.u, score: h.score })),
    );
    assert.deepEqual(
      seen,
      hits.map(({ url, score }) => ({ url: url.split('#')[0]!, score })),
      query,
    );
    assert.ok(hits.length, query);
  }
});

test('a question that nobody waits for is not answered', async () => {
  const x = await Index.open(source, meta);
  const sense = await Sense.open(x, source, at, first);
  const reason = new Error('another question');
  await assert.rejects(
    search(x, { text: 'how to mend' }, (...words) => sense.rank('how to mend', AbortSignal.abort(reason), ...words)),
    reason,
  );
});

test('damaged vectors are told as such', async () => {
  const x = await Index.open(source, meta);
  await assert.rejects(
    Vectors.open(x, async (name, piece) => (await source(name, piece)).slice(0, 60), first),
    Damaged,
  );
  const vectors = await Vectors.open(
    x,
    async (name, piece) => (name.includes('/n') ? source(meta) : source(name, piece)),
    first,
  );
  const ranked = search(x, { text: 'warp' }, (found, s, rank) =>
    vectors.rank(new Float32Array(384).fill(0.05), found, s, rank),
  );
  await assert.rejects(ranked, Damaged);
});
