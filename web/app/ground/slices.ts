// Long work of the page's own thread, a little at a time.

/** Half a frame: typing and scrolling get the other half. */
const SLICE_MS = 8;

/**
 * Does the steps of `work` until it ends or the signal says so. The first slice
 * is done before this returns. Resolves to whether the work came to its end.
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

/** Lets the browser take its turn. A message comes sooner than a timer, which waits 4 ms. */
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
