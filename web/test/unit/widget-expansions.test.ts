// Chunks can be found by related words that they do not contain. The widget must find the
// same as Go, to the last bit.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { after, test } from 'node:test';
import { sourceOf } from './index-files.ts';
import { Index } from '../../widget/index/open.ts';
import { search } from '../../widget/index/search.ts';

const dir = mkdtempSync(join(tmpdir(), 'seam-expansions-'));
after(() => rmSync(dir, { recursive: true }));
const seam = (...args: string[]) =>
  execFileSync(process.env['SEAM'] ?? resolve('bin/seam'), args, { encoding: 'utf8' });

test('what expansions find is the same in Go and here', async () => {
  const out = join(dir, 'out');
  const index = (...more: string[]) =>
    seam('index', '--site', resolve('shared/site/testdata/site'), '--out', out, ...more);
  index('--chunks', join(dir, 'chunks.jsonl'));
  const chunks = readFileSync(join(dir, 'chunks.jsonl'), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { id: string });
  const lines = chunks.map(({ id }, i) =>
    JSON.stringify({ id, terms: { loom: 0.3 + i / 7, umbrella: i % 3, 'tension of rain': 1 / (i + 1) } }),
  );
  writeFileSync(join(dir, 'expansions.jsonl'), lines.join('\n'));
  index('--expansions', join(dir, 'expansions.jsonl'));
  const entry = JSON.parse(readFileSync(join(out, 'seam.json'), 'utf8')) as {
    indexes: { language: string; meta: string }[];
  };
  const x = await Index.open(sourceOf(out), entry.indexes.find(({ language }) => language === 'en')!.meta);
  for (const query of ['umbrella', 'rain', 'loom tension', 'umbrellas in the rain', 'umbrela', 'thread']) {
    const go = JSON.parse(seam('search', '--index', out, '--json', query)) as { hits: { score: number }[] };
    const found = await search(x, { text: query });
    assert.ok(found.hits.length > 0, query);
    assert.deepEqual(
      found.hits.map(({ score }) => score),
      go.hits.map(({ score }) => score),
      query,
    );
  }
});
