// Answers a query from the pages found, with a model behind the proxy. Loaded when a reader
// asks. A model's answer is inserted as text, never as markup.

import { askProxy, Failed, proxyAt } from './link.ts';
import { type AskStrings, askStringsOf } from './strings.ts';
import { fill, type Strings } from '../strings.ts';
import { button, node } from '../parts.ts';
import { INSIDE, lineOf } from './source.ts';
import type { Results, Section } from '../site.ts';

/**
 * The sentence the model is instructed to use if the passages do not contain the answer:
 * protocol.Refusal.
 */
const refusal = 'I do not have enough information to answer that.';
/** The mark that the prompt asks for in its place, protocol.NoAnswer. It is never shown. */
const mark = /\[\[no answer\]\]/gi;
/** The beginning of a citation or of a mark at the end of an answer so far. */
const begun = /\[[\d,\s]*$|\[{1,2}[a-z ]{0,9}\]?$/i;
const mostPassages = 8;
const longestPassage = 2400; // characters
const agreed = 'seam-search:agreed';

interface Passage {
  url: string;
  title: string;
  text: string;
}

export class Ask {
  readonly #s: AskStrings;
  readonly #endpoint: URL;
  #running: AbortController | undefined;

  /** Renders into `box`. `say` announces to screen readers. */
  constructor(
    readonly host: HTMLElement & { language: string },
    readonly box: HTMLElement,
    readonly strings: Strings,
    readonly say: (text: string) => void,
  ) {
    this.#s = askStringsOf(host.language);
    this.#endpoint = proxyAt(host.getAttribute('endpoint') ?? '');
  }

  /** Clears the answer, and stops the request in progress. */
  clear(): void {
    this.#running?.abort();
    this.box.replaceChildren();
  }

  /** Asks, after the reader has agreed once that the question is sent. */
  begin(r: Results): void {
    this.clear();
    if (this.#hasAgreed()) {
      void this.#ask(r);
      return;
    }
    const line = node('p', 'sends');
    line.textContent = fill(this.#s.sends, { host: this.#endpoint.host });
    const send = button('again', this.#s.send);
    send.addEventListener('click', () => {
      this.#agree();
      void this.#ask(r);
    });
    this.box.append(line, send);
    send.focus();
  }

  #hasAgreed(): boolean {
    if (this.host.getAttribute('consent') === 'none') return true;
    try {
      return sessionStorage.getItem(agreed) === this.#endpoint.host;
    } catch {
      return false; // storage is blocked, so it asks each time
    }
  }

  #agree(): void {
    try {
      sessionStorage.setItem(agreed, this.#endpoint.host);
    } catch {
      /* storage is blocked */
    }
  }

  async #ask(r: Results, most = mostPassages): Promise<void> {
    const running = (this.#running = new AbortController());
    const text = node('p', 'answer');
    text.setAttribute('aria-busy', 'true');
    text.setAttribute('aria-label', this.#s.answer);
    text.setAttribute('role', 'group');
    const under = node('p', 'under');
    under.textContent = this.#s.asking;
    const stop = button('again', this.#s.stop);
    stop.addEventListener('click', () => running.abort());
    this.box.replaceChildren(text, under, stop);
    stop.focus();
    const passages = passagesOf(r).slice(0, most);
    if (passages.length === 0) {
      under.textContent = this.strings.listed;
      this.box.replaceChildren(under);
      this.say(this.strings.listed);
      return;
    }
    let all = '';
    let frame = 0;
    const draw = (ended: boolean) => {
      frame = 0;
      const clean = all.replace(mark, '');
      text.replaceChildren(...cited(ended ? clean : clean.replace(begun, ''), passages));
    };
    const write = (delta: string) => {
      all += delta;
      frame ||= requestAnimationFrame(() => draw(false));
    };
    let told: string;
    let failed = false;
    let fewer = most;
    try {
      const asked = {
        endpoint: this.#endpoint,
        token: this.host.getAttribute('token') ?? '',
        model: this.host.getAttribute('model') ?? '',
      };
      const { finish, model, part } = await askProxy(
        asked,
        r.query.trim(),
        passages.map((p) => p.text),
        running.signal,
        write,
        () => {
          all = '';
          write('');
        },
      );
      const by = finish === 'stop' ? this.#s.by : finish === 'length' ? this.#s.short : this.#s.broken;
      told = part ? this.#s.part : fill(by, { model });
      if (part) {
        failed = true;
        all = '';
        fewer = Math.ceil(passages.length / 2);
      }
    } catch (e) {
      failed = true;
      told = running.signal.aborted
        ? this.#s.stopped
        : (e instanceof Failed && e.message) || (all ? this.#s.broken : this.#s.failed);
      if (!(e instanceof Failed) && !running.signal.aborted) console.error('seam-search:', e);
    }
    cancelAnimationFrame(frame);
    if (this.#running !== running || !text.isConnected) return;
    const marked = /^[\s*"“]*\[\[no answer\]\](?!.*\[\d)/is.test(all);
    const refused = marked || all.trim().replace(/^["“]|["”]$/g, '') === refusal;
    if (refused) text.textContent = this.#s.refused;
    else draw(!failed);
    text.hidden = !all;
    text.setAttribute('aria-busy', 'false');
    under.textContent = told;
    stop.replaceWith(failed ? this.#again(r, fewer) : '');
    this.say(failed ? told : (text.textContent ?? ''));
    this.host.dispatchEvent(
      new CustomEvent('seam:ask', { bubbles: true, composed: true, detail: { query: r.query, refused, failed } }),
    );
  }

  #again(r: Results, most: number): HTMLElement {
    const again = button('again', this.strings.again);
    again.addEventListener('click', () => void this.#ask(r, most));
    return again;
  }
}

/** Returns the sections found, best page first: one of each page, then the others. */
function passagesOf(r: Results): Passage[] {
  const all: Passage[] = [];
  for (const rank of [0, 1, 2]) {
    for (const page of r.results) {
      const s = page.sections[rank];
      if (!s || all.length === mostPassages || (s.list && !asksFor(r.query, s))) continue;
      const path = [...new Set([page.title, ...s.path, s.place])].filter(Boolean);
      const section = path.slice(page.title ? 1 : 0).join(INSIDE);
      const line = lineOf(page.title, section, s.pages ?? [], page.date);
      all.push({ url: s.url, title: path.join(INSIDE), text: `${line}\n${s.text.slice(0, longestPassage)}` });
    }
  }
  return all;
}

/** Whether a question asks for a list, by its title or for the works that are cited. */
function asksFor(query: string, { place, path }: Section): boolean {
  const title = (place || path.at(-1) || '-').replace(/^[\d.\s]+/, '');
  return /\bcit|referen|zitier/i.test(query) || query.toLowerCase().includes(title.toLowerCase());
}

/**
 * Returns an answer with its citations as links to the passages. Citations without a
 * passage are left out.
 */
function cited(text: string, passages: Passage[]): Node[] {
  const out: Node[] = [];
  let at = 0;
  for (const m of text.matchAll(/\s*\[(\d+(?:\s*,\s*\d+)*)\]/g)) {
    out.push(document.createTextNode(text.slice(at, m.index)));
    at = m.index + m[0].length;
    for (const n of m[1]!.split(',').map(Number)) {
      const p = passages[n - 1];
      if (!p) continue;
      const link = document.createElement('a');
      link.className = 'cite';
      link.href = p.url;
      link.title = p.title;
      link.textContent = String(n);
      link.setAttribute('aria-label', `${n}: ${p.title}`);
      out.push(link);
    }
  }
  out.push(document.createTextNode(text.slice(at)));
  return out;
}
