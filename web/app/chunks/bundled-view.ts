// Shows that a document keeps the chunks of its bundle when the page's settings would cut
// it differently.

import type { Method } from '../../lib/api.ts';
import type { Settings } from '../../lib/cut.ts';
import { button, h, setText } from '../ground/dom.ts';
import type { Session } from '../session/session.ts';
import { shown } from '../words/en/views.ts';

export class BundledView {
  readonly #words = h('span');
  readonly element: HTMLElement;

  constructor(session: Session) {
    this.element = h(
      'p',
      { class: 'hint bundled', hidden: true },
      this.#words,
      ' ',
      button(shown.bundles.mine, () => session.useMine(), { class: 'link' }),
    );
    const update = () => {
      const doc = session.selected;
      const { hello } = session.choices;
      const given = doc?.given;
      const method = hello?.methods.find(({ name }) => name === given?.method);
      this.element.hidden =
        !doc || !given || !method || alike(given, session.choices.settingsOf({ ...doc, given: null }, false), method);
      if (given && method) setText(this.#words, shown.bundles.given(method.label, given));
    };
    for (const event of ['selected', 'chunked', 'settings'] as const) session.on(event, update);
    update();
  }
}

/**
 * Reports whether two sets of settings cut a document alike, as far as that is known
 * without the engine.
 */
export function alike(given: Settings, page: Settings, method: Method): boolean {
  const setting = ({ setting = method.setting?.default ?? 0, threshold = NaN, count = 0 }: Settings) =>
    JSON.stringify([setting, threshold, count]);
  const least = (max: number) =>
    max > 0 && method.minTokens > 0 ? Math.min(Math.floor(max / 3), 4 * method.minTokens) : method.minTokens;
  const max = page.maxTokens ?? 0;
  return (
    given.method === page.method &&
    setting(given) === setting(page) &&
    given.maxTokens === max &&
    (given.headers ?? false) === (page.headers ?? false) &&
    given.minTokens === (page.minTokens ?? least(max)) &&
    (given.overlap ?? 0) === (page.overlap ?? 0) &&
    (given.unit ?? '') === (page.unit ?? '') &&
    (given.embedder === page.embedder || (page.embedder === 'auto' && given.embedder === 'builtin'))
  );
}
