// Offers a new version once all of its files are here, and takes it when the
// person says so and nothing is under way.

import type { Doc } from '../session/doc.ts';
import { button, h, setText } from '../ground/dom.ts';
import type { Session } from '../session/session.ts';
import { visits as words } from '../words/en/visits.ts';
import type { VisitPlaces } from './visit-places.ts';

export class Update {
  readonly #session: Session;
  readonly #say: (text: string) => void;
  readonly #text = h('span');
  readonly #use = button('', () => this.#take(), { class: 'small' });
  readonly #line = h(
    'p',
    { class: 'update', hidden: true },
    this.#text,
    this.#use,
    button(
      words.later,
      () => {
        this.#line.hidden = true;
      },
      { class: 'link' },
    ),
  );
  #registration: ServiceWorkerRegistration | null = null;

  constructor({ session, say }: VisitPlaces) {
    this.#session = session;
    this.#say = say;
    document.querySelector('header')?.append(this.#line);
  }

  /** There is a new version, which may not be complete yet. */
  offer(registration: ServiceWorkerRegistration): void {
    if (!this.#registration) {
      // Of another tab's doing: this one goes on with what it has.
      navigator.serviceWorker.addEventListener('controllerchange', () => this.#show(words.older, words.reload));
      this.#session.on('documents', () => {
        if (!this.#line.hidden && !this.#underWay()) this.#tell();
      });
    }
    this.#registration = registration;
    const { installing } = registration;
    installing?.addEventListener('statechange', () => {
      if (installing.state === 'installed') this.#tell();
    });
    this.#tell();
  }

  #tell(): void {
    if (this.#registration?.waiting) this.#show(words.ready, words.use);
  }

  #show(text: string, use: string): void {
    if (!this.#line.hidden && this.#text.textContent === text) return;
    setText(this.#text, text);
    setText(this.#use, use);
    this.#line.hidden = false;
    this.#say(text);
  }

  #take(): void {
    const why = this.#underWay();
    if (why) {
      this.#show(why, this.#use.textContent ?? '');
      return;
    }
    const waiting = this.#registration?.waiting;
    if (!waiting) {
      location.reload(); // another tab has taken it
      return;
    }
    navigator.serviceWorker.addEventListener('controllerchange', () => location.reload());
    waiting.postMessage('take');
  }

  /** What is not to be broken off, in a sentence. */
  #underWay(): string {
    // A document that is opened again is there as it was on the next visit.
    const reopened = ({ source, kept }: Doc) => source === null && kept?.state === 'saved';
    if (
      this.#session.docs.some(
        (doc) => (doc.state === 'queued' || doc.state === 'reading' || doc.stop || doc.progress) && !reopened(doc),
      )
    )
      return words.working;
    if (document.querySelector('dialog[open], #panel-ask button:not([hidden]).stop')) return words.working;
    // Whoever would keep a person from leaving the page is asked as the browser asks them.
    return dispatchEvent(new Event('beforeunload', { cancelable: true })) ? '' : words.edited;
  }
}
