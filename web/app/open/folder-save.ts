// Saves the chunks of several documents as one file. The engine writes each part, so it
// equals the file of one document.

import type { ExportFormat } from '../../lib/api.ts';
import { SeamError } from '../../lib/seam-error.ts';
import type { EngineClient } from '../../lib/workers.ts';
import { keptFiles, type Doc } from '../session/doc.ts';
import { FORMATS, saveFile } from '../session/export.ts';
import type { Session } from '../session/session.ts';
import { digest } from '../session/twins.ts';
import { folder as words } from '../words/en/folder.ts';

/** The formats that join to one file. */
export const JOINED = ['jsonl', 'langchain', 'csv', 'spreadsheet'] as const satisfies readonly ExportFormat[];
export type Joined = (typeof JOINED)[number];

/** Saves the documents in their order, and returns a sentence about the result. */
export async function saveAll(
  session: Session,
  engine: EngineClient,
  docs: readonly Doc[],
  format: Joined,
  tell: (text: string) => void,
): Promise<string> {
  const parts: Uint8Array[] = [];
  const without: string[] = [];
  let n = 0;
  for (const doc of docs) {
    tell(words.collecting(++n, docs.length));
    const part = await partOf(session, engine, doc, format);
    if (part) parts.push(new Uint8Array(part));
    else without.push(doc.name);
  }
  const { type, end } = FORMATS.find(({ name }) => name === format) ?? { type: '', end: '' };
  const joined = format === 'csv' || format === 'spreadsheet' ? joinTables(parts) : parts;
  if (parts.length > 0) saveFile(words.file(parts.length) + end, new Blob(joined as BlobPart[], { type }));
  return words.saved(parts.length, without);
}

/** Returns the file of one document, or null if it has no chunks. A kept one is opened for that. */
async function partOf(
  session: Session,
  engine: EngineClient,
  doc: Doc,
  format: ExportFormat,
): Promise<ArrayBuffer | null> {
  const params = { format, offsets: 'bytes', settings: false, sha256: await digest(doc) } as const;
  if (doc.state === 'ready') return session.exported(doc, params);
  const { record } = doc.kept ?? {};
  if (doc.state !== 'kept' || !record) return null;
  const { result } = await engine.call('reopen', { name: doc.name, ...keptFiles(record) });
  try {
    await engine.call('chunk', { ...session.choices.settingsOf(doc, false), doc: result.doc });
    const { blobs } = await engine.call('export', { doc: result.doc, file: doc.name, ...params });
    return blobs[0] ?? null;
  } finally {
    void engine.call('close', { doc: result.doc }).catch(() => undefined);
  }
}

/** Joins tables with the same first row, which begins with a mark of the encoding. */
export function joinTables(tables: readonly Uint8Array[]): Uint8Array[] {
  const [first] = tables;
  const head = first ? headOf(first) : '';
  if (tables.some((table) => headOf(table) !== head)) throw new SeamError('unreadable', words.unlike);
  return tables.map((table, i) => (i === 0 ? table : table.subarray(table.indexOf(10) + 1)));
}

const headOf = (table: Uint8Array): string => new TextDecoder().decode(table.subarray(0, table.indexOf(10) + 1));
