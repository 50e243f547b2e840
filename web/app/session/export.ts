import type { Settings } from '../../lib/cut.ts';
import type { Chunking } from './doc.ts';
import { reasonWords } from '../words/en/views.ts';

/**
 * Writes the settings first, enough to reproduce the chunks. Offsets count UTF-16 units, as
 * in JavaScript.
 */
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

/**
 * Writes one chunk per line for the loaders of LangChain and LlamaIndex: its text, and the
 * rest as metadata.
 */
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
 * Writes a table as in RFC 4180. Text that a spreadsheet would take for a formula gets an
 * apostrophe in front, because the text is untrusted.
 */
export function csv(rows: readonly (readonly (string | number)[])[]): string {
  const cell = (value: string | number) => {
    const safe = typeof value === 'string' && /^[=+\-@\t\r]/.test(value) ? `'${value}` : String(value);
    return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
  };
  return rows.map((row) => `${row.map(cell).join(',')}\r\n`).join('');
}

/** Writes one row per chunk. */
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

/** A file format for chunks. Its name is the file extension. */
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

/** Copies text to the clipboard. Resolves to false if the browser does not allow it. */
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
  // By then the download has its own reference to the data.
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
