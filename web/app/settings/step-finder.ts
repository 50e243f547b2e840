// Finds the stops of the knob for the document shown: the settings of its method that give
// different cuts. It asks the engine for a few at a time, so that the user's next action
// need not wait.

import type { Step } from '../../lib/api.ts';
import type { Doc } from '../session/doc.ts';
import { candidates } from './knob.ts';
import type { Session } from '../session/session.ts';
import { measure } from '../ground/timing.ts';

/** Sentences times settings in one call: about 30 ms. */
const A_CALL = 4000;
/** The wait after a cut, so that its result is shown and kept first. */
const REST_MS = 300;
/**
 * Sentences times settings in all calls. In longer texts nearly every setting gives another
 * cut.
 */
const ALL = 600_000;

export class StepFinder {
  readonly #session: Session;
  /** The key of the request in progress. */
  #asked = '';
  #rest: ReturnType<typeof setTimeout> | undefined;

  constructor(session: Session) {
    this.#session = session;
    session.on('selected', () => this.#wait());
    session.on('chunked', (doc) => {
      if (doc === session.selected) this.#wait();
    });
    this.#wait();
  }

  /** Forgets the steps of an outdated cut, and waits before asking for new ones. */
  #wait(): void {
    clearTimeout(this.#rest);
    const doc = this.#session.selected;
    const of = doc && keyOf(doc);
    if (doc?.stepsOf && of && of !== doc.stepsOf) {
      doc.stepsOf = '';
      this.#session.tellSteps(doc, []);
    }
    this.#rest = setTimeout(() => void this.#find(this.#session.selected), REST_MS);
  }

  async #find(doc: Doc | null): Promise<void> {
    const { method } = this.#session.choices;
    const { result } = doc?.chunking ?? {};
    if (!doc || !result || !method?.setting || result.method !== method.name) return;
    const of = keyOf(doc);
    if (!of || of === doc.stepsOf || this.#asked === `${doc.key} ${of}`) return;
    doc.stepsOf = '';
    this.#session.tellSteps(doc, []);
    const settings = candidates(method.setting);
    if (settings.length * result.sentences > ALL) return;
    this.#asked = `${doc.key} ${of}`;
    const began = performance.now();
    const all: Step[] = [];
    const atOnce = Math.max(1, Math.floor(A_CALL / Math.max(1, result.sentences)));
    for (let i = 0; i < settings.length; i += atOnce) {
      all.push(...(await this.#session.steps(doc, settings.slice(i, i + atOnce)).catch(() => [])));
      if (this.#asked !== `${doc.key} ${of}`) return;
      if (keyOf(doc) !== of || all.length < Math.min(i + atOnce, settings.length)) break;
    }
    this.#asked = '';
    if (keyOf(doc) !== of || all.length < settings.length) return; // it was cut again meanwhile; `chunked` asks again
    doc.stepsOf = of;
    this.#session.tellSteps(doc, distinct(all));
    measure('steps', began);
  }
}

/** Returns the key of a document's steps, or '' while it is being cut. */
function keyOf({ chunking }: Doc): string {
  if (!chunking?.settings) return '';
  const { setting, threshold, ...rest } = JSON.parse(chunking.settings) as Record<string, unknown>;
  return JSON.stringify([rest, chunking.result.edits]);
}

/** Returns the first of each run of settings with equal cuts. */
export function distinct(all: readonly Step[]): Step[] {
  return all.filter(({ cuts }, i) => i === 0 || cuts !== all[i - 1]?.cuts);
}
