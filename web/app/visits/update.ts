// Offers a new version once all its files are stored. It is used when the user agrees and
// no work is in progress.

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

  /** Handles a new version, which may be incomplete. */
  offer(registration: ServiceWorkerRegistration): void {
    if (!this.#registration) {
      // Another tab switched the version. This tab goes on with its own.
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
      location.reload(); // another tab has applied it
      return;
    }
    navigator.serviceWorker.addEventListener('controllerchange', () => location.reload());
    waiting.postMessage('take');
  }

  /** Describes the work that must not be interrupted. */
  #underWay(): string {
    // A document being reopened will be unchanged on the next visit.
    const reopened = ({ source, kept }: Doc) => source === null && kept?.state === 'saved';
    if (
      this.#session.docs.some(
        (doc) => (doc.state === 'queued' || doc.state === 'reading' || doc.stop || doc.progress) && !reopened(doc),
      )
    )
      return words.working;
    if (document.querySelector('dialog[open], #panel-ask button:not([hidden]).stop')) return words.working;
    // Asks the page's own beforeunload listeners, as the browser does.
    return dispatchEvent(new Event('beforeunload', { cancelable: true })) ? '' : words.edited;
  }
}
