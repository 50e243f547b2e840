// Files that are given to the page, among the documents that are there: the same file
// again, another version of one, or a new one.

import type { NamedBlob } from '../../lib/named-blob.ts';
import { newDoc, resetDoc, type Doc } from './doc.ts';

/** Puts files into the list. `first` is the first one's document, `twins` are those that were there already; `leave` is told of one that is read anew. */
export async function arrive(docs: Doc[], files: NamedBlob[], leave: (doc: Doc) => void): Promise<{ first: Doc | null; twins: Doc[] }> {
  let first: Doc | null = null;
  const twins: Doc[] = [];
  for (const { name: called, blob } of files) {
    const name = typeof called === 'string' ? called : unused(docs, called);
    const twin = await twinOf(docs, blob, name);
    const doc = twin ?? newVersion(docs, name, blob, leave) ?? newDoc(name, blob);
    first ??= doc;
    if (!docs.includes(doc)) docs.push(doc);
    else if (twin?.state === 'failed') { // given again, it is tried again
      resetDoc(Object.assign(twin, { source: blob }));
      unsaved(twin); // the browser may have deleted what was kept
    } else if (twin) twins.push(Object.assign(twin, { source: twin.source ?? blob })); // of one that was kept, the file was not there
  }
  return { first, twins };
}

/** The first of the names that no document has. */
function unused(docs: Doc[], nth: (n: number) => string): string {
  for (let n = 1; ; n++) if (!docs.some(({ name }) => name === nth(n))) return nth(n);
}

/** A document of this name, to be read again: the engine keeps what it knows of it. */
function newVersion(docs: Doc[], name: string, source: Blob, leave: (doc: Doc) => void): Doc | undefined {
  const doc = docs.find((each) => each.name === name && (each.state === 'ready' || each.state === 'kept'));
  if (!doc) return undefined;
  leave(doc);
  const { id } = doc;
  resetDoc(doc);
  unsaved(doc); // it is the former version that is kept
  return Object.assign(doc, { source, id, size: source.size, renewed: true });
}

/** What is kept of a document is not what it is now. */
function unsaved(doc: Doc): void {
  if (doc.kept?.state === 'saved') doc.kept.state = 'saving';
}

/** The document of the same bytes; what compares them is loaded when a size is the same. */
async function twinOf(docs: Doc[], blob: Blob, name: string): Promise<Doc | null> {
  const alike = docs.filter(({ size }) => size === blob.size);
  return alike.length > 0 ? (await import('./twins.ts')).twinOf(blob, name, alike) : null;
}
