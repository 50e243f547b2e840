// Measures a visitor's downloads on the served files.

import assert from 'node:assert/strict';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';

const dist = process.env.SEAM_DIST ?? resolve(fileURLToPath(import.meta.url), '../../dist');
const files = readdirSync(dist, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile()).map((entry) => relative(dist, join(entry.parentPath, entry.name)));

function bytes(pattern) {
  const found = files.filter((name) => pattern.test(name));
  assert.equal(found.length, 1, `${pattern} in web/dist: ${found.join(', ') || 'none; run go run ./web/build'}`);
  return statSync(join(dist, found[0])).size;
}

const limits = [
  { what: 'engine, brotli', size: () => bytes(/^engine-\w+\.wasm\.br$/), limit: 1_600_000 },
  { what: 'model of meaning', size: () => bytes(/^meaning-\w+\.packed$/), limit: 8_000_000 },
  { what: 'PDF worker, brotli', size: () => bytes(/^pdf-\w+\.wasm\.br$/), limit: 3_000_000 },
  {
    what: 'tables of the PDF worker, all of them',
    size: () => files.filter((name) => name.endsWith('.cmaps')).reduce((sum, name) => sum + statSync(join(dist, name)).size, 0),
    limit: 1_000_000,
  },
  { what: 'bundle that shows the pages of a PDF, brotli', size: () => bytes(/^page-\w+\.js\.br$/), limit: 140_000 },
  { what: 'worker that draws them, brotli', size: () => bytes(/^drawer-\w+\.js\.br$/), limit: 340_000 },
  {
    what: 'page before the first file, JS and CSS with the service worker, gzip',
    size: () => files.filter((name) => /^((app|style|worker)-\w+\.(js|css)|sw\.js)$/.test(name))
      .reduce((sum, name) => sum + gzipSync(readFileSync(join(dist, name)), { level: 9 }).length, 0),
    limit: 48_000,
  },
];

const widget = resolve(fileURLToPath(import.meta.url), '../../widget/dist');
const widgetBytes = (pattern) => {
  const found = readdirSync(widget).filter((name) => pattern.test(name));
  assert.equal(found.length, 1, `${pattern} in web/widget/dist: ${found.join(', ') || 'none; run make widget'}`);
  return gzipSync(readFileSync(join(widget, found[0])), { level: 9 }).length;
};
limits.push(
  { what: 'widget of a docs site before anybody searches, gzip', size: () => widgetBytes(/^widget\.js$/), limit: 3000 },
  { what: 'what it loads on the page that a result leads to, gzip', size: () => widgetBytes(/^widget-marks-\w+\.js$/), limit: 3000 },
  { what: 'what it loads for an answer, gzip', size: () => widgetBytes(/^widget-ask-\w+\.js$/), limit: 6000 },
  { what: 'what it loads to find by meaning, beside the encoder, gzip', size: () => widgetBytes(/^widget-meaning-\w+\.js$/), limit: 7000 },
  { what: 'what it loads to search a collection behind a proxy, gzip', size: () => widgetBytes(/^widget-collection-\w+\.js$/), limit: 5000 },
  { what: 'what it loads when somebody does, gzip', size: () => widgetBytes(/^widget-panel-\w+\.js$/), limit: 23_000 },
);

const seam = resolve(fileURLToPath(import.meta.url), '../../../bin/seam');
limits.push({
  what: 'program seam',
  size: () => statSync(seam, { throwIfNoEntry: false })?.size ?? assert.fail('it is not built; run make build'),
  limit: 60_000_000,
});

for (const { what, size, limit } of limits) {
  test(`${what}: at most ${limit} bytes`, () => {
    const measured = size();
    console.log(`size ${what}: ${measured} of ${limit} bytes`);
    assert.ok(measured > 0 && measured <= limit, `${measured} bytes`);
  });
}

test('no raw program is shipped, and the manifest names every file', () => {
  assert.deepEqual(files.filter((name) => name.endsWith('.wasm')), []);
  const manifest = JSON.parse(readFileSync(join(dist, 'manifest.json'), 'utf8'));
  const named = new Set(manifest.flatMap(({ file, gzip, brotli }) => [file, ...(gzip ? [`${file}.gz`] : []), ...(brotli ? [`${file}.br`] : [])]));
  for (const name of files.filter((each) => !each.startsWith('.') && each !== 'manifest.json')) assert.ok(named.has(name), name);
});

test('what moves the line comes with the views of a document, not before the first file', () => {
  const has = (pattern) => /call\("recut"/.test(readFileSync(join(dist, files.find((name) => pattern.test(name))), 'utf8'));
  assert.ok(has(/^views-\w+\.js$/));
  assert.ok(!has(/^app-\w+\.js$/));
});

test('what index.html names with a hash imports nothing that has none', () => {
  const app = files.find((name) => /^app-\w+\.js$/.test(name));
  assert.doesNotMatch(readFileSync(join(dist, app), 'utf8'), /(from|import)\s*"\.\//);
});
