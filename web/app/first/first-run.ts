// The parts of a first visit: example documents, example questions, a tour. A bundle of its
// own, loaded after the first paint: see lazy.ts.

import { needsUser } from '../session/doc.ts';
import css from '../../styles/first.css';
import icons from '../../styles/icons.css';
import { collectionHere, sealed } from '../../lib/place.ts';
import { frame, result } from '../ground/dialog-frame.ts';
import type { Announcer } from '../ground/announcer.ts';
import { adopt, button, h } from '../ground/dom.ts';
import { Gallery, type Example } from './gallery.ts';
import { GalleryView } from './gallery-view.ts';
import type { Intake } from '../open/intake.ts';
import { CHOSEN, languageChoice } from '../settings/language-choice.ts';
import { keeping, someKept } from '../session/memory.ts';
import { narrow, sheeted } from '../ground/narrow.ts';
import type { Panels } from '../ground/panels.ts';
import { LineExample } from './line-example.ts';
import { QuestionsView } from './questions-view.ts';
import { remember, remembered } from '../ground/remembered.ts';
import type { Search } from '../search/search.ts';
import type { Session } from '../session/session.ts';
import type { Sheet } from '../ground/sheet.ts';
import { first } from '../words/en/first.ts';
import { choice } from '../words/en/language.ts';
import { Tour } from './tour.ts';
import { tourSteps } from './tour-steps.ts';

export interface FirstRunPlaces {
  session: Session;
  search: Search;
  /** Shown before there is a document. */
  empty: HTMLElement;
  /** The tab with search results. */
  found: HTMLElement;
  /** The offer of the tour can go after this element. */
  line: HTMLElement;
  panels: () => Panels | undefined;
  /** The ways to add documents. */
  intake: Intake;
  /** The beginning of the sample's name. */
  sample: string;
  /** Searches as if the question had been typed. */
  find: (question: string) => void;
  sheet: Sheet;
  proxy: boolean;
  /** Searches the collection of the proxy. */
  collection: () => void;
  failed: (cause: unknown) => void;
  announcer: Announcer;
}

/** Set once the tour was offered, so that it is offered only once. */
const OFFERED = 'seam.tour';
/** The height is also in styles/first.css. */
const LOW = matchMedia('(max-height: 520px)');

adopt(icons + css); // the empty page has icons too

export class FirstRun {
  readonly #places: FirstRunPlaces;
  readonly #gallery = new Gallery();
  readonly #questions: QuestionsView;
  readonly #tour: Tour;
  #offer: HTMLElement | null = null;
  /** In the sealed entry, says that nothing is kept; hidden if the user has chosen to keep. */
  readonly #kept = h('p', { class: 'sealed-kept', hidden: !sealed || keeping() }, first.sealed);
  /** Whether the tour waits for a text. */
  #waiting = false;

  constructor(places: FirstRunPlaces) {
    const { session, search, empty, found } = places;
    this.#places = places;
    this.#questions = new QuestionsView(session, search, this.#gallery.examples, places.sample);
    this.#tour = new Tour({
      steps: tourSteps(places.panels, places.proxy),
      say: (text) => places.announcer.say('tour', text),
      over: () => this.#offered(),
    });
    const title = h('h3', { id: 'gallery-title' }, first.gallery.title);
    empty.append(
      new LineExample().element,
      h(
        'dl',
        { class: 'uses' },
        ...first.uses.map(([use, text]) => h('div', {}, h('dt', {}, use ?? ''), h('dd', {}, text ?? ''))),
      ),
      h(
        'section',
        { class: 'gallery', 'aria-labelledby': title.id },
        h(
          'div',
          { class: 'head' },
          title,
          h('p', { class: 'hint' }, first.gallery.hint),
          button(first.gallery.tour, () => this.tour(), { class: 'link' }),
        ),
        new GalleryView(this.#gallery, (example) => this.#open(example)).element,
      ),
    );
    empty.append(languageChoice(session, 'first-language'));
    if (collectionHere())
      empty
        .querySelector('.actions')
        ?.after(
          h(
            'p',
            { class: 'collection' },
            button(first.collection(location.host), places.collection, { class: 'link' }),
          ),
        );
    empty.querySelector('.invite')?.append(this.#kept);
    found.prepend(this.#questions.add(places.find));
    session.on('chunked', () => this.#addToAsk());
    session.on('documents', (docs) => {
      this.#kept.hidden = !sealed || keeping();
      if (docs.length === 0) this.#leave();
    });
    void this.#watch();
    this.#tellLanguage();
  }

  /** Opens the gallery in a dialog. */
  gallery(): void {
    const dialog = frame(
      first.gallery.dialog,
      first.gallery.close,
      null,
      h('p', { class: 'hint' }, first.gallery.hint),
      new GalleryView(this.#gallery, (example) => {
        dialog.close();
        this.#open(example);
      }).element,
    );
    dialog.classList.add('gallery');
    void result(dialog, () => '');
  }

  /** Starts the tour. Opens the sample if the shown document has no text. */
  tour(): void {
    const { session, intake, sheet } = this.#places;
    sheet.close();
    if (session.selected?.chunking) {
      this.#offer?.remove();
      this.#tour.start();
      return;
    }
    this.#waiting = true;
    if (!session.selected || needsUser(session.selected)) void intake.addSample();
  }

  #open(example: Example): void {
    const { intake, failed } = this.#places;
    intake.expect();
    this.#gallery.fetch(example).then((file) => intake.add([file]), failed);
  }

  /** Offers the tour with the first document of the first visit. */
  async #watch(): Promise<void> {
    const { session } = this.#places;
    let offer = !remembered(OFFERED) && !(await someKept());
    const look = () => {
      if (!session.selected?.chunking) return;
      if (this.#waiting) {
        this.#waiting = false;
        this.#tour.start();
      } else if (offer) this.#offerTour();
      offer = false;
    };
    session.on('chunked', look);
    look();
  }

  #offerTour(): void {
    const { line } = this.#places;
    const away = () => {
      this.#leave();
      document.querySelector<HTMLElement>('#text')?.focus({ preventScroll: true });
    };
    this.#offer = h(
      'p',
      { class: 'tour-offer' },
      h('span', {}, first.tour.offer),
      ' ',
      h(
        'span',
        { class: 'answers' },
        button(first.tour.take, () => this.tour(), { class: 'link' }),
        ' ',
        button(first.tour.no, away, { class: 'link' }),
      ),
    );
    // On a phone, a press inside the sheet opens it, so the offer goes above the tabs,
    // where it covers nothing. Beside a sheet at the side it goes below the list.
    const parts = narrow.matches ? document.querySelector('.parts') : null;
    const rail = sheeted.matches ? document.querySelector('.rail') : null;
    if (parts && LOW.matches) parts.prepend(this.#offer);
    else if (parts) parts.before(this.#offer);
    else if (rail) rail.append(this.#offer);
    else line.after(this.#offer);
    this.#offered();
  }

  /** Remembers the offer; if nothing is kept, for this visit only. */
  #offered(): void {
    if (keeping()) remember(OFFERED, '1');
  }

  #leave(): void {
    this.#offer?.remove();
    this.#tour.end();
  }

  /** Announces the language after it was changed. */
  #tellLanguage(): void {
    try {
      if (sessionStorage.getItem(CHOSEN)) this.#places.announcer.say('language', choice.is);
      sessionStorage.removeItem(CHOSEN);
    } catch {
      // then nothing was stored
    }
  }

  /** Adds the example questions to the tab for questions once it exists. */
  #addToAsk(): void {
    const form = document.querySelector<HTMLFormElement>('form.ask:not(:has(.questions))');
    const field = form?.querySelector('textarea');
    if (!form || !field) return;
    form.append(
      this.#questions.add((question) => {
        field.value = question;
        form.requestSubmit();
      }),
    );
  }
}
