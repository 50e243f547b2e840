// Records durations as performance measures named `seam:…`, for profiles and for the
// browser tests, which can print them.

/** Measures from `start` until now. */
export function measure(part: string, start: number): void {
  performance.measure(`seam:${part}`, { start, end: performance.now() });
}

/** Records durations measured by a worker, as if consecutive and ending now. */
export function measureParts(milliseconds: Record<string, number>): void {
  const total = Object.values(milliseconds).reduce((sum, ms) => sum + ms, 0);
  let start = Math.max(0, performance.now() - total);
  for (const [part, duration] of Object.entries(milliseconds)) {
    performance.measure(`seam:${part}`, { start, duration });
    start += duration;
  }
}

/** Resolves in the next frame. */
export function nextFrame(): Promise<void> {
  return new Promise((resolve) => {
    requestAnimationFrame(() => resolve());
  });
}

/** Measures until the current frame has been painted. */
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
