// Splits long work into tasks, so that the page answers keys meanwhile.

const longest = 5; // milliseconds

declare const scheduler: { yield?: () => Promise<void> } | undefined;

/** Continues in a new task. */
function nextTask(): Promise<void> {
  if (typeof scheduler !== 'undefined' && scheduler.yield) return scheduler.yield();
  return new Promise((done) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      done();
    };
    port2.postMessage(0);
  });
}

/** Work that can be interrupted and aborted. */
export class Turn {
  #began = performance.now();
  constructor(readonly signal?: AbortSignal) {}

  /** Reports whether this task has used up its time. */
  get over(): boolean {
    return performance.now() - this.#began > longest;
  }

  async next(): Promise<void> {
    await nextTask();
    this.signal?.throwIfAborted();
    this.#began = performance.now();
  }
}
