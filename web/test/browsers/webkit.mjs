// Starts WebKitGTK on its own display, and controls it through its WebDriver.

import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { LIMIT_MS, until } from '../browser/harness.mjs';
import { ended, started } from '../ending.mjs';
import { Visitor } from './visitor.mjs';

/** Features of Safari that are off by default in WebKitGTK. */
const AS_SAFARI = ['FileSystem', 'AccessHandle', 'StorageAPI', 'StorageAPIEstimate', 'FileSystemWritableStream'];

const paths = {
  Navigate: 'url', Refresh: 'refresh', ExecuteAsyncScript: 'execute/async', PerformActions: 'actions', SetTimeouts: 'timeouts',
  TakeScreenshot: ['screenshot'], GetWindowHandle: ['window'], NewWindow: 'window/new', SwitchToWindow: 'window', SetWindowRect: 'window/rect',
};

/** Sends a command. A path in brackets uses GET instead of POST. */
async function send(base, name, { id, ...body }) {
  const path = name === 'ElementSendKeys' ? `element/${id}/value` : paths[name];
  const [method, where] = name === 'CloseWindow' ? ['DELETE', 'window'] : Array.isArray(path) ? ['GET', path[0]] : ['POST', path];
  const response = await fetch(`${base}/${where}`, { method, signal: AbortSignal.timeout(2 * LIMIT_MS), ...(method === 'POST' ? { body: JSON.stringify(body) } : {}) });
  const { value } = await response.json();
  if (!response.ok) throw new Error(`${value.error}: ${value.message}`);
  return value;
}

class WebKit extends Visitor {
  async size(width, height) {
    // The window has a bar above the page; the difference is its height.
    const [dx, dy] = await this.run(() => [outerWidth - innerWidth, outerHeight - innerHeight]);
    await this.command('SetWindowRect', { width: width + dx, height: height + dy });
    await this.until((w) => innerWidth === w, width);
  }

  async trouble() {
    return this.said().split('\n').filter((line) => /CONSOLE.*(ERROR|WARN)/.test(line));
  }
}

/** Returns a free port. */
async function free() {
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise((done) => server.once('listening', done));
  const { port } = server.address();
  await new Promise((done) => server.close(done));
  return port;
}

async function display() {
  const x = started('Xvfb', ['-displayfd', '1', '-screen', '0', '1700x1200x24', '-nolisten', 'tcp'], { stdio: ['ignore', 'pipe', 'ignore'] });
  const number = await new Promise((done, fail) => {
    x.once('error', fail);
    x.once('exit', (code) => fail(new Error(`Xvfb ended with code ${code}`)));
    x.stdout.once('data', (chunk) => done(String(chunk).trim()));
  });
  return { x, number };
}

/** `program` is the driver. `hidden` means a private window. */
export async function startWebKit(program, hidden = false) {
  const home = mkdtempSync(join(tmpdir(), 'seam-webkit-'));
  const downloads = join(home, 'downloads');
  mkdirSync(downloads);
  const { x, number } = await display();
  const port = await free();
  const driver = started(program, [`--port=${port}`], {
    stdio: ['ignore', 'pipe', 'pipe'], env: { ...process.env, HOME: home, DISPLAY: `:${number}`, LIBGL_ALWAYS_SOFTWARE: '1' },
  });
  let output = '';
  for (const stream of [driver.stdout, driver.stderr]) stream.on('data', (chunk) => { output += chunk; });
  const close = async () => {
    await ended(driver);
    await ended(x);
    rmSync(home, { recursive: true, force: true, maxRetries: 5 });
  };
  try {
    const base = `http://127.0.0.1:${port}`;
    await until(() => fetch(`${base}/status`).catch(() => null));
    const options = { binary: join(import.meta.dirname, 'webkit-window.py'), args: [hidden ? '' : home, downloads, ...AS_SAFARI] };
    const response = await fetch(`${base}/session`, { method: 'POST', signal: AbortSignal.timeout(LIMIT_MS), body: JSON.stringify({ capabilities: { alwaysMatch: { 'webkitgtk:browserOptions': options } } }) });
    const { value } = await response.json();
    if (!response.ok) throw new Error(`${value.error}: ${value.message}`);
    const command = (name, body) => send(`${base}/session/${value.sessionId}`, name, body);
    await command('SetTimeouts', { script: LIMIT_MS, pageLoad: LIMIT_MS });
    return Object.assign(new WebKit(command), { version: value.capabilities.browserVersion, downloads, close, said: () => output });
  } catch (cause) {
    await close();
    throw cause;
  }
}
