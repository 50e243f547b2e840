// After a Stop: an engine that does not come back from what it was doing is
// ended, as only that frees it.

import type { EngineClient } from '../../lib/workers.ts';

/** Longer than any step between two of the engine's looks at its messages should take. */
const PATIENCE_MS = 2000;
const LOOK_MS = 250;

export class Watchdog {
  readonly #engine: EngineClient;
  readonly #stuck: () => void;
  #heard = 0;
  #timer: ReturnType<typeof setInterval> | undefined;

  constructor(engine: EngineClient, stuck: () => void) {
    this.#engine = engine;
    this.#stuck = stuck;
  }

  /** The engine has been heard of: it works on something that nobody has stopped. */
  heard(): void {
    this.#heard = performance.now();
  }

  /** Work was stopped: is the engine free again? */
  check(): void {
    if (this.#timer !== undefined) return;
    this.heard();
    this.#timer = setInterval(() => {
      if (performance.now() - this.#heard < PATIENCE_MS) return;
      this.#rest();
      this.#stuck();
    }, LOOK_MS);
    // The engine does one thing after another: an answer means that it is done with what was before.
    const rest = () => this.#rest();
    this.#engine.call('hello', {}).then(rest, rest);
  }

  #rest(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }
}
