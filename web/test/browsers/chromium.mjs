// Starts Chromium with its own profile, and controls it like the other browsers.

import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import { FLAGS, LIMIT_MS, until } from '../browser/harness.mjs';
import { helpers, keys, Visitor } from './visitor.mjs';

/** The names of the keys in Playwright, by their WebDriver codes. */
const NAMES = { [keys.enter]: 'Enter', [keys.escape]: 'Escape', [keys.control]: 'Control', [keys.home]: 'Home', [keys.end]: 'End' };

class Chromium extends Visitor {
  #page;
  #trouble;

  constructor(page, trouble) {
    super(() => { throw new Error('Chromium takes no WebDriver commands'); });
    this.#page = page;
    this.#trouble = trouble;
    page.setDefaultTimeout(LIMIT_MS);
  }

  goto(url) {
    return this.#page.goto(url);
  }

  reload() {
    return this.#page.reload();
  }

  run(body, ...args) {
    return this.#page.evaluate(`(async () => { ${helpers} return (${body})(...${JSON.stringify(args)}); })()`);
  }

  /** Returns the first visible element. */
  async #seen(selector, text = '') {
    let found;
    await until(async () => {
      const handle = await this.#page.evaluateHandle(`(() => { ${helpers} return seen(${JSON.stringify(selector)}, ${JSON.stringify(text)}); })()`).catch(() => null);
      return (found = handle?.asElement());
    });
    return found;
  }

  async click(selector, text) {
    await (await this.#seen(selector, text)).click();
  }

  async point(selector, text) {
    await this.#page.mouse.move(2, 2);
    await (await this.#seen(selector, text)).hover();
  }

  async type(selector, text) {
    await (await this.#seen(selector)).focus();
    for (const letter of text) await (NAMES[letter] ? this.#page.keyboard.press(NAMES[letter]) : this.#page.keyboard.type(letter));
  }

  async choose(selector, ...paths) {
    await this.#page.locator(selector).setInputFiles(paths);
  }

  async press(...together) {
    await this.#page.keyboard.press(together.map((key) => NAMES[key] ?? key).join('+'));
  }

  trouble() {
    return this.#trouble;
  }
}

export async function startChromium(program) {
  const home = mkdtempSync(join(tmpdir(), 'seam-chromium-'));
  const downloads = join(home, 'downloads');
  mkdirSync(downloads);
  const context = await chromium.launchPersistentContext(join(home, 'profile'), { executablePath: program, args: FLAGS, viewport: { width: 1440, height: 900 }, acceptDownloads: true });
  const page = context.pages()[0] ?? await context.newPage();
  page.on('download', (download) => void download.saveAs(join(downloads, download.suggestedFilename())));
  const trouble = [];
  page.on('console', (message) => { if (['error', 'warning'].includes(message.type())) trouble.push(message.text()); });
  page.on('pageerror', (error) => trouble.push(String(error)));
  const close = async () => {
    await context.close();
    rmSync(home, { recursive: true, force: true, maxRetries: 5 });
  };
  return Object.assign(new Chromium(page, trouble), { version: context.browser()?.version() ?? '', downloads, close });
}
