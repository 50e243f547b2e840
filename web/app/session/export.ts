// Files that the page saves. The engine writes the chunks (../shared/export), so these files
// equal the command line's.

import type { ExportFormat } from '../../lib/api.ts';

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

/** A format for chunks. */
export interface Format {
  name: ExportFormat;
  type: string;
  /** Follows the document's name in the file's name. */
  end: string;
}

export const FORMATS: readonly Format[] = [
  { name: 'json', type: 'application/json', end: '.chunks.json' },
  { name: 'jsonl', type: 'application/jsonl', end: '.chunks.jsonl' },
  { name: 'langchain', type: 'application/jsonl', end: '.chunks.langchain.jsonl' },
  { name: 'csv', type: 'text/csv', end: '.chunks.csv' },
  { name: 'spreadsheet', type: 'text/csv', end: '.chunks.spreadsheet.csv' },
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
