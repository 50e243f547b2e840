// Undo for the settings. The session announces each change before and after it. A slider
// move or a typed number is one change.

import type { Doc } from '../session/doc.ts';
import { initial, type Preferences } from '../session/preferences.ts';
import type { Session } from '../session/session.ts';

/** The most steps kept. */
const MOST = 100;

type Own = Pick<Doc, 'own' | 'given'>;

interface State {
  preferences: Preferences;
  /** The documents' own embedders and bundle settings. */
  docs: Map<Doc, Own>;
}

interface Step {
  /** The changed preferences with their old values. */
  preferences: Partial<Preferences>;
  docs: Map<Doc, Own>;
}

export class SettingsHistory {
  readonly #session: Session;
  readonly #steps: Step[] = [];
  #before: State | null;
  /** The field of the last typed change, as long as it has the focus. */
  #field: Element | null = null;
  /** Called when steps appear or run out. */
  changed: () => void = () => undefined;

  /** Changes made before this was loaded form the first step. */
  constructor(session: Session) {
    this.#session = session;
    this.#before = { preferences: session.choices.first, docs: new Map() };
    this.#settle();
    session.on('changing', () => {
      this.#before ??= this.#state();
    });
    session.on('settings', () => this.#settle());
    document.addEventListener('focusout', () => {
      this.#field = null;
    });
  }

  get empty(): boolean {
    return this.#steps.length === 0;
  }

  /** Undoes the last change that makes a difference. */
  back(): void {
    let step = this.#steps.pop();
    while (step && !differs(step, this.#state())) step = this.#steps.pop();
    if (step) {
      for (const [doc, own] of step.docs) Object.assign(doc, own);
      this.#session.change(step.preferences, false, false);
      this.#steps.pop(); // no step of its own
    }
    this.changed();
  }

  #state(): State {
    const { choices, docs } = this.#session;
    return {
      preferences: structuredClone(choices.preferences),
      docs: new Map(docs.map((doc) => [doc, { own: doc.own, given: doc.given }])),
    };
  }

  #settle(): void {
    if (!this.#before) return;
    const step = changes(this.#before, this.#state());
    this.#before = null;
    const keys = Object.keys(step.preferences);
    if (step.docs.size === 0 && keys.every((key) => key === 'searchMode')) return; // the search tab changes it both ways
    const field = document.activeElement?.matches('input[type=number]') ? document.activeElement : null;
    const goesOn =
      field !== null &&
      field === this.#field &&
      keys.join() === Object.keys(this.#steps.at(-1)?.preferences ?? {}).join();
    this.#field = field;
    if (goesOn) return;
    this.#steps.push(step);
    if (this.#steps.length > MOST) this.#steps.shift();
    this.changed();
  }
}

const alike = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);

/** Returns the values of `before` that differ in `after`. */
function changes(before: State, after: State): Step {
  const keys = (Object.keys(initial) as (keyof Preferences)[]).filter(
    (key) => !alike(before.preferences[key], after.preferences[key]),
  );
  return {
    preferences: Object.fromEntries(keys.map((key) => [key, before.preferences[key]])),
    docs: new Map(
      [...before.docs].filter(([doc, { own, given }]) => {
        const now = after.docs.get(doc);
        return now && (now.own !== own || now.given !== given);
      }),
    ),
  };
}

function differs({ preferences, docs }: Step, now: State): boolean {
  const keys = Object.keys(preferences) as (keyof Preferences)[];
  return (
    keys.some((key) => !alike(preferences[key], now.preferences[key])) ||
    changes({ preferences: now.preferences, docs }, now).docs.size > 0
  );
}
