// What the knob between finer and coarser can be set to, for the document shown: the
// settings of its method that differ in what they make of it. They are asked of the
// engine a few at a time, so that what somebody does meanwhile does not wait for them.

import type { Step } from '../../lib/api.ts';
import type { Doc } from '../session/doc.ts';
import { candidates } from './knob.ts';
import type { Session } from '../session/session.ts';
import { measure } from '../ground/timing.ts';

/** Sentences times settings of one call: some 30 ms. */
const A_CALL = 4000;
/** What was done just now is shown and kept first. */
const REST_MS = 300;
/** And of all calls: of longer texts with many settings each makes something else. */
const ALL = 600_000;

export class StepFinder {
  readonly #session: Session;
  /** What is being asked for. */
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

  /** What is known of the document as it was before is forgotten at once. */
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
    if (keyOf(doc) !== of || all.length < settings.length) return; // it was cut otherwise meanwhile; `chunked` asks again
    doc.stepsOf = of;
    this.#session.tellSteps(doc, distinct(all));
    measure('steps', began);
  }
}

/** What decides the steps of a document; '' while it is being cut. */
function keyOf({ chunking }: Doc): string {
  if (!chunking?.settings) return '';
  const { setting, threshold, ...rest } = JSON.parse(chunking.settings) as Record<string, unknown>;
  return JSON.stringify([rest, chunking.result.edits]);
}

/** The first of those that make the same. */
export function distinct(all: readonly Step[]): Step[] {
  return all.filter(({ cuts }, i) => i === 0 || cuts !== all[i - 1]?.cuts);
}
