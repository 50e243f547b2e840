// Marks the words of a search on the result's page until Escape. Loaded after a reader
// followed a result. It does not change the page's DOM.

import { followed } from './followed.ts';
import { eachForm } from './index/words.ts';

const name = 'seam-search';
const most = 1000; // marks
const within = 5000; // milliseconds for a page to change without loading

interface Followed {
  page: string;
  words: string[] /** The first words of the passage, where the address does not lead to it. */;
  from?: string;
}

const here = () => location.href.split('#')[0]!;

/** Marks the words on this page if a result led to it, and removes the note. */
export function mark(): void {
  const note = take();
  if (!note || !('highlights' in CSS)) return;
  const words = new Set(note.words);
  const ranges: Range[] = [];
  const texts = textsOf();
  for (let node = texts.nextNode(); node && ranges.length < most; node = texts.nextNode()) {
    const add = (form: string, start: number, end: number) => {
      if (!words.has(form) || node!.parentElement!.closest('script, style, nav')) return;
      const range = new Range();
      range.setStart(node!, start);
      range.setEnd(node!, end);
      ranges.push(range);
    };
    eachForm(node.nodeValue!, add);
  }
  if (note.from) show(note.from);
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(`::highlight(${name}){background-color:#ffe58a;color:#1d1f23}`);
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
  CSS.highlights.set(name, new Highlight(...ranges));
  document.addEventListener('keydown', function clear(e) {
    if (e.key !== 'Escape') return;
    document.removeEventListener('keydown', clear);
    CSS.highlights.delete(name);
    document.adoptedStyleSheets = document.adoptedStyleSheets.filter((s) => s !== sheet);
  });
}

const textsOf = () =>
  document.createTreeWalker(
    document.querySelector('main, [role=main], article') ?? document.body,
    NodeFilter.SHOW_TEXT,
  );

/**
 * Scrolls to a passage, which may span several nodes. Blanks are ignored, because they
 * differ between a page and its text.
 */
function show(passage: string): void {
  const from = passage.replace(/\s+/g, '');
  const nodes: { node: Node; end: number }[] = [];
  let all = '';
  const texts = textsOf();
  for (let node = texts.nextNode(); node; node = texts.nextNode()) {
    all += node.nodeValue!.replace(/\s+/g, '');
    nodes.push({ node, end: all.length });
  }
  const at = all.indexOf(from);
  if (at >= 0) nodes.find(({ end }) => end > at)?.node.parentElement?.scrollIntoView();
}

/**
 * Marks a result's page that opens without loading: a section of this page, or another page
 * inserted by the site's script.
 */
export function follow(page: string): void {
  if (page === here()) {
    mark();
    return;
  }
  const observer = new MutationObserver(() => {
    if (page !== here()) return;
    observer.disconnect();
    requestAnimationFrame(mark);
  });
  observer.observe(document.body, { childList: true, subtree: true });
  setTimeout(() => observer.disconnect(), within);
}

function take(): Followed | undefined {
  try {
    const note = JSON.parse(sessionStorage.getItem(followed) ?? 'null') as Followed | null;
    if (note?.page !== here()) return undefined;
    sessionStorage.removeItem(followed);
    return note;
  } catch {
    return undefined; // storage is blocked, or another script has written there
  }
}
