// Starts a stock Firefox with its own profile, and controls it through Marionette, its
// protocol for tests.

import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { LIMIT_MS, until } from '../browser/harness.mjs';
import { ended, started } from '../ending.mjs';
import { Visitor } from './visitor.mjs';

const preferences = (downloads, hidden) => ({
  'browser.privatebrowsing.autostart': hidden,
  'marionette.port': 0, // it writes the port into its profile
  'browser.download.folderList': 2,
  'browser.download.dir': downloads,
  'browser.download.always_ask_before_handling_new_types': false,
});

/** Answers arrive in the order of their numbers, each as its length, a colon and JSON. */
class Marionette {
  #socket;
  #waiting = new Map();
  #rest = Buffer.alloc(0);
  #last = 0;

  constructor(socket) {
    this.#socket = socket;
    socket.on('data', (chunk) => this.#take(chunk));
    socket.on('close', () => this.#fail());
    socket.on('error', () => this.#fail());
  }

  #take(chunk) {
    this.#rest = Buffer.concat([this.#rest, chunk]);
    for (let colon; (colon = this.#rest.indexOf(':')) > 0;) {
      const end = colon + 1 + Number(this.#rest.subarray(0, colon));
      if (this.#rest.length < end) return;
      const message = JSON.parse(this.#rest.subarray(colon + 1, end));
      this.#rest = this.#rest.subarray(end);
      if (!Array.isArray(message)) continue; // its greeting
      const [, id, error, result] = message;
      const { done, fail } = this.#waiting.get(id);
      this.#waiting.delete(id);
      if (error) fail(new Error(`${error.error}: ${error.message}`));
      else done(result && 'value' in result ? result.value : result);
    }
  }

  #fail() {
    for (const { fail } of this.#waiting.values()) fail(new Error('Firefox has ended'));
    this.#waiting.clear();
  }

  send(name, body) {
    const id = ++this.#last;
    const text = JSON.stringify([0, id, name, body]);
    return new Promise((done, fail) => {
      this.#waiting.set(id, { done, fail });
      this.#socket.write(`${Buffer.byteLength(text)}:${text}`);
    });
  }
}

class Firefox extends Visitor {
  /** Runs a script with the privileges of the browser. */
  async #within(script, ...args) {
    await this.command('Marionette:SetContext', { value: 'chrome' });
    try {
      return await this.command('ExecuteScript', { script, args });
    } finally {
      await this.command('Marionette:SetContext', { value: 'content' });
    }
  }

  /** Reloads like the browser's button. The command Refresh would bypass the service worker. */
  async reload() {
    await this.run(() => { window.leaving = true; location.reload(); });
    await this.until(() => !window.leaving && document.readyState === 'complete');
  }

  /** Sets the size of the page, because a window cannot be as narrow as a phone. */
  async size(width, height) {
    await this.#within(`const [width, height] = arguments; const { style } = gBrowser.selectedBrowser;
      for (const [side, length] of [['width', width], ['height', height]]) for (const limit of ['min-', 'max-', '']) style.setProperty(limit + side, length + 'px');`, width, height);
    await this.until((w, h) => innerWidth === w && innerHeight === h, width, height);
  }

  /** Sets a dark or light colour scheme, as the system would. */
  async scheme(dark) {
    await this.#within(`Services.prefs.setIntPref('layout.css.prefers-color-scheme.content-override', arguments[0] ? 0 : 1);`, dark);
    await this.until((wanted) => matchMedia('(prefers-color-scheme: dark)').matches === wanted, dark);
  }

  /**
   * Returns the console messages of scripts and policies for an address, except from
   * scripts that were running when their tab was closed.
   */
  trouble(url) {
    return this.#within(`return Services.console.getMessageArray().filter((m) => m instanceof Ci.nsIScriptError && m.sourceName.startsWith(arguments[0]) && !m.errorMessage.startsWith('Script terminated by timeout')).map(String)
      .concat(Cc['@mozilla.org/consoleAPI-storage;1'].getService(Ci.nsIConsoleAPIStorage).getEvents().filter(({ level, filename }) => (level === 'error' || level === 'warn') && String(filename).startsWith(arguments[0]))
        .map((e) => 'console.' + e.level + ': ' + [...e.arguments].join(' ')));`, url);
  }
}

/** `hidden` means a private window. */
export async function startFirefox(program, hidden = false) {
  const home = mkdtempSync(join(tmpdir(), 'seam-firefox-'));
  const [profile, downloads] = ['profile', 'downloads'].map((name) => join(home, name));
  for (const folder of [profile, downloads]) mkdirSync(folder);
  writeFileSync(join(profile, 'user.js'), Object.entries(preferences(downloads, hidden)).map((pair) => `user_pref(${pair.map((part) => JSON.stringify(part)).join(', ')});\n`).join(''));
  const args = ['--headless', '--marionette', '--remote-allow-system-access', '--no-remote', '--width', '1440', '--height', '990', '--profile', profile];
  const firefox = started(program, args, { stdio: 'ignore', env: { ...process.env, HOME: home } });
  const close = async () => {
    await ended(firefox);
    rmSync(home, { recursive: true, force: true, maxRetries: 5 });
  };
  try {
    const port = join(profile, 'MarionetteActivePort');
    await until(() => existsSync(port) && readFileSync(port, 'utf8') !== '');
    const socket = connect(Number(readFileSync(port, 'utf8')), '127.0.0.1');
    await new Promise((done, fail) => { socket.once('connect', done); socket.once('error', fail); });
    const marionette = new Marionette(socket);
    const command = (name, body) => marionette.send(name.includes(':') ? name : `WebDriver:${name}`, body);
    const { capabilities } = await command('NewSession', {});
    await command('SetTimeouts', { script: LIMIT_MS, pageLoad: LIMIT_MS });
    return Object.assign(new Firefox(command), { version: capabilities.browserVersion, downloads, close });
  } catch (cause) {
    await close();
    throw cause;
  }
}
