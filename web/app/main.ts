// Puts the page together.

import { engineClient, pdfClient } from '../lib/workers.ts';
import { SeamError } from '../lib/seam-error.ts';
import { Announcer } from './announcer.ts';
import { ChunksView } from './chunks-view.ts';
import { CurveView } from './curve-view.ts';
import { askPassword, askText } from './dialogs.ts';
import { DocumentsView } from './documents-view.ts';
import { h } from './dom.ts';
import { Intake } from './intake.ts';
import { Ledger } from './ledger.ts';
import { narrow, Panels } from './panels.ts';
import { Reader } from './reader.ts';
import { Search } from './search.ts';
import { SearchView } from './search-view.ts';
import { Session } from './session.ts';
import { SettingsView } from './settings-view.ts';
import { explain, strings } from './strings.ts';
import { StageView } from './stage-view.ts';
import { TextView } from './text-view.ts';

const ledger = new Ledger();
const announcer = new Announcer();
const onEvent = (event: string, data: unknown) => {
  if (event === 'request') ledger.add((data as { url: string }).url);
};

const engine = engineClient({ onEvent, onDeath: (error) => session.engineDied(error) });
const pdf = pdfClient({ onEvent });
const session = new Session(engine, new Reader(engine, pdf, askPassword));
const search = new Search(engine, session);

const intake = new Intake({
  add: (files) => session.add(files),
  expect: () => pdf.start(),
  paste: () => void askText().then((text) => intake.addText(text ?? '')),
  failed: (cause) => fail(SeamError.from(cause)),
});

// Before the text view hears of it: a hidden text cannot be scrolled.
session.on('passage', (passage) => { if (passage) panels.show('text'); });

const text = new TextView(session);
const curve = new CurveView(session, (sentence) => { panels.show('text'); text.goTo(sentence); });
const chunks = new ChunksView(session, (start) => text.colourOf(start));
const searchView = new SearchView(search);
const documents = new DocumentsView(session, h('div', { class: 'ways-in' }, h('p', { class: 'drop' }, strings.documents.drop), intake.actions('choose')));
const settings = new SettingsView(session);

const failure = h('p', { class: 'failure', role: 'alert', hidden: true });
const empty = h('section', { class: 'empty', 'aria-labelledby': 'empty-title' },
  emblem(),
  h('h2', { id: 'empty-title' }, strings.empty.title),
  h('p', {}, strings.empty.what, ' ', h('strong', {}, strings.empty.private)),
  intake.actions('sample'));
const chunksPanel = h('div', { id: 'panel-chunks', role: 'tabpanel', 'aria-labelledby': 'tab-chunks' }, chunks.element);
const searchPanel = h('div', { id: 'panel-search', role: 'tabpanel', 'aria-labelledby': 'tab-search' }, searchView.element);
const panels = new Panels({ text: text.element, chunks: chunksPanel, search: searchPanel });

document.body.append(
  h('a', { href: '#text', class: 'skip' }, strings.skip),
  h('header', {},
    h('h1', { 'aria-label': strings.name }, h('span', { 'aria-hidden': 'true' }, 'Se', h('i', {}, '|'), 'am')),
    searchView.box, ledger.element),
  h('aside', { 'aria-label': strings.aside }, documents.element, settings.element),
  h('main', {}, failure, curve.element, empty, new StageView(session).element, text.element),
  h('section', { class: 'rail', 'aria-label': strings.panels }, panels.tablist, chunksPanel, searchPanel),
  announcer.element);
settings.element.open = !narrow.matches;

/** A curve in small: what the page is about to draw. */
function emblem(): HTMLElement {
  const heights = [30, 44, 26, 38, 52, 34, 24, 96, 40, 30, 48, 36, 28, 44, 88, 32, 42, 50, 26, 36, 46, 100, 34, 28, 40, 52, 30];
  return h('div', { class: 'emblem', 'aria-hidden': 'true' }, ...heights.map((height) => {
    const bar = h('i', { class: height > 80 ? 'high' : null });
    bar.style.blockSize = `${height}%`;
    return bar;
  }));
}

function fail(error: SeamError): void {
  const { message, hint } = explain(error);
  failure.textContent = [message, hint].filter(Boolean).join(' ');
  failure.hidden = false;
}

/** The empty page explains itself until there is a text to show. */
function updateEmpty(): void {
  document.body.classList.toggle('blank', session.docs.length === 0);
  empty.hidden = session.docs.length > 0;
}

session.on('documents', updateEmpty);
session.on('documents', (docs) => {
  const failed = docs.filter((doc) => doc.state === 'failed' && doc.error && !doc.error.cancelled).at(-1);
  if (failed?.error) announceOnce(failed.key, strings.said.failed(failed.name, explain(failed.error).message));
});
session.on('cut', (doc) => {
  if (doc === session.selected) announcer.say(strings.said.chunks(doc.cutting?.result.chunks.length ?? 0));
});
session.on('removed', (doc) => announcer.say(strings.said.removed(doc.name)));
session.on('passage', (passage) => {
  if (passage) announcer.say(strings.said.shown(passage.page));
});
session.on('hello', (error) => {
  if (error) fail(new SeamError('internal', strings.engineLost, strings.engineLostHint));
  else failure.hidden = true;
});
search.on('asked', () => panels.show('search'));
search.on('answered', (hits) => {
  announcer.say(strings.said.hits(hits));
  panels.scrollIntoView();
});
document.addEventListener('keydown', (event) => {
  if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey) return;
  event.preventDefault();
  searchView.focus();
});

const announced = new Set<number>();
function announceOnce(key: number, sentence: string): void {
  if (announced.has(key)) return;
  announced.add(key);
  announcer.say(sentence);
}

updateEmpty();
void session.start();
