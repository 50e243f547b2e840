// Assembles the page.

import './ground/language-first.ts';
import { readable } from '../lib/formats.ts';
import { local, proxy } from '../lib/place.ts';
import { copier, drawer, engineClient, pdfClient } from '../lib/workers.ts';
import { SeamError } from '../lib/seam-error.ts';
import { announce } from './session/announcements.ts';
import { Announcer } from './ground/announcer.ts';
import { askPassword, askText } from './ground/dialogs.ts';
import type { DocumentViews } from './document-views.ts';
import { DocumentsView } from './open/documents-view.ts';
import { button, h } from './ground/dom.ts';
import type { FirstRun } from './first/first-run.ts';
import type { FolderView } from './open/folder-view.ts';
import { Intake } from './open/intake.ts';
import type { HostedParts } from './hosted/hosted-parts.ts';
import type { KeptParts } from './kept/kept-parts.ts';
import { someKept } from './session/memory.ts';
import { loadFirst, loadFolder, loadHosted, loadKept, loadPages, loadViews } from './lazy.ts';
import { Ledger } from './policy/ledger.ts';
import { Notice } from './ground/notice.ts';
import { keepPrograms, watchPolicy } from './policy/policy.ts';
import { Opening } from './session/opening.ts';
import { Search } from './search/search.ts';
import { SearchBox } from './search/search-box.ts';
import { Session } from './session/session.ts';
import { Reach } from './session/reach.ts';
import { watchSettings } from './settings-hooks.ts';
import { SettingsView } from './settings/settings-view.ts';
import { takeToken, tokens, tookToken } from './hosted/token.ts';
import { explained, strings } from './words/en/page.ts';
import { Sheet } from './ground/sheet.ts';
import { StageView } from './open/stage-view.ts';
import { announceLocks } from './open/unlock.ts';
import { watchVisits } from './visit-hooks.ts';

takeToken();
addEventListener('hashchange', takeToken); // pasted over the address of an open page

/** A wasm memory never shrinks, so an unused encoder is ended to free it. */
const ENCODER_IDLE_MS = 300_000;

const ledger = new Ledger();
const announcer = new Announcer();
const onEvent = (event: string, data: unknown) => {
  if (event === 'request') ledger.add((data as { url: string }).url);
  if (event === 'blocked') ledger.block((data as { directive: string }).directive, (data as { url: string }).url);
};

const engine = engineClient({ onEvent, onDeath: (error) => session.engineDied(error) });
const pdf = pdfClient({ onEvent });
const encoder = engineClient({ onEvent, idle: ENCODER_IDLE_MS });
const session = new Session(engine, new Opening(engine, pdf), proxy);
const search = new Search(engine, session);

const intake = new Intake({
  add: (files, left) => {
    announcements.begin();
    inform(left ? strings.documents.opened(files.length, left, readable(strings.or)) : '');
    void Promise.all([showDocuments(), listed])
      .then(() => session.add(files))
      .catch(failed);
  },
  expect: () => {
    pdf.start();
    loadViews().catch(() => undefined); // the next use tries again and reports errors
  },
  paste: () => void askText().then((text) => intake.addText(text ?? '')),
  failed,
});

const searchBox = new SearchBox(search);
const found = h('div');
const notice = new Notice(() => documents.focusSelected());
const keptLine = h('div');
const documents = new DocumentsView(
  session,
  h('div', { class: 'below' }, notice.element, keptLine),
  () => void showFolder().catch(failed),
);
const reach = new Reach();
const settings = new SettingsView(
  session,
  proxy === null
    ? null
    : {
        host: new URL(proxy).host,
        connect: () => void showHosted().then((parts) => parts?.models.choose(), failed),
      },
  reach,
);

const failure = h('p', { class: 'failure', role: 'alert', hidden: true });
const empty = h(
  'section',
  { class: 'empty', 'aria-labelledby': 'empty-title' },
  h(
    'div',
    { class: 'invite' },
    h('h2', { id: 'empty-title' }, strings.empty.title),
    h('p', { class: 'lead' }, ...why()),
    h('div', { class: 'actions' }, ...intake.ways()),
    h('p', {}, strings.empty.what(readable(strings.or)), ' ', h('strong', {}, strings.empty.private(proxy !== null))),
  ),
);
const main = h('main', {}, failure, empty, new StageView(session).element);
const rail = h('section', { class: 'rail', 'aria-label': strings.panels });
let views: DocumentViews | null = null;
let hosted: HostedParts | null = null;
let kept: KeptParts | null = null;

/** Loads the views before the first document is added. */
async function showDocuments(): Promise<void> {
  const [{ DocumentViews }, models] = await Promise.all([loadViews(), showHosted(), keep()]);
  views ??= new DocumentViews(session, {
    above: failure,
    main,
    rail,
    corner,
    engine,
    pdf,
    encoder,
    settings,
    head: documents.head,
    ways: intake.ways(),
    sheet,
    search,
    searchBox,
    found,
    first: { gallery, tour },
    hosted: models,
    local: local ? { tokens, tookToken, asked: (requests) => ledger.asked(requests) } : null,
    pages: { load: loadPages, spawn: drawer, ask: askPassword },
    say: (text) => announcer.say('edit', text),
  });
}

/** Starts keeping documents. */
async function keep(): Promise<KeptParts> {
  const { KeptParts } = await loadKept();
  return (kept ??= new KeptParts({
    engine,
    pdf,
    session,
    copier,
    search,
    notice,
    slot: keptLine,
    say: (text) => announcer.say('kept', text),
  }));
}

let resumed = Promise.resolve();

/** Lists the documents of earlier visits, and opens the one shown last. */
async function restore(): Promise<void> {
  if (!(await someKept())) return;
  const { keeper } = await keep();
  await keeper.restore();
  if (session.docs.length > 0)
    resumed = showDocuments()
      .then(() => keeper.resume())
      .catch(failed);
}

async function showHosted(): Promise<HostedParts | null> {
  if (proxy === null) return null;
  const { HostedParts } = await loadHosted();
  return (hosted ??= new HostedParts({
    engine,
    pdf,
    session,
    search,
    proxy,
    settings,
    reach,
    warmed: (model) => ledger.warmed(model),
    lost: look,
    say: (text) => announcer.say('hosted', text),
  }));
}

let folder: FolderView | null = null;

/** Shows all documents in the place of the text. */
async function showFolder(): Promise<void> {
  const { FolderView } = await loadFolder();
  folder ??= new FolderView({
    session,
    engine,
    intake,
    main,
    list: documents.element,
    left: () => documents.focusAll(),
    search: (docs) => {
      search.only = docs;
      views?.panels.show('search');
      searchBox.focus();
    },
    tagged: (text, undo) => {
      notice.show(text, undo);
      announcer.say('tagged', text);
    },
    say: (text) => announcer.say('removed', text),
  });
  sheet.close();
  folder.show();
}

let first: FirstRun | null = null;

/** Loads the parts of a first visit. */
function showFirst(use: (first: FirstRun) => void, lost = failed): void {
  void loadFirst()
    .then(({ FirstRun }) =>
      use(
        (first ??= new FirstRun({
          session,
          search,
          empty,
          found,
          line: notice.element,
          panels: () => views?.panels,
          proxy: proxy !== null,
          intake,
          sheet,
          sample: strings.documents.sampleName(''),
          announcer,
          failed,
          collection: () =>
            void showDocuments()
              .then(() => {
                search.searchRemote();
                views?.panels.show('search');
                searchBox.focus();
              })
              .catch(failed),
          find: (question) => {
            searchBox.input.value = question;
            void search.ask(question);
          },
        })),
      ),
    )
    .catch(lost);
}
const tour = () => showFirst((each) => each.tour());
const gallery = () => showFirst((each) => each.gallery());

const menuButton = button(strings.menu, () => menu(menuButton), {
  class: 'small menu-button',
  'aria-haspopup': 'menu',
});
const corner = h('div', { class: 'corner' }, h('div', {}, menuButton), ledger.element);
const aside = h('aside', { 'aria-label': strings.aside }, settings.element, documents.element);
document.body.append(
  h(
    'header',
    {},
    h('h1', { 'aria-label': strings.name }, h('span', { 'aria-hidden': 'true' }, 'Se', h('i', {}, '|'), 'am')),
    searchBox.element,
    settings.toggle('small settings-button'),
    corner,
  ),
  aside,
  main,
  rail,
  announcer.element,
);
const sheet = new Sheet(aside, [main, rail]);
settings.onAll = () => sheet.open();
session.on('selected', () => sheet.close());

/** Returns the sentence that says why to cut a document, with its term set off. */
function why(): (string | HTMLElement)[] {
  const { chunks } = strings.empty;
  const [before = '', after = ''] = strings.empty.why('\n').split('\n');
  return [before, h('strong', {}, chunks), after];
}

function failed(cause: unknown): void {
  fail(SeamError.from(cause));
}

function fail(error: SeamError): void {
  failure.textContent = explained(error);
  failure.hidden = false;
}

/** Shows a note about the added files; an empty text removes it. */
function inform(text: string): void {
  notice.show(text);
  if (text) announcer.say('notice', text);
}

/** Shows the introduction until there is a document, and moves the focus accordingly. */
function updateEmpty(): void {
  const blank = session.docs.length === 0;
  const atRemote = search.atRemote;
  const focused = empty.contains(document.activeElement);
  document.body.classList.toggle('blank', blank && !atRemote);
  document.body.classList.toggle('at-remote', blank && atRemote);
  empty.hidden = !blank;
  if (focused && !blank) documents.focusSelected();
}

session.on('documents', updateEmpty);
search.on('ready', updateEmpty);
session.on('twins', ([first, ...more]) => {
  if (first)
    inform(
      more.length > 0
        ? strings.documents.twins(more.length + 1)
        : strings.documents.twin(first.name, first === session.selected),
    );
});
const announcements = announce(session, announcer);
announceLocks(session, (text) => announcer.say('locked', text));
search.on('answered', (hits) => {
  announcer.say('hits', strings.said.hits(hits));
});
session.on('removed', () => {
  if (document.activeElement === document.body) empty.querySelector('button')?.focus();
});
session.on('hello', (error) => {
  if (error)
    fail(
      error.message.startsWith('damaged:')
        ? error
        : new SeamError('internal', strings.engineLost, strings.engineLostHint),
    );
  else {
    failure.hidden = true;
    void keepPrograms();
  }
});
for (const event of ['asked', 'typed'] as const)
  search.on(event, () => {
    folder?.hide();
    views?.panels.show('search');
  });
document.addEventListener('keydown', (event) => {
  const field =
    event.target instanceof Element &&
    event.target.closest('input:not([type=range]), textarea, select, [contenteditable]');
  if (event.key === '?' && !field) keys();
  if (event.key?.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey) return;
  event.preventDefault();
  searchBox.focus();
});

updateEmpty();
const { registered, stays } = watchPolicy({
  changed: (state) => {
    ledger.policy = state;
  },
  onRequest: (url) => ledger.add(url),
  idle: () => session.docs.length === 0,
});
/**
 * Added files wait for the list, because they may be in it; but no longer than two seconds,
 * in case the storage hangs.
 */
const listed = Promise.race([
  restore().catch(failed),
  new Promise<void>((resolve) => {
    setTimeout(resolve, 2000);
  }),
]);
const { look, keys, menu } = watchVisits(
  {
    session,
    settings,
    ledger,
    reach,
    proxy,
    inform,
    tour,
    gallery,
    registered,
    add: (files) => intake.add(files),
    ready: listed.then(() => resumed),
    sample: () => void intake.addSample(),
    failed,
    say: (text) => announcer.say('visits', text),
  },
  stays,
);
watchSettings({ session, search, settings, stays, failed, say: (text) => announcer.say('settings', text) });
void session.start();
// After the first paint.
const nothing = () => undefined;
requestAnimationFrame(() => setTimeout(showFirst, 0, nothing, nothing));
