import type { Settings } from './chunker.ts';
import type { Chunking } from './doc.ts';
import { reasonWords } from './strings-views.ts';

/** How chunks were made comes first: enough to make them again. Offsets count UTF-16 units, as JavaScript does. */
export function chunksAsJson(file: string, { result, text, curve, settings }: Chunking): string {
  const { method, view, setting, threshold, chunks, embedder, edits } = result;
  const { unit = 'model', minTokens, maxTokens, overlap } = JSON.parse(settings || '{}') as Settings;
  return JSON.stringify({
    file, method, view, setting, threshold, embedder, unit, minTokens: minTokens || null, maxTokens: maxTokens || null, overlap: overlap ?? 0,
    editsByHand: edits.count, offsets: 'utf-16',
    chunks: chunks.map((chunk) => ({ ...chunk, reason: reasonWords(chunk.reason), text: text.text.slice(chunk.start, chunk.end) })),
    curve: [...curve],
  }, null, 2);
}

/** False where the browser does not allow it. */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}

export function saveFile(name: string, content: Blob): void {
  const url = URL.createObjectURL(content);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // The download has its own hold on the data once it has begun.
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
