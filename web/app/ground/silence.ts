// Detects that an expected answer has been silent for so long that the user may wonder.

/** Milliseconds. A dead proxy is retried for longer than this. */
const LONG_MS = 4000;

export class Silence {
  readonly #changed: (first: boolean) => void;
  #timer = 0;
  #since = 0;
  /** Whether it has been silent for long. */
  long = false;

  /** `changed` is called when it becomes long, which is the first time, and then each second. */
  constructor(changed: (first: boolean) => void) {
    this.#changed = changed;
  }

  /** Returns the seconds of silence. */
  get seconds(): number {
    return Math.floor((performance.now() - this.#since) / 1000);
  }

  /** Restarts the wait after a sign of life; `false` ends it. */
  heard(waiting = true): void {
    clearInterval(this.#timer);
    this.long = false;
    if (!waiting) return;
    this.#since = performance.now();
    this.#timer = window.setInterval(() => {
      if (performance.now() - this.#since < LONG_MS - 1) return;
      const first = !this.long;
      this.long = true;
      this.#changed(first);
    }, 1000);
  }
}
