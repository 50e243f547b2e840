// Runs long work on the main thread in slices.

/** Half a frame. The other half is for typing and scrolling. */
const SLICE_MS = 8;

/**
 * Runs the steps of `work` until it ends or the signal is aborted. The first slice runs
 * before this returns. Resolves to whether the work was completed.
 */
export async function inSlices(work: Iterator<void>, signal: AbortSignal): Promise<boolean> {
  let began = performance.now();
  while (!work.next().done) {
    if (performance.now() - began < SLICE_MS) continue;
    await pause();
    if (signal.aborted) return false;
    began = performance.now();
  }
  return true;
}

/** Yields to the browser. A message arrives sooner than a timer, which waits 4 ms. */
function pause(): Promise<void> {
  if ('scheduler' in globalThis && 'yield' in scheduler) return scheduler.yield();
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      resolve();
    };
    port2.postMessage(null);
  });
}
