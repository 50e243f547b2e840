// The settings of a cut: method, threshold, sizes, embedder.

import { HOSTED, type Embedder, type View } from '../../lib/api.ts';
import { isHosted } from '../session/choices.ts';
import { button, h, setAttribute, setText } from '../ground/dom.ts';
import { Knob } from './knob.ts';
import { narrow } from '../ground/narrow.ts';
import { groupedOptions, options } from './method-options.ts';
import { remember, remembered } from '../ground/remembered.ts';
import { CONNECT, type Reach } from '../session/reach.ts';
import type { Session } from '../session/session.ts';
import type { SeamError } from '../../lib/seam-error.ts';
import { explain, strings } from '../words/en/page.ts';

/** A proxy's host, and a function that asks it for its models. */
export interface ProxyChoice {
  host: string;
  connect: () => void;
}

export class SettingsView {
  readonly #session: Session;
  readonly #proxy: ProxyChoice | null;
  readonly #reach: Reach;
  readonly #method = h('select', { id: 'method' });
  readonly #help = h('p', { class: 'help', id: 'method-help' });
  readonly #knob: Knob;
  readonly #min = sizeInput('min-tokens');
  readonly #minLabel = h('label', { for: 'min-tokens' });
  readonly #minField = h('div', { class: 'field' }, this.#minLabel, this.#min);
  readonly #max = sizeInput('max-tokens');
  readonly #maxLabel = h('label', { for: 'max-tokens' });
  readonly #overlap = sizeInput('overlap');
  readonly #overlapField = field(strings.settings.overlap, this.#overlap);
  readonly #unit = h(
    'select',
    { id: 'unit' },
    ...options(Object.entries(strings.settings.units).map(([name, label]) => ({ name, label }))),
  );
  readonly #view = h('select', { id: 'view' });
  readonly #refused = h('p', { class: 'error', role: 'alert', hidden: true });
  #error: SeamError | null = null;
  readonly #embedder = h('select', { id: 'embedder', 'aria-describedby': 'embedder-help' });
  readonly #embedderHelp = h('p', { class: 'help', id: 'embedder-help' });
  /** Below the embedders: the text to be sent to a hosted one. */
  readonly slot = h('div', { class: 'slot' });
  /** A model of the user's. */
  readonly own = h('div');
  readonly #embedderField = h(
    'div',
    {},
    field(strings.settings.embedder, this.#embedder),
    this.#embedderHelp,
    this.own,
  );
  /** The last line of all settings. */
  readonly end: HTMLElement;
  readonly #toggles: HTMLButtonElement[] = [];
  /** Called when the user has all settings shown. */
  onAll: () => void = () => undefined;
  /** Space for the presets: above the curve, or in the settings of a narrow screen. */
  readonly presets = h('div', { class: 'presets' });
  readonly #titled: HTMLElement;
  readonly element: HTMLElement;

  constructor(session: Session, proxy: ProxyChoice | null, reach: Reach) {
    this.#session = session;
    this.#proxy = proxy;
    this.#reach = reach;
    document.body.classList.toggle('all-settings', remembered('seam.all-settings') === 'shown');
    this.#knob = new Knob(session);
    this.#method.setAttribute('aria-describedby', 'method-help');
    this.end = h(
      'div',
      { class: 'settings-end' },
      button(strings.settings.reset, () => session.resetSettings(), { class: 'link' }),
    );
    const more = h(
      'div',
      { class: 'more' },
      h('div', { class: 'two' }, this.#overlapField),
      field(strings.settings.unit, this.#unit),
      field(strings.settings.view, this.#view),
      this.#embedderField,
      this.end,
    );
    this.#titled = h(
      'div',
      { class: 'titled' },
      h('h2', { id: 'settings-title' }, strings.settings.title),
      this.toggle('link'),
      this.presets,
    );
    this.element = h(
      'section',
      { class: 'settings', id: 'settings', 'aria-labelledby': 'settings-title' },
      this.#titled,
      field(strings.settings.method, this.#method),
      this.#help,
      this.#knob.element,
      h('div', { class: 'two' }, this.#minField, h('div', { class: 'field' }, this.#maxLabel, this.#max)),
      this.#refused,
      more,
      this.slot,
    );
    this.#method.addEventListener('change', () => session.change({ method: this.#method.value }));
    this.#embedder.addEventListener('change', () => this.#chooseEmbedder(this.#embedder.value));
    for (const [input, name] of [
      [this.#min, 'minTokens'],
      [this.#max, 'maxTokens'],
      [this.#overlap, 'overlap'],
    ] as const) {
      input.addEventListener('input', () => this.#limit(input, name));
    }
    this.#view.addEventListener('change', () => session.change({ view: this.#view.value as View | '' }));
    this.#unit.addEventListener('change', () => session.change({ unit: this.#unit.value }));
    reach.on('changed', () => this.#update());
    session.on('hello', () => this.#fill());
    session.on('hosted', () => this.#fill());
    session.on('refused', (error) => {
      this.#error = error;
      this.#tellRefused();
    });
    session.on('settings', () => this.#update());
    session.on('selected', () => this.#update());
    session.on('chunked', (doc) => {
      if (doc === session.selected) this.#update();
    });
    this.#fill();
  }

  /** Returns a button that shows all settings, and hides them again. */
  toggle(style: string): HTMLButtonElement {
    const made = button(
      '',
      () => {
        this.#showAll(!this.#all);
        if (this.#all) this.onAll();
      },
      { class: style, 'aria-controls': 'settings' },
    );
    this.#toggles.push(made);
    this.#showAll(this.#all);
    return made;
  }

  /** Puts the presets and a button for all settings into `wide`; on a narrow screen they stay in the settings. */
  place(wide: HTMLElement): void {
    const toggle = this.toggle('link');
    const put = () => {
      if (narrow.matches) this.#titled.append(this.presets);
      else wide.append(this.presets, toggle);
    };
    narrow.addEventListener('change', put);
    put();
  }

  /** Scrolls to the part below the embedders. */
  attend(): void {
    this.slot.scrollIntoView({ block: 'nearest' });
  }

  focusEmbedder(): void {
    this.#showAll(true);
    this.#embedder.focus({ preventScroll: true });
  }

  get #all(): boolean {
    return document.body.classList.contains('all-settings');
  }

  /** Shows all settings, or only the presets and messages. */
  #showAll(on: boolean): void {
    document.body.classList.toggle('all-settings', on);
    for (const toggle of this.#toggles) {
      setAttribute(toggle, 'aria-expanded', String(on));
      setText(toggle, on ? strings.settings.fewer : strings.settings.all);
    }
    remember('seam.all-settings', on ? 'shown' : '');
  }

  /** Applies a length. An invalid one is refused at its field and changes nothing. */
  #limit(input: HTMLInputElement, name: 'minTokens' | 'maxTokens' | 'overlap'): void {
    if (input.validity.valid) this.#session.change({ [name]: input.valueAsNumber || 0 });
    this.#tellRefused();
  }

  /** Shows which limits were refused, and marks their fields. */
  #tellRefused(): void {
    const inputs = [this.#min, this.#max, this.#overlap];
    const wrong = inputs.find(({ validity }) => !validity.valid);
    const why = wrong
      ? strings.settings.impossible(wrong.validity.badInput ? '' : wrong.value)
      : this.#error
        ? strings.settings.refused(explain(this.#error).message)
        : '';
    for (const input of inputs)
      setAttribute(input, 'aria-invalid', input === wrong || (!wrong && why && input.value) ? 'true' : null);
    this.#refused.hidden = !why;
    setText(this.#refused, why);
  }

  #chooseEmbedder(name: string): void {
    if (name !== CONNECT) this.#session.chooseEmbedder(name);
    else {
      this.#update(); // an action, never shown as chosen
      this.#proxy?.connect();
    }
  }

  #fill(): void {
    const { methods, embedders } = this.#session.choices.hello ?? {};
    this.#method.replaceChildren(...(methods ? groupedOptions(methods) : options(loading)));
    this.#embedder.replaceChildren(...options(embedders ?? loading));
    if (this.#proxy)
      this.#embedder.append(
        h('optgroup', { label: strings.settings.hosted(this.#proxy.host) }, ...options(this.#hosted())),
      );
    this.#method.disabled = this.#embedder.disabled = this.#knob.disabled = !methods;
    this.#update();
  }

  /**
   * Returns the hosted embedders. Before the proxy has answered, returns the remembered one
   * and an entry that asks the proxy.
   */
  #hosted(): readonly Pick<Embedder, 'name' | 'label'>[] {
    const { hosted, embedder } = this.#session.choices;
    if (hosted) return hosted;
    const remembered = isHosted(embedder) ? [{ name: embedder, label: embedder.slice(HOSTED.length) }] : [];
    return [...remembered, { name: CONNECT, label: strings.settings.connect(this.#proxy?.host ?? '') }];
  }

  #update(): void {
    const { choices, selected } = this.#session;
    const { method, preferences } = choices;
    this.#knob.update();
    if (method) {
      this.#method.value = method.name;
      setText(this.#help, method.help);
    }
    this.#unit.value = preferences.unit;
    if (method) this.#view.replaceChildren(...options(strings.settings.views(method.view)));
    this.#view.value = preferences.view;
    setText(this.#minLabel, strings.settings.min(preferences.unit));
    setText(this.#maxLabel, strings.settings.max(preferences.unit));
    this.#embedder.value = choices.shownFor(selected);
    const known = [...(choices.hello?.embedders ?? []), ...(choices.hosted ?? [])];
    setText(this.#embedderHelp, known.find(({ name }) => name === this.#embedder.value)?.help ?? '');
    for (const option of [...this.#unit.options, ...this.#embedder.options]) {
      const why = this.#reach.why(option.value);
      option.disabled = why !== '';
      setAttribute(option, 'label', why ? `${option.text} – ${why}` : null);
    }
    this.#embedderField.hidden = method?.needsVectors === false;
    this.#overlapField.hidden = !method?.takesOverlap;
    this.#minField.hidden = method?.takesMin === false;
    // In scripts with more tokens for a word, the method's own limits are higher.
    const { result } = selected?.chunking ?? {};
    const used = result?.method === method?.name ? result : undefined;
    const own = (limit?: number, inUse?: number, given?: number) =>
      limit ? String((!given && inUse) || limit) : strings.settings.unset;
    this.#min.placeholder = preferences.maxTokens
      ? strings.settings.unset
      : own(method?.minTokens, used?.minTokens, preferences.minTokens);
    this.#max.placeholder = own(method?.maxTokens, used?.maxTokens, preferences.maxTokens);
    for (const [input, value] of [
      [this.#min, preferences.minTokens],
      [this.#max, preferences.maxTokens],
      [this.#overlap, preferences.overlap],
    ] as const) {
      if (document.activeElement !== input) input.value = value ? String(value) : '';
    }
  }
}

function field(label: string, input: HTMLElement): HTMLDivElement {
  return h('div', { class: 'field' }, h('label', { for: input.id }, label), input);
}

function sizeInput(id: string): HTMLInputElement {
  return h('input', { type: 'number', id, min: 0, step: 1, inputmode: 'numeric', placeholder: strings.settings.unset });
}

/** Shown until the engine has listed its options. */
const loading = [{ name: '', label: strings.settings.loading }];
