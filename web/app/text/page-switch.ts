// Switches between the text of a document, the pages of a PDF or the look of an HTML page,
// and both side by side. The views are loaded on first use: page/page-view.ts,
// page/look-view.ts.

import pageSwitch from '../../styles/page-switch.css';
import type { EngineClient } from '../../lib/workers.ts';
import type { Doc, Passage } from '../session/doc.ts';
import { adopt, button, h, setAttribute, setText } from '../ground/dom.ts';
import { kindOf, type Kind } from '../session/kind.ts';
import { loader } from '../ground/loader.ts';
import type { LookView } from '../page/look-view.ts';
import type { PagePlaces, PageView } from '../page/page-view.ts';
import { remember, remembered } from '../ground/remembered.ts';
import type { Session } from '../session/session.ts';
import { shown } from '../words/en/views.ts';
import type { TextView } from './text-view.ts';

/** The dependencies of the page views. */
export interface PageParts extends Pick<PagePlaces, 'spawn' | 'ask'> {
  load: () => Promise<{ PageView: new (places: PagePlaces) => PageView }>;
}

declare const __LOOK__: string;
declare const __LOOK_INTEGRITY__: string;

const loadLook = loader<typeof import('../page/look-view.ts')>(__LOOK__, __LOOK_INTEGRITY__);

type Choice = 'text' | 'both' | 'page';

const KEY = 'seam.page.1';
const CHOICES: readonly Choice[] = ['text', 'both', 'page'];

/** On a narrower screen, text and page side by side would both be too narrow. */
const wide = matchMedia('(min-width: 1200px)');
/** Here both fit beside the lists, and are the default. */
const roomy = matchMedia('(min-width: 2000px)');

adopt(pageSwitch);

export class PageSwitch {
  readonly #session: Session;
  readonly #engine: EngineClient;
  readonly #text: TextView;
  readonly #parts: PageParts;
  readonly #buttons = new Map<Choice, HTMLButtonElement>();
  readonly #failure = h('p', { class: 'hint', role: 'alert', hidden: true });
  /** The switch, placed by the caller. */
  readonly bar: HTMLElement;
  readonly #frame: HTMLElement;
  #chosen = stored();
  /** The views loaded so far. */
  readonly #views = new Map<Kind, PageView | LookView>();
  #passage: Passage | null = null;
  /** The document that has another view, and the kind of that view. */
  #other: { doc: Doc; kind: Kind } | null = null;

  constructor(session: Session, engine: EngineClient, text: TextView, parts: PageParts) {
    this.#session = session;
    this.#engine = engine;
    this.#text = text;
    this.#parts = parts;
    const group = h(
      'div',
      { class: 'choices', role: 'group', 'aria-label': shown.pages.label },
      ...CHOICES.map((choice) => this.#option(choice)),
    );
    this.bar = h('div', { class: 'page-switch', hidden: true }, this.#failure, group);
    this.#frame = h('div', { class: 'text-and-page', 'data-shows': 'text' });
    text.element.replaceWith(this.#frame);
    this.#frame.append(text.element);
    for (const width of [wide, roomy]) width.addEventListener('change', () => this.#show());
    session.on('selected', (doc) => void this.#look(doc));
    session.on('chunked', () => void this.#look(session.selected));
    session.on('documents', () => void this.#look(session.selected));
    session.on('passage', (passage) => {
      this.#passage = passage;
    });
  }

  /** Shows a sentence without informing the session. */
  goTo(sentence: number): void {
    const doc = this.#session.selected;
    const [start, end] = doc?.chunking?.sentences.subarray(2 * sentence, 2 * sentence + 2) ?? [];
    if (!doc || start === undefined || end === undefined) return;
    this.#passage = { doc, start, end, page: '', marks: [], passage: null, focus: 0 };
    this.#view?.goTo(this.#passage);
  }

  get #view(): PageView | LookView | undefined {
    return this.#other ? this.#views.get(this.#other.kind) : undefined;
  }

  #option(choice: Choice): HTMLElement {
    const option = button(shown.pages.choices[choice], () => {
      this.#chosen = choice;
      remember(KEY, choice);
      this.#show();
    });
    this.#buttons.set(choice, option);
    return option;
  }

  async #look(doc: Doc | null): Promise<void> {
    const kind = doc && (await kindOf(doc));
    if (doc !== this.#session.selected) return; // superseded
    if (kind ? doc === this.#other?.doc && kind === this.#other.kind : !this.#other) return;
    this.#other = doc && kind ? { doc, kind } : null;
    this.#show();
  }

  /** The choice that fits on the screen: without room for both, the text. */
  get #choice(): Choice {
    const chosen = this.#chosen ?? (roomy.matches ? 'both' : 'text');
    return !this.#other || (chosen === 'both' && !wide.matches) ? 'text' : chosen;
  }

  #show(): void {
    const choice = this.#choice;
    this.bar.hidden = !this.#other;
    this.#frame.dataset['shows'] = choice;
    for (const [each, pressed] of this.#buttons) {
      setAttribute(pressed, 'aria-pressed', String(each === choice));
      pressed.hidden = each === 'both' && !wide.matches;
    }
    this.#failure.hidden = true;
    for (const view of this.#views.values()) if (choice === 'text' || view !== this.#view) view.hide();
    if (choice === 'text' || !this.#other) return;
    if (this.#view) this.#view.show();
    else void this.#load(this.#other.kind);
  }

  async #load(kind: Kind): Promise<void> {
    try {
      const make = await this.#maker(kind);
      if (this.#views.has(kind)) return;
      const view = make();
      this.#views.set(kind, view);
      this.#frame.append(view.element);
      view.goTo(this.#passage);
      this.#show();
    } catch {
      if (kind !== this.#other?.kind) return;
      this.#frame.dataset['shows'] = 'text';
      for (const [each, pressed] of this.#buttons) setAttribute(pressed, 'aria-pressed', String(each === 'text'));
      setText(this.#failure, shown.pages.lost);
      this.#failure.hidden = false;
    }
  }

  async #maker(kind: Kind): Promise<() => PageView | LookView> {
    const colourOf = (start: number) => this.#text.colourOf(start);
    if (kind === 'html') {
      const { LookView } = await loadLook();
      return () => new LookView(this.#session, colourOf);
    }
    const { PageView } = await this.#parts.load();
    const { spawn, ask } = this.#parts;
    return () => new PageView({ session: this.#session, engine: this.#engine, spawn, ask, colourOf });
  }
}

/** Returns the last choice, or null if there was none. */
function stored(): Choice | null {
  return CHOICES.find((choice) => choice === remembered(KEY)) ?? null;
}
