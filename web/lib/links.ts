// Decides where a link of a document leads. Its URL is not trusted.

import type { Link, ViewText } from './api.ts';
import { lowest } from './lowest.ts';

/** An address of the web or of mail, or a place in the text. */
export type Target = { href: string; name: string } | { at: number; page: number } | { at: number; title: string };

const OUTSIDE = /^(?:https?|mailto):/i;

/** Returns an address that may be opened, or null. Other schemes may run a program or read a file. */
export function outside({ url = '' }: Link): URL | null {
  if (!OUTSIDE.test(url)) return null;
  try {
    return new URL(url);
  } catch {
    return null;
  }
}

/** Returns the name by which a heading is linked to on the web, such as `the-first-mill`. */
const named = (title: string): string =>
  title
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replace(/\s/g, '-');

/** Returns the target of a link, or null if Seam cannot follow it. */
export function targetOf(
  link: Link,
  { text, pages, headings }: Pick<ViewText, 'text' | 'pages' | 'headings'>,
): Target | null {
  const url = outside(link);
  if (url) return { href: url.href, name: url.host || url.pathname };
  if (link.page !== undefined) {
    const at = pages.find(({ number }) => number === link.page)?.start;
    return at === undefined ? null : { at, page: link.page };
  }
  if (link.to !== undefined) return { at: link.to, title: titleAt(text, headings, link.to) };
  if (!link.url?.startsWith('#')) return null;
  const name = decoded(link.url.slice(1)).toLowerCase();
  for (const { start, end } of headings) {
    const title = bare(text.slice(start, end));
    if (title && named(title) === name) return { at: start, title };
  }
  return null;
}

const bare = (heading: string): string => heading.replace(/^[#=\s]+|[#=\s]+$/g, '');

/** Returns the heading at a place of a text, or the beginning of its line. */
function titleAt(text: string, headings: ViewText['headings'], at: number): string {
  const heading = headings.find(({ start, end }) => start <= at && at < end);
  const [line = ''] = text.slice(heading ? heading.start : at, heading?.end ?? at + LINE).split('\n');
  return bare(line);
}

/** How much of a line is read; less is shown. */
const LINE = 200;

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/** Returns the links with words in a part of a text. They ascend by start, and a few may overlap. */
export function linksIn(links: readonly Link[], start: number, end: number): Link[] {
  const from = lowest(links.length, (i) => (links[i]?.start ?? 0) >= start - FAR);
  const found: Link[] = [];
  for (let i = from; i < links.length; i++) {
    const link = links[i] as Link;
    if (link.start >= end) break;
    if (link.end > start && link.end > link.start) found.push(link);
  }
  return found;
}

/** Links are shorter. */
const FAR = 5000;
