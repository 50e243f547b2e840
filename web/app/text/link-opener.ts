// Builds the control that follows a link of a document: it opens a page of the web in a new
// tab, or shows a place in the text.

import type { Link } from '../../lib/api.ts';
import { targetOf } from '../../lib/links.ts';
import { confined } from '../../lib/place.ts';
import { sentenceAt } from '../../lib/sentence-at.ts';
import { button, h, setText } from '../ground/dom.ts';
import type { Doc } from '../session/doc.ts';
import { copyText } from '../session/export.ts';
import type { Session } from '../session/session.ts';
import { strings } from '../words/en/page.ts';
import { shown } from '../words/en/views.ts';

/** Longer titles are cut. */
const MOST = 40;

/**
 * Returns the control for a link, or null if Seam cannot follow it. `done` is called when it
 * has been followed. Where the browser opens no other host, the address can be copied.
 */
export function linkOpener(session: Session, doc: Doc, link: Link, done: () => void): HTMLElement | null {
  const { chunking } = doc;
  const target = chunking && targetOf(link, chunking.text);
  if (!chunking || !target) return null;
  if ('href' in target) return addressOpener(target.href, short(target.name), done);
  const { text, sentences } = chunking;
  const label = 'page' in target ? text.pages.find(({ number }) => number === target.page)?.label : '';
  const place = 'page' in target ? strings.pagesOf([target.page], label ? [label] : undefined) : short(target.title);
  const at = sentenceAt(sentences, target.at);
  const [start = target.at, end = target.at] = sentences.subarray(2 * at, 2 * at + 2);
  return button(
    shown.links.goTo(place),
    () => {
      done();
      void session.reveal({ doc, start, end, page: '', marks: [], passage: null, focus: 0 });
    },
    { class: 'small follow' },
  );
}

function addressOpener(href: string, name: string, done: () => void): HTMLElement {
  const copy = button(confined ? shown.links.copy(name) : shown.links.copyShort, () => void copyText(href).then(tell), {
    class: 'small follow',
    title: confined ? shown.links.confined(href) : href,
  });
  const tell = (copied: boolean) => setText(copy, copied ? shown.chunks.copied : shown.chunks.copyFailed);
  if (confined) return copy;
  const opener = h(
    'a',
    { class: 'small follow', href, title: href, target: '_blank', rel: 'noopener noreferrer' },
    shown.links.open(name),
  );
  opener.addEventListener('click', done);
  return h('span', { class: 'ways' }, opener, copy);
}

const short = (name: string): string => (name.length > MOST ? `${name.slice(0, MOST - 1)}…` : name);
