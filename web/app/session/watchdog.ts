// Ends an engine that does not return from its work after a Stop, because nothing else
// frees it.

import type { EngineClient } from '../../lib/workers.ts';

/** Longer than the engine should ever take between two checks of its messages. */
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

  /** Notes a sign of life: the engine works on something that was not stopped. */
  heard(): void {
    this.#heard = performance.now();
  }

  /** Checks whether the engine becomes free after a stop. */
  check(): void {
    if (this.#timer !== undefined) return;
    this.heard();
    this.#timer = setInterval(() => {
      if (performance.now() - this.#heard < PATIENCE_MS) return;
      this.#rest();
      this.#stuck();
    }, LOOK_MS);
    // The engine works in order, so an answer means that it has finished the earlier work.
    const rest = () => this.#rest();
    this.#engine.call('hello', {}).then(rest, rest);
  }

  #rest(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }
}
