// Explains below the knob why a method cuts nothing and how to fix that. If chunker.ts has
// changed the setting, explains the change and offers to undo it.

import { button, h, setText } from '../ground/dom.ts';
import type { Session } from '../session/session.ts';
import { sentence } from '../words/en/page.ts';
import { settings } from '../words/en/settings.ts';

const words = settings.remedy;

export class RemedyView {
  readonly #session: Session;
  readonly #why = h('p', { class: 'help', id: 'knob-remedy' });
  readonly #follow = button('', () => this.#use(), { class: 'link' });
  readonly element = h('div', { class: 'remedy' }, this.#why, this.#follow);

  constructor(session: Session) {
    this.#session = session;
    for (const event of ['settings', 'selected', 'moved'] as const) session.on(event, () => this.#update());
    session.on('chunked', (doc) => {
      if (doc === session.selected) this.#update();
    });
    this.#update();
  }

  #update(): void {
    const {
      selected,
      choices: { method, setting },
    } = this.#session;
    const { eased = '', result } = selected?.chunking ?? {};
    const { why = '', step } = result?.remedy ?? {};
    const shown = eased || why;
    this.element.hidden = !shown || result?.method !== method?.name;
    if (!shown) return;
    const done = method?.setting ? words.eased(result?.setting ?? setting) : words.deepest(result?.chunks.length ?? 0);
    setText(this.#why, eased ? `${sentence(eased)} ${done}` : sentence(why));
    this.#follow.hidden = !eased && !step;
    if (eased) setText(this.#follow, words.published(method?.setting ? setting : null));
    else if (step) setText(this.#follow, words.use(step.setting, step.chunks));
  }

  #use(): void {
    const { selected, choices } = this.#session;
    const to = selected?.chunking?.eased ? choices.setting : selected?.chunking?.result.remedy?.step?.setting;
    document.getElementById(choices.method?.setting ? 'threshold' : 'method')?.focus();
    if (to !== undefined) this.#session.setSetting(to);
  }
}
