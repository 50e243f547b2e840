// The page's turns: long work is cut into tasks, so that a key that is pressed meanwhile is
// answered.

const longest = 5; // milliseconds

declare const scheduler: { yield?: () => Promise<void> } | undefined;

/** Ends this task and goes on in the next one. */
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

/** Work that can be interrupted and ended. */
export class Turn {
  #began = performance.now();
  constructor(readonly signal?: AbortSignal) {}

  /** Whether this task has had its time. */
  get over(): boolean {
    return performance.now() - this.#began > longest;
  }

  async next(): Promise<void> {
    await nextTask();
    this.signal?.throwIfAborted();
    this.#began = performance.now();
  }
}
