// Measures the engine's vector work in a real Chromium, compared with reading the memory,
// plain JavaScript and packages. Prints medians of one run in which contestants take turns.
// On a busy machine, only the ratios are meaningful. `make bench-web` builds the page
// first.

import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { extname, join, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';

const here = fileURLToPath(new URL('.', import.meta.url));
const root = resolve(here, '../..');
const dist = process.env.SEAM_DIST ?? join(root, 'web', 'dist');
const built = mkdtempSync(join(tmpdir(), 'seam-bench-'));
const TYPES = { '.html': 'text/html', '.js': 'text/javascript', '.mjs': 'text/javascript', '.wasm': 'application/wasm' };

const go = (...args) => execFileSync('go', args, { cwd: root, encoding: 'utf8' });
go('run', './web/build', '--bench', join(built, 'bench.wasm'));

const folders = {
  '/npm/': join(here, 'node_modules'),
  '/kernel/': join(root, 'wasm', 'kernel'),
  '/dist/': dist,
  '/bench.wasm': join(built, 'bench.wasm'),
  '/wasm_exec.js': join(go('env', 'GOROOT').trim(), 'lib', 'wasm', 'wasm_exec.js'),
  '/': here,
};

/** Returns the file for a path. Throws if it is outside the served folder. */
function fileOf(path) {
  const prefix = Object.keys(folders).find((each) => path.startsWith(each));
  const name = resolve(folders[prefix], path.slice(prefix.length));
  if (name !== folders[prefix] && !name.startsWith(folders[prefix].replace(/\/?$/, sep))) throw new Error(`${path} is nowhere`);
  return name;
}

// The page is isolated, because the clock is coarse otherwise.
const server = createServer((request, response) => {
  const path = decodeURIComponent(new URL(request.url, 'http://localhost').pathname);
  try {
    const body = path === '/' ? '<!doctype html><script src="/wasm_exec.js"></script>' : readFileSync(fileOf(path));
    response.writeHead(200, {
      'content-type': TYPES[path === '/' ? '.html' : extname(path)] ?? 'application/octet-stream',
      'cross-origin-opener-policy': 'same-origin', 'cross-origin-embedder-policy': 'require-corp',
    });
    response.end(body);
  } catch {
    response.writeHead(404).end();
  }
});
await new Promise((done) => { server.listen(0, '127.0.0.1', done); });

const file = (pattern) => {
  const found = readdirSync(dist).find((name) => pattern.test(name));
  if (!found) throw new Error(`${dist} has no ${pattern}: run make build`);
  return found;
};

/** Runs a function of page.mjs in a new page. */
async function inPage(browser, name, ...args) {
  const page = await browser.newPage();
  await page.goto(`http://127.0.0.1:${server.address().port}/`);
  const result = await page.evaluate(async ([each, params]) => (await import('./page.mjs'))[each](...params), [name, args]);
  await page.close();
  return result;
}

const line = (what, ours, peer, theirs, ratio, unit = 'ms') => console.log(
  `${what.padEnd(44)} ${ours.toFixed(3).padStart(9)} ${unit}  ${peer.padEnd(26)} ${theirs.toFixed(3).padStart(9)} ${unit}  ${ratio.toFixed(2).padStart(6)}`);

async function searches(browser, n, withVoy) {
  const { ms, recalls } = await inPage(browser, 'search', n, withVoy);
  const what = `${n.toLocaleString('en')} × 384, the nearest 10`;
  line(what, ms.exact, 'a loop that only reads', ms.read, ms.exact / ms.read);
  line(`${what}, of any length`, ms.anyLength, 'a loop that only reads', ms.read, ms.anyLength / ms.read);
  line(`${what}, through bytes`, ms.bytes, 'a loop that only reads', ms.read, ms.bytes / ms.read);
  line(what, ms.exact, 'Float32Array in JavaScript', ms.plain, ms.plain / ms.exact);
  line(what, ms.exact, '@orama/orama', ms.orama, ms.orama / ms.exact);
  if (withVoy) line(what, ms.exact, 'voy-search', ms.voy, ms.voy / ms.exact);
  console.log(`  recall ${Object.entries(recalls).map(([name, share]) => `${name} ${share.toFixed(4)}`).join(' · ')}`);
}

async function neighbours(browser) {
  const { ms, cuts } = await inPage(browser, 'neighbours', 100_000);
  const what = 'neighbours and cuts of 100,000 × 384';
  line(what, ms.kernel, 'JavaScript', ms.plain, ms.plain / ms.kernel);
  console.log(`  neighbours alone ${ms.neighbours.toFixed(3)} ms`);
  line(what, ms.kernel, 'Go without the kernel', ms.go, ms.go / ms.kernel);
  console.log(`  cuts ${Object.entries(cuts).map(([name, n]) => `${name} ${n}`).join(' · ')}`);
}

async function embedding(browser) {
  const perSecond = await inPage(browser, 'embedding', file(/^model-\w+\.bin$/));
  line('embedding, thousands of sentences a second', perSecond.kernel / 1e3, 'Go without the kernel', perSecond.go / 1e3, perSecond.kernel / perSecond.go, '/s');
}

async function roundTrip(browser) {
  const ms = await inPage(browser, 'roundTrip', file(/^worker-\w+\.js$/));
  line('page to engine and back', ms.cancel, 'a worker that answers at once', ms.echo, ms.cancel / ms.echo);
  line('page to engine and back', ms.cancel, 'with all that hello says', ms.hello, ms.hello / ms.cancel);
}

/** `node bench.mjs NAME` runs one of them. */
const parts = {
  small: (browser) => searches(browser, 10_000, true),
  large: (browser) => searches(browser, 100_000, false),
  neighbours,
  embedding,
  roundTrip,
};

const browser = await chromium.launch({
  executablePath: execFileSync(join(root, 'web', 'test', 'find-chromium.sh'), { encoding: 'utf8' }).trim(),
  args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--no-first-run'],
});
const only = process.argv[2];
try {
  console.log(`${'job'.padEnd(44)} ${'seam'.padStart(12)}  ${'peer'.padEnd(39)}  ratio`);
  for (const [name, part] of Object.entries(parts)) if (!only || name === only) await part(browser);
} finally {
  await browser.close();
  server.close();
  rmSync(built, { recursive: true });
}
