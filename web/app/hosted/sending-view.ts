// Shows below the embedders the amount a hosted one would receive, and the progress of
// sending.

import { Consent, type Question } from './consent.ts';
import { h, setText } from '../ground/dom.ts';
import type { Hosted, Sending } from './hosted.ts';
import type { Session } from '../session/session.ts';
import type { SettingsView } from '../settings/settings-view.ts';
import { Silence } from '../ground/silence.ts';
import { explainHosted, hosted as words } from '../words/en/hosted.ts';

export class SendingView {
  readonly #hosted: Hosted;
  readonly #note = h('p', { class: 'help', hidden: true });
  readonly #consent: Consent;
  readonly #silence = new Silence((first) => {
    this.#show(this.#hosted.state);
    if (first) this.#say(words.ask.silent(this.#hosted.host, this.#silence.seconds));
  });
  readonly #say: (text: string) => void;
  /** The last announcement of the amount and the progress. */
  #heard = '';
  readonly element: HTMLElement;

  /** `say` announces the panel to screen readers. */
  constructor(hosted: Hosted, session: Session, settings: SettingsView, say: (text: string) => void) {
    this.#hosted = hosted;
    this.#say = say;
    this.#consent = new Consent({
      id: 'sending',
      yes: () => (hosted.state.kind === 'failed' ? hosted.retry() : hosted.send()),
      no: () => (hosted.state.kind === 'sending' ? hosted.stop() : hosted.decline()),
      always: (on) => {
        hosted.always = on;
      },
      returnFocus: () => settings.focusEmbedder(),
    });
    this.element = h('div', {}, this.#note, this.#consent.element);
    const update = () => this.#show(hosted.state);
    hosted.on('changed', (state) => {
      update();
      if (state.kind === 'asking' && hosted.always && !state.error) return; // sent immediately
      if (state.kind === 'connected') settings.attend();
      if (state.kind === 'asking' || state.kind === 'failed') {
        settings.attend();
        const question = this.#question(state);
        say(question ? `${question.title}. ${question.text}` : '');
      }
    });
    session.on('documents', update);
    update();
  }

  #show(state: Sending): void {
    const { host } = this.#hosted;
    const heard = state.kind === 'sending' ? `${state.key} ${state.doc.progress?.done ?? 0}` : '';
    if (heard !== this.#heard) this.#silence.heard(heard !== '');
    this.#heard = heard;
    const note =
      state.kind === 'connecting'
        ? words.connecting(host)
        : state.kind === 'connected'
          ? words.choose(state.embedders, host)
          : '';
    this.#note.hidden = !note;
    setText(this.#note, note);
    this.#consent.show(this.#question(state));
  }

  #question(state: Sending): Question | null {
    const { host } = this.#hosted;
    if (state.kind === 'asking') {
      const { doc, preview, error, came } = state;
      if (!error && (preview.missing === 0 || this.#hosted.always)) return null;
      const text =
        preview.missing > 0
          ? [
              words.preview(preview, doc.name, this.#hosted.labelOf(preview.embedder), host),
              this.#hosted.prefixesOf(preview.embedder),
            ]
              .filter(Boolean)
              .join(' ')
          : words.nothingMissing;
      if (!error) return { title: words.nothingYet, failed: false, text, yes: words.send, no: words.notNow };
      const { message, hint } = explainHosted(error);
      return {
        title: message,
        failed: !error.cancelled,
        text: [hint, words.kept(came), text].filter(Boolean).join(' '),
        yes: came > 0 && preview.missing > 0 ? words.sendRest : words.retry,
        no: words.notNow,
      };
    }
    if (state.kind === 'sending') {
      const { progress } = state.doc;
      const known = progress?.stage === 'vectors' ? progress : { done: 0, total: 0 };
      const text = [
        known.total > 0 ? words.sentOf(known.done, known.total) : '',
        this.#silence.long ? words.ask.silent(host, this.#silence.seconds) : '',
      ];
      return {
        title: words.sendingTo(host),
        failed: false,
        text: text.filter(Boolean).join('. '),
        yes: '',
        no: words.stop,
        progress: known,
      };
    }
    if (state.kind === 'failed') {
      const { message, hint } = explainHosted(state.error);
      return {
        title: message,
        failed: true,
        text: [hint, words.unsent].filter(Boolean).join(' '),
        yes: words.retry,
        no: words.notNow,
      };
    }
    return null;
  }
}
