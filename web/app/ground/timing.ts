// How long each part took, as performance measures named `seam:…`, so that a
// profile shows them and the browser tests can print them.

/** From `start` until now. */
export function measure(part: string, start: number): void {
  performance.measure(`seam:${part}`, { start, end: performance.now() });
}

/** Durations that a worker has measured, one after another up to now. */
export function measureParts(milliseconds: Record<string, number>): void {
  const total = Object.values(milliseconds).reduce((sum, ms) => sum + ms, 0);
  let start = Math.max(0, performance.now() - total);
  for (const [part, duration] of Object.entries(milliseconds)) {
    performance.measure(`seam:${part}`, { start, duration });
    start += duration;
  }
}

/** Resolves when the next frame is being made. */
export function nextFrame(): Promise<void> {
  return new Promise((resolve) => {
    requestAnimationFrame(() => resolve());
  });
}

/** Measures until the frame that is being made has been painted. */
export function measurePaint(part: string, start: number): void {
  requestAnimationFrame(() => {
    // A message sent from a frame arrives after that frame is painted.
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      measure(part, start);
      port1.close();
    };
    port2.postMessage(null);
  });
}
