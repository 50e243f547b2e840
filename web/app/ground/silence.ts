// Whether something that is waited for has been silent for so long that a person
// wonders.

/** Milliseconds. A dead proxy is asked again for longer than this. */
const LONG_MS = 4000;

export class Silence {
  readonly #changed: () => void;
  #timer = 0;
  /** Nothing has been heard for long. */
  long = false;

  /** `changed` is called when it has become long. */
  constructor(changed: () => void) {
    this.#changed = changed;
  }

  /** Something has been heard, or is waited for from now on; false: nothing is waited for. */
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
