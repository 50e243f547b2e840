// A browser with a persistent profile that can be killed as by a power cut: its process
// group is ended by its id.

import { chromium } from 'playwright-core';
import { started } from '../ending.mjs';
import { allSettings, executablePath, FLAGS, LIMIT_MS } from './harness.mjs';

/**
 * Starts Chromium with a profile. `kill` ends all its processes immediately; `close` ends
 * it normally.
 */
export async function launch(profile) {
  const program = started(executablePath(), [...FLAGS, '--headless', '--window-size=1400,900', '--remote-debugging-port=0', `--user-data-dir=${profile}`, 'about:blank'],
    { stdio: ['ignore', 'ignore', 'pipe'] });
  const ended = new Promise((done) => { program.once('exit', done); });
  const address = await new Promise((done, fail) => {
    let said = '';
    program.stderr.on('data', (chunk) => {
      said += chunk;
      const found = /DevTools listening on (ws:\S+)/.exec(said);
      if (found) done(found[1]);
    });
    program.once('error', fail);
    program.once('exit', (code) => fail(new Error(`Chromium ended with ${code}: ${said}`)));
  });
  const browser = await chromium.connectOverCDP(address);
  const [context] = browser.contexts();
  context.setDefaultTimeout(LIMIT_MS);
  await context.addInitScript(allSettings);
  const cdp = await browser.newBrowserCDPSession();
  return {
    context,
    async kill() {
      process.kill(-program.pid, 'SIGKILL');
      await ended;
      await browser.close().catch(() => undefined);
    },
    /** Kills the processes of pages, but not the browser. */
    async killPages() {
      const { processInfo } = await cdp.send('SystemInfo.getProcessInfo');
      for (const { type, id } of processInfo) if (type === 'renderer') process.kill(id, 'SIGKILL');
    },
    async close() {
      await cdp.send('Browser.close').catch(() => undefined);
      await ended;
    },
  };
}

/** Returns a generator of reproducible numbers from 0 to 1 (mulberry32). */
export function chance(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let x = Math.imul(state ^ (state >>> 15), 1 | state);
    x = (x + Math.imul(x ^ (x >>> 7), 61 | x)) ^ x;
    return ((x ^ (x >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Returns and prints the seed of this run: $SEAM_SEED, or a random one. */
export function seed() {
  const chosen = Number(process.env.SEAM_SEED || Math.floor(Math.random() * 1e9));
  console.log(`SEAM_SEED=${chosen}`);
  return chosen;
}

/**
 * Installed in each page: calls `report` with the displayed state of the documents,
 * whenever a change is about to be painted.
 */
export function watchRows() {
  let frame = 0;
  const look = () => {
    const rows = [...document.querySelectorAll('.doc')].map((row) => ({
      name: row.querySelector('.name').textContent, state: row.dataset.state, saved: row.querySelector('.kept').dataset.state === 'saved',
      selected: row.querySelector('.select').hasAttribute('aria-current'),
    }));
    const line = document.querySelector('.by-hand');
    window.report({ rows, changes: line && !line.hidden ? Number(/^\d+/.exec(line.textContent)?.[0] ?? 0) : 0 });
  };
  new MutationObserver(() => {
    // After all other work before the next frame.
    cancelAnimationFrame(frame);
    frame = requestAnimationFrame(look);
  }).observe(document, { subtree: true, childList: true, attributes: true, characterData: true });
}
