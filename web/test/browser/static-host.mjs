// Simulates common hosts: they send files with a content type, but no policy and no
// encoding, below some path.

import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { createServer, request as requestOf } from 'node:http';
import { extname, join } from 'node:path';
import { begun, contextOf, until, web } from './harness.mjs';

/** The built page; SEAM_DIST sets another folder for concurrent builds. */
export const dist = process.env.SEAM_DIST ?? join(web, 'dist');

const text = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css' };

/** Returns the content type by extension, as most hosts do. */
export const byExtension = (name) => ({
  'content-type': { ...text, '.svg': 'image/svg+xml', '.png': 'image/png', '.webmanifest': 'application/manifest+json', '.json': 'application/json', '.pdf': 'application/pdf', '.gz': 'application/gzip' }[extname(name)] ?? 'application/octet-stream',
});

/** Returns no useful type except where browsers insist on one. */
export const octets = (name) => ({ 'content-type': text[extname(name)] ?? 'application/octet-stream' });

/** Declares a .gz file as a content encoding, so that the browser inflates it. */
export const gzAsEncoding = (name) => ({ ...byExtension(name), ...(name.endsWith('.gz') && { 'content-encoding': 'gzip' }) });

/** Sends a body, or the range of it that a request asks for. */
function sendPart(request, response, headers, body, ranges) {
  const [, from, to] = (ranges && /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? '')) || [];
  if (from === undefined) return response.writeHead(200, headers).end(body);
  const all = Buffer.from(body);
  const part = all.subarray(Number(from), Number(to) + 1);
  return response.writeHead(206, { ...headers, 'content-length': part.length, 'content-range': `bytes ${from}-${Number(from) + part.length - 1}/${all.length}` }).end(part);
}

/**
 * Serves the page under a path until the test `t` ends. `change` may replace bytes, files
 * matching `without` are missing, without `ranges` whole files are sent, and files matching `held` wait for `release`.
 */
export async function staticHost(t, { headers = byExtension, base = '/some/base/path/', change = (_name, body) => body, without = /^$/, held = /^$/, dir = dist, ranges = true } = {}) {
  const missing = [];
  const { promise: released, resolve: release } = deferred();
  const server = createServer(async (request, response) => {
    const path = new URL(request.url, 'http://host').pathname;
    const name = path.slice(base.length).replace(/(^|\/)$/, '$1index.html');
    const file = join(dir, name);
    if (held.test(name)) await released;
    if (!path.startsWith(base) || without.test(name) || !existsSync(file)) {
      missing.push(path);
      response.writeHead(404, { 'content-type': 'text/plain' }).end('not here');
    } else sendPart(request, response, headers(name), change(name, readFileSync(file)), ranges);
  });
  await new Promise((done) => server.listen(0, '127.0.0.1', done));
  const close = () => new Promise((done) => {
    server.closeAllConnections();
    server.close(done);
  });
  t.after(close);
  return {
    url: `http://127.0.0.1:${server.address().port}${base}`,
    missing,
    release,
    /** Replaces the page by another version. */
    moveTo: (next, flaws = {}) => { dir = next; ({ without = without, change = change } = flaws); },
    /** Serves all files unchanged after this. */
    restore: () => { without = /^$/; change = (_name, body) => body; },
    close,
  };
}

/** Starts a reverse proxy that passes on everything but one header, and returns its address. */
export async function without(t, header, origin) {
  const server = createServer((request, response) => {
    const { pathname: path } = new URL(request.url, origin);
    const onward = requestOf(new URL(path, origin), { method: request.method, headers: { ...request.headers, host: request.headers.host } }, (answer) => {
      const { [header]: _removed, ...headers } = answer.headers;
      response.writeHead(answer.statusCode, headers);
      answer.pipe(response);
    });
    onward.on('error', () => response.destroy());
    request.pipe(onward);
  });
  await new Promise((done) => server.listen(0, '127.0.0.1', done));
  t.after(() => new Promise((done) => {
    server.closeAllConnections();
    server.close(done);
  }));
  return `http://127.0.0.1:${server.address().port}/`;
}

/** Returns a promise with its resolver. */
function deferred() {
  let resolve;
  const promise = new Promise((done) => { resolve = done; });
  return { promise, resolve };
}

/** Opens a page with an empty console and no requests to other hosts. */
export async function visit(t, browser, url, { ignore = /^$/, ...options } = {}) {
  const context = await contextOf(browser, { acceptDownloads: true, ...options });
  t.after(() => context.close());
  const trouble = [];
  const { origin } = new URL(url);
  context.on('request', (request) => {
    if (!request.url().startsWith(origin) && !request.url().startsWith('blob:')) trouble.push(`request to ${request.url()}`);
  });
  context.on('console', (message) => {
    if (['error', 'warning'].includes(message.type()) && !ignore.test(message.text())) trouble.push(`console: ${message.text()}`);
  });
  context.on('weberror', (error) => trouble.push(`error: ${error.error().stack}`));
  const page = await context.newPage();
  await page.goto(url);
  return { page, context, check: () => assert.deepEqual(trouble, []) };
}

/**
 * Chromium warns of any sandbox that lets a page keep its origin, which ours must for its
 * workers.
 */
export const sandboxWarning = /allow-scripts and allow-same-origin for its sandbox/;

/** Waits until the policy is in force, which may need a reload, and the script has run. */
export async function bound(page) {
  await page.waitForFunction(() => performance.getEntriesByType('navigation')[0]?.serverTiming.some(({ name }) => name === 'seam'));
  await begun(page);
}

/** Waits until the service worker has stored everything for offline use. */
export function keptAll(page) {
  return until(() => page.evaluate(async () => {
    const urls = (await Promise.all((await caches.keys()).map(async (name) => (await caches.open(name)).keys()))).flat().map(({ url }) => url);
    return urls.filter((url) => url.includes('.wasm')).length === 2;
  }));
}

/** Returns the text of the pill's dialog. */
export async function told(page) {
  const panel = page.locator('#ledger');
  if (!await panel.isVisible()) await page.locator('.seal').click();
  return panel.innerText();
}
