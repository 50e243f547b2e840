import type { Settings } from '../../lib/cut.ts';
import type { Chunking } from './doc.ts';
import { reasonWords } from '../words/en/views.ts';

/** How chunks were made comes first: enough to make them again. Offsets count UTF-16 units, as JavaScript does. */
export function chunksAsJson(file: string, { result, text, curve, settings }: Chunking): string {
  const { method, view, setting, threshold, chunks, embedder, edits } = result;
  const { unit = 'model', minTokens, maxTokens, overlap } = JSON.parse(settings || '{}') as Settings;
  return JSON.stringify(
    {
      file,
      method,
      view,
      setting,
      threshold,
      embedder,
      unit,
      minTokens: minTokens || null,
      maxTokens: maxTokens || null,
      overlap: overlap ?? 0,
      editsByHand: edits.count,
      offsets: 'utf-16',
      chunks: chunks.map((chunk) => ({
        ...chunk,
        reason: reasonWords(chunk.reason),
        text: text.text.slice(chunk.start, chunk.end),
      })),
      curve: [...curve],
    },
    null,
    2,
  );
}

/** One chunk a line, as loaders of LangChain and LlamaIndex take it: its text, and the rest beside. */
function chunksAsJsonLines(file: string, { result, text }: Chunking): string {
  return result.chunks
    .map((chunk, i) => {
      const { start, end, pages, tokens, section } = chunk;
      const metadata = {
        source: file,
        chunk: i,
        start,
        end,
        ...(text.pages.length > 1 && { pages }),
        ...(section && { section }),
        tokens,
        reason: reasonWords(chunk.reason),
      };
      return `${JSON.stringify({ text: text.text.slice(start, end), metadata })}\n`;
    })
    .join('');
}

/**
 * A table as RFC 4180 has it. What a spreadsheet would take for a formula gets an apostrophe
 * before it: a text is that of a stranger.
 */
export function csv(rows: readonly (readonly (string | number)[])[]): string {
  const cell = (value: string | number) => {
    const safe = typeof value === 'string' && /^[=+\-@\t\r]/.test(value) ? `'${value}` : String(value);
    return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
  };
  return rows.map((row) => `${row.map(cell).join(',')}\r\n`).join('');
}

/** A row a chunk. */
function chunksAsCsv(_: string, { result, text }: Chunking): string {
  const rows = result.chunks.map((chunk, i) => [
    i + 1,
    chunk.start,
    chunk.end,
    chunk.tokens,
    text.pages.length > 1 ? chunk.pages.join(' ') : '',
    chunk.section,
    reasonWords(chunk.reason),
    text.text.slice(chunk.start, chunk.end),
  ]);
  return csv([['chunk', 'start', 'end', 'tokens', 'pages', 'section', 'reason', 'text'], ...rows]);
}

/** A format that chunks are saved in; its name ends the file's. */
export interface Format {
  name: 'json' | 'jsonl' | 'csv';
  type: string;
  write: (file: string, chunking: Chunking) => string;
}

export const FORMATS: readonly Format[] = [
  { name: 'json', type: 'application/json', write: chunksAsJson },
  { name: 'jsonl', type: 'application/jsonl', write: chunksAsJsonLines },
  { name: 'csv', type: 'text/csv', write: chunksAsCsv },
];

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
