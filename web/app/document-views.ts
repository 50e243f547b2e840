// What shows an open document: its curve, its text, its chunks. A bundle of its
// own, which comes with the first document: see lazy.ts.

import curve from '../styles/curve.css';
import edit from '../styles/edit.css';
import { BundleSaver } from './bundle-saver.ts';
import resultsStyle from '../styles/results.css';
import rows from '../styles/rows.css';
import textStyle from '../styles/text.css';
import { ChunksView } from './chunks-view.ts';
import type { EngineClient, PdfClient } from '../lib/workers.ts';
import { CurveView } from './curve-view.ts';
import { h } from './dom.ts';
import { Editor } from './editor.ts';
import { HistoryView } from './history-view.ts';
import { OwnModel } from './own-model.ts';
import { PageSwitch, type PageParts } from './page-switch.ts';
import { Panels } from './panels.ts';
import type { Session } from './session.ts';
import { SplitHere } from './split-here.ts';
import { StepFinder } from './step-finder.ts';
import { shown } from './strings-views.ts';
import { TextView } from './text-view.ts';

export interface Places {
  /** The curve stands behind this. */
  above: HTMLElement;
  main: HTMLElement;
  rail: HTMLElement;
  engine: EngineClient;
  pdf: PdfClient;
  /** Below the embedders. */
  slot: HTMLElement;
  search: HTMLElement;
  /** Null without a proxy. */
  ask: HTMLElement | null;
  pages: PageParts;
  say: (text: string) => void;
}

const sheet = new CSSStyleSheet();
sheet.replaceSync(rows + textStyle + resultsStyle + curve + edit);
document.adoptedStyleSheets.push(sheet);

export class DocumentViews {
  readonly panels: Panels;

  /** Made before the session has a document: the views show what it tells them. */
  constructor(session: Session, { above, main, rail, engine, pdf, slot, search, ask, pages, say }: Places) {
    // Before the text view hears of it: a hidden text cannot be scrolled.
    session.on('passage', (passage) => { if (passage) this.panels.show('text'); });
    const text = new TextView(session);
    const curve = new CurveView(session, (sentence) => {
      this.panels.show('text');
      text.goTo(sentence);
      beside.goTo(sentence);
    });
    const editor = new Editor(session, say);
    editor.element.append(new HistoryView(session, engine, editor).element);
    const chunks = new ChunksView(session, editor, new BundleSaver(engine, pdf, session), (start) => text.colourOf(start));
    new SplitHere(session, editor, text);
    new StepFinder(session);
    this.panels = new Panels(text.element, shown.text.tab, [
      { name: 'chunks', label: shown.chunks.tab, element: chunks.element },
      { name: 'search', label: shown.searchTab, element: search },
      ...(ask ? [{ name: 'ask', label: shown.askTab, element: ask }] : []),
    ]);
    document.body.prepend(h('a', { href: '#text', class: 'skip' }, shown.skip)); // before there was nothing to skip to
    above.after(curve.element);
    slot.after(new OwnModel(engine, session).element);
    main.append(text.element);
    const beside = new PageSwitch(session, engine, text, pages);
    rail.append(...this.panels.elements);
  }
}
