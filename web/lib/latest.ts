// Runs one task at a time. Of the tasks that arrive meanwhile, only the newest runs. Used
// for a slider that moves faster than its work.

export class Latest {
  #running = false;
  #idle = Promise.resolve();
  #next: (() => Promise<void>) | null = null;

  /** Runs the task now or after the current one. A task must handle its own errors. */
  run(task: () => Promise<void>): void {
    this.#next = task;
    if (!this.#running) this.#idle = this.#drain();
  }

  /** Resolves when the current task and those that followed have ended. */
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
