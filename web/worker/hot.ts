// Hot calls: numbers in, a table of numbers out of Go's memory, without JSON
// and without a callback from Go. The page sends `{hot, doc, cut}` or `{hot, doc,
// threshold}`, and gets the rows and the line with the same number back.

import type { HotAnswer, HotCall } from '../lib/api.ts';

interface Exports {
  mem?: WebAssembly.Memory;
  recut?: (doc: number, cut: number) => number;
  recutAt?: (doc: number, threshold: number) => number;
  lineAt?: (doc: number) => number;
  settingAt?: (doc: number) => number;
  rowsAt?: () => number;
}

/** Answers hot calls with the exports of the engine; the PDF program has none. */
export function answerHotCalls(exports: WebAssembly.Exports): void {
  const { mem, recut, recutAt, lineAt, settingAt, rowsAt } = exports as Exports;
  if (!mem || !recut || !recutAt || !lineAt || !settingAt || !rowsAt) return;
  self.addEventListener('message', ({ data }: MessageEvent<HotCall>) => {
    if (data.hot === undefined) return;
    const { hot, doc } = data;
    const length = data.cut === undefined ? recutAt(doc, data.threshold) : recut(doc, data.cut);
    // A view made before the call would be dead if the memory has grown.
    const rows = length > 0 ? new Int32Array(mem.buffer, rowsAt(), length).slice().buffer : new ArrayBuffer(0);
    const answer: HotAnswer = { hot, rows, cut: length > 0 ? lineAt(doc) : NaN, threshold: length > 0 ? settingAt(doc) : NaN };
    self.postMessage(answer, { transfer: [rows] });
  });
}
