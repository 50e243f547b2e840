// Detects that an expected answer has been silent for so long that the user may wonder.

/** Milliseconds. A dead proxy is retried for longer than this. */
const LONG_MS = 4000;

export class Silence {
  readonly #changed: () => void;
  #timer = 0;
  /** Whether it has been silent for long. */
  long = false;

  /** `changed` is called when it becomes long. */
  constructor(changed: () => void) {
    this.#changed = changed;
  }

  /** Restarts the wait after a sign of life; `false` ends it. */
  heard(waiting = true): void {
    clearTimeout(this.#timer);
    this.long = false;
    if (!waiting) return;
    this.#timer = window.setTimeout(() => {
      this.long = true;
      this.#changed();
    }, LONG_MS);
  }
}
