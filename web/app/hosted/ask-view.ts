// The tab for questions: the question, its answer, its passages.

import type { Hit } from '../../lib/api.ts';
import { Answer } from './answer.ts';
import type { Ask } from './ask.ts';
import { AskEnd } from './ask-end.ts';
import type { AskState } from './ask-state.ts';
import { AskingView } from './asking-view.ts';
import { button, h, setAttribute, setText } from '../ground/dom.ts';
import { hitCard, markCurrent } from '../ground/hit-card.ts';
import type { EachOpener } from './each-opener.ts';
import type { Hosted } from './hosted.ts';
import { CONNECT, type Reach } from '../session/reach.ts';
import type { Search } from '../search/search.ts';
import type { Session } from '../session/session.ts';
import { OptionsView } from './options-view.ts';
import { ReadsView } from './reads-view.ts';
import { PromptView } from './prompt-view.ts';
import { ReasoningView } from './reasoning-view.ts';
import { mustAllow } from './local-network.ts';
import { Silence } from '../ground/silence.ts';
import { explainHosted, hosted } from '../words/en/hosted.ts';
import { ThreadView } from './thread-view.ts';
import type { Warmer } from './warmer.ts';

const words = hosted.ask;

export class AskView {
  readonly #ask: Ask;
  readonly #search: Search;
  readonly #hosted: Hosted;
  readonly #reach: Reach;
  readonly #say: (text: string) => void;
  readonly #near: HTMLElement;
  readonly #connect: HTMLButtonElement;
  readonly #apart: HTMLElement;
  readonly #question = h('textarea', { id: 'question', rows: 2, placeholder: words.placeholder, enterkeyhint: 'send' });
  readonly #submit = h('button', { type: 'submit', class: 'primary small' }, words.send);
  readonly #stop: HTMLButtonElement;
  readonly #model = h('select', { id: 'chat-model' });
  readonly #modelField = h(
    'div',
    { class: 'field inline' },
    h('label', { for: 'chat-model' }, words.model),
    this.#model,
  );
  readonly #label = h('label', { for: 'question' }, words.label);
  readonly #begin: HTMLButtonElement;
  readonly #thread: ThreadView;
  readonly #asked = h('h2', { class: 'shown-question', dir: 'auto', hidden: true });
  readonly #options: OptionsView;
  readonly #each: EachOpener;
  readonly #warmer: Warmer;
  readonly #reads: ReadsView;
  readonly #scope = h('p', { class: 'hint', hidden: true });
  readonly #goes = h('p', { class: 'hint goes', hidden: true });
  readonly #prompt: PromptView;
  readonly #form: HTMLFormElement;
  readonly #asking: AskingView;
  readonly #note = h('p', { class: 'hint' });
  readonly #status = h('span', { class: 'hint' });
  readonly #silence = new Silence((first) => {
    setText(this.#status, this.#describe(this.#ask.state));
    if (first) this.#say(this.#silent);
  });
  readonly #answer: Answer;
  readonly #end: AskEnd;
  readonly #reasoning = new ReasoningView(() => setText(this.#status, this.#describe(this.#ask.state)));
  readonly #passages = h('h2');
  readonly #list = h('ol', { class: 'cards hits' });
  readonly #sources = h('details', { class: 'sources', hidden: true }, h('summary', {}, this.#passages), this.#list);
  readonly element: HTMLElement;
  #hits: Hit[] = [];
  /** Whether the model has begun to answer. */
  #heard = false;

  constructor(
    ask: Ask,
    session: Session,
    search: Search,
    models: Hosted,
    reach: Reach,
    each: EachOpener,
    warmer: Warmer,
    say: (text: string) => void,
  ) {
    this.#each = each;
    each.question = () => this.#question.value;
    this.#ask = ask;
    this.#reach = reach;
    this.#say = say;
    this.#search = search;
    this.#hosted = models;
    this.#near = h('p', { class: 'hint', hidden: true }, hosted.near.asks(models.host));
    this.#connect = button(words.connect(models.host), () => void ask.connect(), { class: 'primary' });
    this.#apart = h(
      'div',
      { class: 'apart' },
      h('p', { class: 'hint' }, words.apart(models.host)),
      this.#near,
      this.#connect,
    );
    void mustAllow(models.proxy).then((must) => (this.#near.hidden = !must));
    this.#stop = button(hosted.stop, () => this.#halt(), { class: 'small stop', hidden: true });
    const returnFocus = () => this.#question.focus();
    this.#asking = new AskingView(ask, models, (hit) => this.#where(hit), returnFocus);
    this.#answer = new Answer((index) => this.#cite(index));
    this.#end = new AskEnd({
      ask,
      models,
      answer: this.#answer,
      reasoning: this.#reasoning,
      sources: this.#sources,
      heading: this.#passages,
      where: (hit) => this.#where(hit),
      returnFocus,
      say,
    });
    this.#begin = button(words.begin, () => this.#anew(), { class: 'small', title: words.beginTitle, hidden: true });
    this.#thread = new ThreadView((place) => void ask.follow(place));
    this.#prompt = new PromptView(ask, models, this.#question);
    this.#warmer = warmer;
    this.#options = new OptionsView(ask, warmer);
    this.#reads = new ReadsView(session, () => {
      ask.range = this.#reads.range;
      this.#show(ask.state);
    });
    this.#form = h(
      'form',
      { class: 'ask' },
      this.#label,
      this.#question,
      h('div', { class: 'bar' }, this.#status, this.#modelField, this.#begin, this.#submit, this.#stop),
      this.#reads.element,
      this.#options.element,
      each.element,
      this.#scope,
      this.#goes,
    );
    this.element = h(
      'div',
      {},
      this.#apart,
      this.#thread.element,
      this.#asked,
      this.#end.refusal,
      this.#reasoning.element,
      this.#answer.element,
      ...this.#end.below,
      this.#form,
      this.#note,
      this.#asking.element,
      this.#prompt.element,
      this.#sources,
    );
    this.#listen(say);
    this.#show(ask.state);
  }

  #listen(say: (text: string) => void): void {
    const ask = this.#ask;
    this.#form.addEventListener('submit', (event) => {
      event.preventDefault();
      void ask.ask(this.#question.value, this.#alone);
    });
    this.#question.addEventListener('input', () => {
      if (ask.connected) this.#warmer.warm(ask.model);
    });
    this.#question.addEventListener('keydown', (event) => {
      if (event.key !== 'Enter' || event.shiftKey || event.isComposing) return;
      event.preventDefault();
      this.#form.requestSubmit();
    });
    this.#model.addEventListener('change', () => {
      ask.model = this.#model.value;
      this.#show(ask.state);
    });
    this.element.addEventListener('keydown', (event) => {
      if (event.key !== 'Escape' || event.isComposing) return;
      this.#halt();
      ask.decline();
    });
    this.#reach.on('changed', () => this.#show(ask.state));
    this.#search.on('ready', () => this.#showScope());
    this.#showScope();
    ask.on('cleared', () => this.#clear());
    ask.on('hits', (hits) => this.#showHits(hits));
    ask.on('delta', ({ text, reasoning, moved }) => {
      this.#heard = true;
      if (moved) this.#reasoning.push(this.#answer.takeBack());
      if (reasoning) this.#reasoning.push(text);
      else {
        this.#reasoning.done();
        this.#answer.push(text);
      }
      this.#hear(ask.state);
    });
    let before: AskState = ask.state;
    ask.on('changed', (state) => {
      const same = state === before;
      before = state;
      this.#hear(state);
      this.#show(state);
      if (state.kind === 'consent' && !same) this.#asking.focus();
      if (state.kind === 'done')
        say(
          state.answered.refused
            ? words.refused(state.answered.passages, ask.lists)
            : words.answered(state.answered.passages),
        );
      if (state.kind === 'passages') say(words.found(state.found));
      if (state.kind === 'failed') say(explainHosted(state.error).message);
      if (state.kind === 'cut') say(words.cut(state.answered));
      if (state.kind === 'consent') say(this.#asking.text(state));
    });
  }

  /** Ends a question. A model that was being loaded for it goes on loading, if the user allows that. */
  #halt(): void {
    const silent = this.#ask.state.kind === 'busy' && this.#hits.length > 0 && !this.#heard;
    this.#ask.stop();
    if (silent) this.#warmer.warm(this.#ask.model, true);
  }

  /** Starts a new thread. */
  #anew(): void {
    this.#ask.begin();
    this.#question.focus();
    this.#say(words.begun);
  }

  #clear(): void {
    this.#answer.clear();
    this.#heard = false;
    this.#reasoning.clear();
    this.#hits = [];
    this.#list.replaceChildren();
    this.#sources.hidden = true;
    this.#end.clear();
  }

  #showHits(hits: Hit[]): void {
    this.#hits = hits;
    this.#answer.names = hits.map((hit) => this.#where(hit));
    this.#sources.hidden = hits.length === 0;
    this.#sources.open = true;
    setText(this.#passages, words.passagesOf(hits.length));
    this.#hear(this.#ask.state);
    this.#list.replaceChildren(
      ...hits.map((hit, i) => {
        const head = [words.hit(i + 1, this.#where(hit)), hit.sent ? words.wide : ''].filter(Boolean).join(' · ');
        return hitCard(hit, head, () => void this.#search.follow(hit));
      }),
    );
  }

  #where(hit: Hit): string {
    return [hit.name, this.#search.pageOf(hit)].filter(Boolean).join(' · ');
  }

  #cite(index: number): void {
    const hit = this.#hits[index];
    const item = this.#list.children[index];
    if (!hit || !item) return;
    markCurrent(item);
    void this.#search.follow(hit);
  }

  /** Whether no model can answer: the proxy was not asked, is away, or has none. */
  get #alone(): boolean {
    const { connected, state } = this.#ask;
    return (
      (!connected && state.kind !== 'connecting') ||
      this.#reach.why(CONNECT) !== '' ||
      (connected && this.#hosted.chatModels.length === 0)
    );
  }

  #show(state: AskState): void {
    const focused = document.activeElement;
    const within = this.element.contains(focused);
    const apart = !this.#ask.connected;
    const alone = this.#alone;
    const { chatModels } = this.#hosted;
    this.#apart.hidden = !apart;
    const away = this.#reach.why(CONNECT);
    this.#connect.disabled = state.kind === 'connecting' || away !== '';
    setText(this.#submit, alone ? words.find : words.send);
    if (!apart && this.#model.options.length !== chatModels.length) {
      this.#model.replaceChildren(
        ...chatModels.map(({ name, label, id, price }) =>
          h('option', { value: name }, hosted.model(label || id, price)),
        ),
      );
    }
    this.#modelField.hidden = chatModels.length < 2;
    this.#showThread(state, alone);
    this.#submit.hidden = state.kind === 'busy' || state.kind === 'looking';
    this.#stop.hidden = !this.#submit.hidden;
    this.#asking.show(state);
    const note =
      state.kind === 'connecting'
        ? hosted.connecting(this.#hosted.host)
        : away
          ? words.away(away)
          : !apart && alone
            ? words.noModel(this.#hosted.host)
            : '';
    this.#note.hidden = !note;
    setText(this.#note, note);
    setText(this.#status, this.#describe(state));
    this.#end.show(state, this.#hits);
    // The element with the focus may be gone.
    if (within && !focused?.checkVisibility() && !this.#form.hidden) this.#question.focus();
  }

  /**
   * Shows the current question, the part of the thread that goes with the next one, and its
   * cost.
   */
  #showThread(state: AskState, alone: boolean): void {
    const { turns, history } = this.#ask;
    this.#thread.show(state.kind === 'done' ? turns.slice(0, -1) : turns);
    const shown = 'question' in state && state.kind !== 'consent' && state.kind !== 'looking';
    if (state.kind === 'busy' && this.#question.value.trim() === state.question) this.#question.value = '';
    if (shown) setText(this.#asked, state.question);
    this.#asked.hidden = !shown && this.#answer.element.hidden && this.#end.refusal.hidden;
    this.#begin.hidden = turns.length === 0;
    setText(this.#label, turns.length > 0 ? words.followUp : words.label);
    setAttribute(this.#question, 'placeholder', turns.length > 0 ? words.placeholderNext : words.placeholder);
    this.#prompt.element.hidden = alone;
    this.#options.show(alone);
    this.#each.show(alone);
    this.#reads.show(alone);
    const { tokens, dollars } = this.#ask.estimate();
    const sent = history.kept + history.dropped > 0;
    this.#goes.hidden = alone || !sent || state.kind === 'busy';
    setText(
      this.#goes,
      !sent
        ? ''
        : this.#hosted.terms.turns === 0
          ? words.alone(this.#hosted.host)
          : words.goes(history.kept, history.dropped, history.tokens, tokens, dollars),
    );
  }

  /** Says where the passages are looked for, unless in all documents. */
  #showScope(): void {
    const { only, part, atRemote, remote } = this.#search;
    setText(
      this.#scope,
      atRemote && remote
        ? words.notIn(remote.label)
        : only
          ? words.onlyIn(
              only.map(({ name }) => name),
              part,
            )
          : '',
    );
    this.#scope.hidden = this.#scope.textContent === '';
  }

  /** Updates the status when text has arrived or is awaited. */
  #hear(state: AskState): void {
    this.#silence.heard(state.kind === 'busy' && this.#hits.length > 0 && !this.#alone);
    setText(this.#status, this.#describe(state));
  }

  /** Says that nothing has come for long. */
  get #silent(): string {
    const { seconds } = this.#silence;
    const { model } = this.#ask;
    return this.#warmer.can(model) && !this.#heard
      ? words.loading(this.#hosted.labelOf(model), seconds)
      : words.silent(this.#hosted.host, seconds);
  }

  #describe(state: AskState): string {
    if (this.#silence.long) return this.#silent;
    if (state.kind === 'looking') return words.looking;
    const { seconds } = this.#reasoning;
    if (state.kind === 'busy' && state.part) return words.part(state.part.n, state.part.of);
    if (state.kind === 'busy' && seconds !== null) return words.thinking(seconds);
    if (state.kind === 'busy')
      return this.#hits.length > 0 && !this.#alone
        ? words.answering(this.#hosted.labelOf(this.#ask.model))
        : words.looking;
    if (state.kind === 'done') return words.finish[state.answered.finish] ?? '';
    if (state.kind === 'passages') return words.found(state.found);
    return state.kind === 'idle' && !this.#alone ? words.start : '';
  }
}
