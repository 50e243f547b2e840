// One task at a time, and of those that arrive meanwhile only the newest: for
// a slider that moves faster than its work is done.

export class Latest {
  #running = false;
  #idle = Promise.resolve();
  #next: (() => Promise<void>) | null = null;

  /** Runs the task, now or after the one under way. A task must handle its own errors. */
  run(task: () => Promise<void>): void {
    this.#next = task;
    if (!this.#running) this.#idle = this.#drain();
  }

  /** Resolves when the task under way, and those that came after it, have ended. */
  get idle(): Promise<void> {
    return this.#idle;
  }

  async #drain(): Promise<void> {
    this.#running = true;
    try {
      while (this.#next) {
        const task = this.#next;
        this.#next = null;
        await task();
      }
    } finally {
      this.#running = false;
    }
  }
}
