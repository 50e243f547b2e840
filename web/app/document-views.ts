// The views of an open document: its curve, its text, its chunks. A separate bundle,
// loaded with the first document: see lazy.ts.

import compareStyle from '../styles/compare.css';
import curve from '../styles/curve.css';
import edit from '../styles/edit.css';
import icons from '../styles/icons.css';
import localStyle from '../styles/local.css';
import print from '../styles/print.css';
import resultsStyle from '../styles/results.css';
import rows from '../styles/rows.css';
import textStyle from '../styles/text.css';
import { BundleSaver } from './kept/bundle-saver.ts';
import { ChunksView } from './chunks/chunks-view.ts';
import { CompareView } from './compare/compare-view.ts';
import type { EngineClient, PdfClient } from '../lib/workers.ts';
import { CurveView } from './curve/curve-view.ts';
import { adopt, h } from './ground/dom.ts';
import { Editor } from './hand/editor.ts';
import { HistoryView } from './hand/history-view.ts';
import type { HostedParts } from './hosted/hosted-parts.ts';
import { LocalModels, type LocalPlaces } from './policy/local-models.ts';
import { listActions } from './open/list-actions.ts';
import { Meaning } from './search/meaning.ts';
import { MeaningView } from './search/meaning-view.ts';
import { OutlineView } from './text/outline-view.ts';
import { OwnModel } from './settings/own-model.ts';
import { PageSwitch, type PageParts } from './text/page-switch.ts';
import { Panels } from './ground/panels.ts';
import { QuestionMaker } from './compare/question-maker.ts';
import { ReadingPlace } from './text/reading-place.ts';
import { Retrieval } from './compare/retrieval.ts';
import type { Search } from './search/search.ts';
import type { SearchBox } from './search/search-box.ts';
import { SearchView } from './search/search-view.ts';
import { moveLine } from './session/moving.ts';
import type { Session } from './session/session.ts';
import type { Sheet } from './ground/sheet.ts';
import { AttachedView } from './text/attached-view.ts';
import { SplitHere } from './hand/split-here.ts';
import { Splitter } from './ground/splitters.ts';
import { Statements } from './statements/statements.ts';
import { StatementsOpener } from './statements/statements-opener.ts';
import type { SettingsView } from './settings/settings-view.ts';
import { StepFinder } from './settings/step-finder.ts';
import { shown } from './words/en/views.ts';
import { TextView } from './text/text-view.ts';

export interface Places {
  /** The curve goes after this element. */
  above: HTMLElement;
  main: HTMLElement;
  rail: HTMLElement;
  /** The tabs go before this part of the header. */
  corner: HTMLElement;
  engine: EngineClient;
  pdf: PdfClient;
  /** A second engine, which embeds for search by meaning. */
  encoder: EngineClient;
  settings: SettingsView;
  /** Placed next to the title of the documents. */
  head: HTMLElement;
  /** The ways to open more. */
  ways: readonly HTMLButtonElement[];
  sheet: Sheet;
  search: Search;
  searchBox: SearchBox;
  /** The tab with search results. */
  found: HTMLElement;
  /** Further menu items: the gallery and the tour. */
  first: { gallery: () => void; tour: () => void };
  /** Null without a proxy. */
  hosted: HostedParts | null;
  /** Null if the server of the page does not look for models on its machine. */
  local: LocalPlaces | null;
  pages: PageParts;
  say: (text: string) => void;
}

adopt(icons + rows + textStyle + resultsStyle + curve + edit + compareStyle + localStyle + print);

/** Pixels below the top of the text where the reader looks after a jump. */
const READ = 44;

export class DocumentViews {
  readonly panels: Panels;

  /** Created before the session has a document, so the views receive its events. */
  constructor(
    session: Session,
    {
      above,
      main,
      rail,
      corner,
      engine,
      pdf,
      encoder,
      settings,
      head,
      ways,
      sheet,
      search,
      searchBox,
      found,
      first,
      hosted,
      local,
      pages,
      say,
    }: Places,
  ) {
    // Runs before the text view's listener, because a hidden text cannot be scrolled.
    session.on('passage', (passage) => {
      if (passage) this.panels.show('text');
    });
    const text = new TextView(session);
    const goTo = (sentence: number) => {
      this.panels.show('text');
      text.goTo(sentence);
      beside.goTo(sentence);
    };
    session.mover = moveLine;
    const curve = new CurveView(session, goTo, (start) => text.colourOf(start));
    const compare = new CompareView(
      session,
      { engine, pdf, hosted: hosted?.models ?? null },
      new Retrieval(engine, session),
      goTo,
      (start) => text.colourOf(start),
      say,
    );
    const place = new ReadingPlace();
    const outline = new OutlineView(session, goTo, (start) => text.colourOf(start));
    head.nextElementSibling?.after(outline.element);
    const editor = new Editor(session, say);
    editor.element.append(new HistoryView(session, engine, editor).element);
    const chunks = new ChunksView(session, editor, new BundleSaver(engine, pdf, session), (start) =>
      text.colourOf(start),
    );
    chunks.compared = () => compare.compared;
    chunks.tried = (of) => compare.tried(of);
    const maker = new QuestionMaker({
      session,
      text: {
        get selected() {
          return text.selected ?? compare.selected;
        },
      },
      list: () => this.panels.show('compare'),
      say,
    });
    compare.ask = () => maker.ask();
    compare.leave = () => this.panels.show('chunks');
    new SplitHere(session, editor, text, maker);
    follow({ session, text, curve, compare, chunks, place, outline });
    markFound(session, search, curve);
    const meaning = new Meaning(engine, encoder, session);
    search.understanding = meaning;
    meaning.on('read', () => search.understand());
    const statements = new Statements(session, engine, (doc, n) => written.tell(doc, n));
    const written = new StatementsOpener({ session, engine, pdf, hosted: hosted?.models ?? null, statements, say });
    new SearchView(search, searchBox, found, [new MeaningView(meaning, say).element, written.element]);
    new StepFinder(session);
    this.panels = new Panels(
      text.element,
      shown.text.tab,
      [
        { name: 'chunks', label: shown.chunks.tab, element: chunks.element },
        { name: 'search', label: shown.searchTab, element: found },
        ...(hosted || local ? [{ name: 'ask', label: shown.askTab, element: askTab(session, hosted, local) }] : []),
        { name: 'compare', label: shown.compare.tab, element: compare.element },
      ],
      { sheet, rail, corner },
    );
    document.body.prepend(h('a', { href: '#text', class: 'skip' }, shown.skip)); // now there is a text to skip to
    above.after(curve.element);
    settings.place(curve.choices);
    settings.own.append(new OwnModel(engine, session).element);
    if (local) settings.own.append(new LocalModels(session, local).element);
    head.append(...listActions(session, ways, first));
    main.append(text.element);
    const beside = new PageSwitch(session, engine, text, pages);
    main.lastElementChild?.before(
      h('div', { class: 'over-text' }, place.element, beside.bar),
      new AttachedView(session, pdf).element,
    );
    new Splitter('side', head.closest('aside') ?? head);
    new Splitter('rail', rail);
  }
}

/** Returns the tab for questions: of hosted models, and of those that the server may find. */
function askTab(session: Session, hosted: HostedParts | null, local: LocalPlaces | null): HTMLElement {
  return h(
    'div',
    {},
    hosted ? hosted.ask : h('p', { class: 'hint' }, shown.local.apart),
    local ? new LocalModels(session, local).element : null,
  );
}

interface Followed {
  session: Session;
  text: TextView;
  curve: CurveView;
  compare: CompareView;
  chunks: ChunksView;
  place: ReadingPlace;
  outline: OutlineView;
}

/** Reports the sentences in view, and presses, to the other views. */
function follow({ session, text, curve, compare, chunks, place, outline }: Followed): void {
  let frame = 0;
  const look = () => {
    frame ||= requestAnimationFrame(() => {
      frame = 0;
      // All is read before the first change, so that the page is laid out once.
      const seen = text.inView;
      const { left, right, top } = text.element.getBoundingClientRect();
      const offset = right > left ? text.offsetAt((left + right) / 2, Math.max(0, top) + READ) : null;
      text.tint();
      curve.see(seen);
      compare.see(seen);
      place.show(session.selected, offset);
      outline.see(session.selected, offset);
    });
  };
  text.element.addEventListener('scroll', look, { passive: true });
  new ResizeObserver(() => {
    look();
    repaint(text.element);
  }).observe(text.element);
  session.on('chunked', look);
  session.on('selected', look);
  session.on('moved', () => requestAnimationFrame(() => text.tint())); // no more: the place of the reader stays
  text.element.addEventListener('click', ({ clientX, clientY }) => {
    const offset = text.offsetAt(clientX, clientY);
    if (offset !== null) chunks.markAt(offset);
  });
  chunks.onMark = (chunk) => curve.mark(chunk);
}

/** Marks above the curve the search results in the shown document. */
function markFound(session: Session, search: Search, curve: CurveView): void {
  let current = -1;
  const tell = () => {
    const { selected } = session;
    const { state } = search;
    if (state.kind === 'busy') return; // the old results stay until then
    const hits = state.kind === 'found' ? state.hits.filter(({ doc }) => doc === selected?.id) : [];
    curve.find(
      hits.map(({ start, passage }) => start + (passage?.[0] ?? 0)),
      current,
    );
  };
  search.on('changed', tell);
  session.on('selected', tell);
  session.on('passage', (passage) => {
    current = passage ? passage.start + (passage.passage?.[0] ?? 0) : -1;
    tell();
  });
}

/**
 * Forces a repaint: WebKit does not paint the visible part of an element after a large
 * change of its size.
 */
function repaint(text: HTMLElement): void {
  const view = text.getBoundingClientRect();
  for (const block of text.querySelectorAll<HTMLElement>('.block')) {
    const { top, bottom } = block.getBoundingClientRect();
    if (bottom < view.top || top > view.bottom) continue;
    block.style.contentVisibility = 'visible';
    requestAnimationFrame(() =>
      requestAnimationFrame(() => {
        block.style.contentVisibility = '';
      }),
    );
  }
}
