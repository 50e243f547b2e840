// Shows the messages of the next question for a model, or of the last question: the system
// prompt, the thread, and the question with its passages. The user may write the system
// prompt if the proxy allows it. Nothing is sent for this view; it is updated while it is
// open.

import type { Ask } from './ask.ts';
import type { Prompt } from './ask-state.ts';
import { button, h, setText } from '../ground/dom.ts';
import type { Hosted } from './hosted.ts';
import { SeamError } from '../../lib/seam-error.ts';
import { explainHosted, hosted } from '../words/en/hosted.ts';

const words = hosted.ask.prompt;

/** Waits for a pause in typing before it searches for the passages. */
const TYPED_MS = 300;

export class PromptView {
  readonly #ask: Ask;
  readonly #hosted: Hosted;
  readonly #question: HTMLTextAreaElement;
  readonly #own = h('span', { class: 'hint' });
  readonly #name = h('label', { for: 'system' }, words.system);
  readonly #system = h('textarea', { id: 'system', rows: 4, spellcheck: 'false', 'aria-describedby': 'system-why' });
  readonly #why = h('p', { class: 'hint', id: 'system-why' });
  readonly #reset: HTMLButtonElement;
  readonly #title = h('p', { class: 'hint', 'aria-live': 'polite' });
  readonly #messages = h('div', { class: 'messages' });
  readonly element: HTMLDetailsElement;
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** Counts the lookups. An answer to an earlier one is ignored. */
  #turn = 0;
  #sent: Prompt | null = null;

  constructor(ask: Ask, models: Hosted, question: HTMLTextAreaElement) {
    this.#ask = ask;
    this.#hosted = models;
    this.#question = question;
    this.#reset = button(
      words.reset,
      () => {
        this.#write('');
        this.#system.focus();
      },
      { class: 'small' },
    );
    this.element = h(
      'details',
      { class: 'prompt' },
      h('summary', {}, words.title, ' ', this.#own),
      this.#name,
      this.#system,
      h('div', { class: 'bar' }, this.#why, this.#reset),
      this.#title,
      this.#messages,
    );
    this.element.addEventListener('toggle', () => this.update());
    this.#system.addEventListener('change', () => this.#write(this.#system.value));
    question.addEventListener('input', () => this.#soon());
    ask.on('changed', (state) => {
      if (state.kind === 'done')
        this.#sent = state.answered.messages && {
          messages: state.answered.messages,
          passages: state.answered.passages,
          searched: true,
          part: false,
        };
      this.update();
    });
    ask.on('cleared', () => {
      this.#sent = null;
    });
    this.update();
  }

  #write(system: string): void {
    this.#ask.system = system;
    this.#system.value = this.#ask.system || this.#hosted.terms.system;
  }

  #soon(): void {
    clearTimeout(this.#timer);
    if (this.element.open) this.#timer = setTimeout(() => this.update(), TYPED_MS);
  }

  update(): void {
    clearTimeout(this.#timer);
    const { terms } = this.#hosted;
    const { open, system } = this.#ask;
    setText(this.#own, system ? words.own : '');
    this.#system.readOnly = !open;
    this.#name.hidden = this.#system.hidden = !open && !terms.system;
    const shown = system || terms.system;
    if (document.activeElement !== this.#system && this.#system.value !== shown) this.#system.value = shown;
    setText(
      this.#why,
      [terms.system ? '' : words.untold(this.#hosted.host), open ? words.open : words.closed(this.#hosted.host)]
        .filter(Boolean)
        .join(' '),
    );
    this.#reset.hidden = !open || !system;
    if (this.element.open && this.#ask.state.kind !== 'busy') void this.#look();
  }

  async #look(): Promise<void> {
    const turn = ++this.#turn;
    const { state } = this.#ask;
    const question = (state.kind === 'consent' ? state.question : this.#question.value).trim();
    this.element.setAttribute('aria-busy', 'true');
    try {
      const prompt = question ? await this.#ask.show(question) : this.#sent;
      if (turn === this.#turn) this.#show(prompt, question !== '');
    } catch (cause) {
      if (turn === this.#turn) {
        setText(this.#title, explainHosted(SeamError.from(cause)).message);
        this.#messages.replaceChildren();
      }
    }
    if (turn === this.#turn) this.element.setAttribute('aria-busy', 'false');
  }

  #titleOf(prompt: Prompt | null, next: boolean): string {
    const { state } = this.#ask;
    if (!prompt) return words.start;
    if (!next) return words.last;
    if (state.kind === 'consent' && state.chosen?.sent.length === 0) return hosted.ask.noneLeft;
    if (prompt.part) return words.nextPart(prompt.passages);
    return prompt.searched ? words.next(prompt.passages) : words.byWords(prompt.passages);
  }

  #show(prompt: Prompt | null, next: boolean): void {
    const history = this.#ask.history.messages;
    const messages = prompt?.messages ?? history;
    setText(this.#title, this.#titleOf(prompt, next));
    const system = this.#ask.system || this.#hosted.terms.system;
    this.#messages.replaceChildren(
      ...messages.flatMap(({ role, content }, i) => {
        if (role === 'system' && !content.startsWith(system)) return [message(words.system, content)];
        if (role === 'system')
          return content.length > system.length && system
            ? [message(words.added, content.slice(system.length).trim())]
            : [];
        const last = prompt !== null && i === messages.length - 1;
        return [message(last ? words.user : (words.roles[role] ?? ''), content)];
      }),
    );
  }
}

function message(name: string, content: string): HTMLElement {
  return h(
    'div',
    {},
    h('strong', {}, name),
    h('pre', { dir: 'auto', tabindex: 0, role: 'group', 'aria-label': name }, content),
  );
}
