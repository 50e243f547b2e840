// The real `seam serve` as a proxy with a scripted provider, behind a relay that records
// every byte for the browser and can refuse websockets.

import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { join, resolve } from 'node:path';
import { serving, start, web, work } from './harness.mjs';

/** The provider's key, which must never reach anything else. */
export const canary = 'sk-canary-0123456789abcdef';

/** Starts the scripted provider as a program: see its main.go. */
async function upstream() {
  const program = join(work, 'upstream');
  execFileSync('go', ['build', '-o', program, './proxy/upstream/upstreamtest/server'], { cwd: resolve(web, '..'), stdio: ['ignore', 'inherit', 'inherit'] });
  const { url, stop } = await serving(program, [], /http:\/\/127\.0\.0\.1:\d+\/v1/);
  const { origin } = new URL(url);
  return {
    url,
    stop,
    /** Sets the answers of the next requests, one script each. */
    script: (...lines) => fetch(`${origin}/script`, { method: 'POST', body: lines.join('\n') }),
    /** Releases the requests with a script that begins with "hold; ". */
    release: () => fetch(`${origin}/release`, { method: 'POST' }),
    /**
     * Sets the answers used when no script is left: the first rule with all its texts in
     * the body, `[[text, …], script]`.
     */
    by: (...rules) => fetch(`${origin}/by`, { method: 'POST', body: JSON.stringify(rules.map(([has, answer]) => ({ has, script: answer }))) }),
    /** Returns the requests since `from` by the end of their path. */
    async requests(kind, from = 0) {
      const all = await (await fetch(`${origin}/requests`)).json();
      return all.filter(({ path }) => path.endsWith(kind)).slice(from);
    },
  };
}

/** Relays bytes unchanged in both directions, and records the requests and the answers. */
async function relay() {
  const seen = { paths: [], bytes: [], sockets: true, port: 0 };
  const open = new Set();
  const server = createServer((browser) => {
    const host = connect(seen.port, '127.0.0.1');
    for (const socket of [browser, host]) {
      open.add(socket);
      socket.on('error', () => undefined);
      socket.on('close', () => { open.delete(socket); browser.destroy(); host.destroy(); });
    }
    browser.on('data', (data) => {
      const head = data.toString('latin1');
      const [, path] = /^(?:GET|POST|OPTIONS|HEAD) (\S+) HTTP/.exec(head) ?? [];
      if (path) seen.paths.push(path);
      if (!seen.sockets && /\r\nupgrade: websocket/i.test(head)) browser.end('HTTP/1.1 502 Bad Gateway\r\ncontent-length: 0\r\nconnection: close\r\n\r\n');
      else host.write(data);
    });
    host.on('data', (data) => {
      seen.bytes.push(data);
      browser.write(data);
    });
  });
  await new Promise((done) => server.listen(0, '127.0.0.1', done));
  return {
    seen,
    url: `http://127.0.0.1:${server.address().port}/`,
    /** Ends every connection. */
    cut: () => { for (const socket of open) socket.destroy(); },
    async close() {
      for (const socket of open) socket.destroy();
      await new Promise((done) => server.close(done));
    },
  };
}

/**
 * Starts all parts. `url` is the page behind the relay, with its token; `origins` are other
 * sites that may connect; `more` has lines for the configuration; `dir` is another page.
 */
export async function proxied({ origins = [], more = '', dir = process.env.SEAM_DIST } = {}) {
  mkdirSync(work, { recursive: true });
  const own = mkdtempSync(join(work, 'proxy-'));
  const provider = await upstream();
  const { seen, ...between } = await relay();
  const config = join(own, 'seam-proxy.yaml');
  writeFileSync(config, `origins: ${JSON.stringify([new URL(between.url).origin, ...origins])}
providers:
  - name: scripted
    base_url: ${provider.url}
    key_env: SEAM_TEST_KEY
    models:
      - {id: embed-small, kind: embed, dimensions: 16, price: 0.02}
      - {id: embed-other, kind: embed, dimensions: 16, label: Other}
      - {id: chat-small, kind: chat, price: 0.15, price_out: 0.6}
${more}`);
  const site = await start({ dir, args: ['--config', config, '--state', join(own, 'state')], env: { SEAM_TEST_KEY: canary } });
  seen.port = Number(new URL(site.url).port);
  return {
    browser: site.browser,
    /** As printed, for the page. */
    url: `${between.url}#token=${site.token}`,
    /** Without the token. */
    bare: between.url,
    token: site.token,
    provider,
    seen,
    cut: between.cut,
    /** Ends only the proxy. */
    stop: site.stop,
    async close() {
      await site.close();
      await between.close();
      await provider.stop();
      rmSync(own, { recursive: true });
    },
  };
}
