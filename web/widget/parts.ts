// Parts of the panel.

import { marked } from './index/show.ts';
import { followed } from './followed.ts';
import type { Result, Results } from './site.ts';
import type { Strings } from './strings.ts';

declare const __MARKS__: string;

/** Returns a text with the words of the query marked. */
export function pieces(r: Results, text: string): Node[] {
  return marked(r.found, text).map(({ text: t, hit }) => {
    if (!hit) return document.createTextNode(t);
    const m = document.createElement('mark');
    m.textContent = t;
    return m;
  });
}

/** Returns a page's preview image, which disappears if it cannot be loaded. */
export function picture(page: Result): HTMLElement {
  const img = document.createElement('img');
  Object.assign(img, {
    alt: '',
    loading: 'lazy',
    decoding: 'async',
    referrerPolicy: 'no-referrer',
    src: new URL(page.meta['image']!, page.url).href,
  });
  img.addEventListener('error', () => img.remove());
  return img;
}

/** Returns the path to a section, without its page's title. */
export function trail(page: Result, path: string[], place: string): string[] {
  const all = path.at(-1) === place || !place ? path : [...path, place];
  return all.filter((title, i) => title !== page.title && all.indexOf(title) === i);
}

/** Returns the owner's own words, from attributes such as text-none="…". */
export function own(host: HTMLElement): Partial<Strings> {
  return Object.fromEntries(
    [...host.attributes].filter((a) => a.name.startsWith('text-')).map((a) => [a.name.slice(5), a.value]),
  );
}

export function node(tag: string, name: string): HTMLElement {
  const n = document.createElement(tag);
  n.className = name;
  return n;
}

export function button(name: string, text: string): HTMLButtonElement {
  const b = document.createElement('button');
  b.type = 'button';
  b.className = name;
  b.textContent = text;
  return b;
}

/** Formats an ISO 8601 date in a language. */
export function dayOf(date: string, language: string): string {
  const day = new Date(`${date}T00:00:00Z`);
  return Number.isNaN(day.getTime())
    ? date
    : day.toLocaleDateString(language, { dateStyle: 'medium', timeZone: 'UTC' });
}

/** Notes the followed result, so that its page marks the words of the search. */
export function noteFollowed(href: string, r: Results, from?: string): void {
  const page = href.split('#')[0]!;
  const words = [...new Set(r.found.words.flatMap((w) => w.forms.map(({ form }) => form.word)))];
  try {
    sessionStorage.setItem(followed, JSON.stringify({ page, words, from }));
  } catch {
    return; // storage is blocked or full, so nothing is marked
  }
  void (import(new URL(__MARKS__, import.meta.url).href) as Promise<typeof import('./marks.ts')>).then(
    (m) => m.follow(page),
    () => undefined,
  );
}
