// Uses a page like a person at a browser, through WebDriver commands that Firefox and
// WebKit share.

import { writeFileSync } from 'node:fs';
import { until } from '../browser/harness.mjs';

/** The key of an element reference in WebDriver. */
const ELEMENT = 'element-6066-11e4-a52e-4f735466cecf';

/** Keys that are not characters. */
export const keys = { enter: '\uE007', escape: '\uE00C', control: '\uE009', home: '\uE011', end: '\uE010', left: '\uE012', tab: '\uE004' };

/** Helpers for scripts: the first visible element with a matching text. */
/** A function for scripts: the first visible element of a selector with a text. */
export const helpers = `const seen = (selector, text) => [...document.querySelectorAll(selector)].find((e) => e.checkVisibility() && new RegExp(text).test(e.textContent + (e.ariaLabel ?? '')));`;

export class Visitor {
  /** `command` sends a command by its name and returns its value. */
  constructor(command) {
    this.command = command;
  }

  goto(url) {
    return this.command('Navigate', { url });
  }

  reload() {
    return this.command('Refresh', {});
  }

  /** Runs a function in the page and returns its result, awaiting a promise. */
  async run(body, ...args) {
    const script = `${helpers} const done = arguments[arguments.length - 1];
      Promise.resolve().then(() => (${body})(...[...arguments].slice(0, -1))).then((value) => done([value ?? null]), (cause) => done(String(cause?.stack ?? cause)));`;
    const answer = await this.command('ExecuteAsyncScript', { script, args });
    if (!Array.isArray(answer)) throw new Error(`${answer} in ${body}`);
    return answer[0];
  }

  /**
   * Waits until a function of the page returns a truthy value, and returns it. A page that
   * is loading is asked again.
   */
  async until(body, ...args) {
    let value;
    let cause;
    try {
      await until(async () => {
        value = await this.run(body, ...args).catch((error) => { cause = error; });
        return value;
      });
    } catch {
      throw new Error(`never came: ${body} ${JSON.stringify(args)}`, { cause });
    }
    return value;
  }

  /**
   * Waits for the first visible element of a selector. `text` is a regular expression for
   * its text.
   */
  async find(selector, text = '') {
    const found = await this.until((wanted, words) => seen(wanted, words), selector, text);
    return found[ELEMENT];
  }

  /** Returns an element in view once it is at rest and can be hit. */
  #inView(selector, text = '') {
    return this.until(async (wanted, words) => {
      const element = seen(wanted, words);
      element?.scrollIntoView({ block: 'center', inline: 'nearest' });
      const box = () => Object.values(element.getClientRects()[0]?.toJSON() ?? {}).join();
      const before = element && box();
      for (let i = 0; i < 3; i++) await new Promise(requestAnimationFrame);
      if (!before || before !== box()) return false;
      const { x, y, width, height } = element.getClientRects()[0];
      return element.contains(document.elementFromPoint(x + width / 2, y + height / 2)) && element;
    }, selector, text);
  }

  async click(selector, text) {
    const found = await this.#inView(selector, text);
    await this.#pointer({ origin: found, x: 0, y: 0 }, { type: 'pointerDown', button: 0 }, { type: 'pointerUp', button: 0 });
  }

  async type(selector, text) {
    await this.command('ElementSendKeys', { id: await this.find(selector), text });
  }

  /** Chooses files for an input, which may be hidden. */
  async choose(selector, ...paths) {
    const found = await this.until((wanted) => document.querySelector(wanted), selector);
    await this.command('ElementSendKeys', { id: found[ELEMENT], text: paths.join('\n') });
  }

  /** Presses keys together for the focused element. */
  async press(...together) {
    const actions = [...together.map((value) => ({ type: 'keyDown', value })), ...together.toReversed().map((value) => ({ type: 'keyUp', value }))];
    await this.command('PerformActions', { actions: [{ type: 'key', id: 'keyboard', actions }] });
  }

  /** Moves the pointer to an element from elsewhere. */
  async point(selector, text) {
    const found = await this.#inView(selector, text);
    await this.#pointer({ origin: 'viewport', x: 2, y: 2 }, { origin: found, x: 0, y: 0 });
  }

  async #pointer(...actions) {
    const all = actions.map((action) => ({ type: 'pointerMove', ...(action.type ? {} : { duration: 0 }), ...action }));
    await this.command('PerformActions', { actions: [{ type: 'pointer', id: 'mouse', parameters: { pointerType: 'mouse' }, actions: all }] });
  }

  /** Waits until changes are painted. */
  painted() {
    return this.run(() => new Promise((done) => { requestAnimationFrame(() => requestAnimationFrame(() => done())); }));
  }

  async picture(path) {
    writeFileSync(path, Buffer.from(await this.command('TakeScreenshot', { full: false }), 'base64'));
  }

  /** Opens another tab and switches to it; returns a function that switches back. */
  async tab() {
    const before = await this.command('GetWindowHandle', {});
    const { handle } = await this.command('NewWindow', { type: 'tab' });
    await this.command('SwitchToWindow', { handle });
    return () => this.command('SwitchToWindow', { handle: before });
  }

  /** Closes this tab. The caller must switch to another. */
  closeTab() {
    return this.command('CloseWindow', {});
  }
}
