// Opens the files that the user adds as documents in the engine. It returns the results as
// values; session.ts acts on them.

import type { Bundled, Format, Hello, Opened, Plan, Progress } from '../../lib/api.ts';
import type { Answer } from '../../lib/client.ts';
import type { Settings } from '../../lib/cut.ts';
import { HEAD, readable, recognise } from '../../lib/formats.ts';
import type { NamedBlob } from '../../lib/named-blob.ts';
import { SeamError } from '../../lib/seam-error.ts';
import type { EngineClient, PdfClient } from '../../lib/workers.ts';
import { measure, measureParts } from '../ground/timing.ts';
import { strings } from '../words/en/page.ts';
import { keptFiles, needsUser, newDoc, resetDoc, savedOn, type Doc, type Packed } from './doc.ts';

/**
 * By worker. A reader needs about ten times a file's size in memory, and a tab has at most
 * four gigabytes.
 */
const MOST_BYTES = { pdf: 256 << 20, engine: 64 << 20 };

/** The longest name of a document in a bundle, in characters. */
const NAME_LENGTH = 200;

/** The documents of a bundle. */
export type Unbundled = Answer<{ documents: Bundled[] }>;

/**
 * The document for a file. `twin` has the same bytes, `failed` (or locked) is to be tried again, and
 * `version` has the same name but other bytes.
 */
export interface Place {
  as: 'new' | 'twin' | 'failed' | 'version';
  doc: Doc;
}

// ---- added files

export async function placeOf(docs: readonly Doc[], { name: called, blob }: NamedBlob): Promise<Place> {
  const name = typeof called === 'string' ? called : unused(docs, called);
  const twin = await twinOf(docs, blob, name);
  if (twin) return { as: needsUser(twin) ? 'failed' : 'twin', doc: twin };
  const former = docs.find((each) => each.name === name && (each.state === 'ready' || each.state === 'kept'));
  return former ? { as: 'version', doc: former } : { as: 'new', doc: newDoc(name, blob) };
}

/** Gives a document its file, and queues the document if it must be read. */
export function giveFile({ as, doc }: Place, source: Blob): void {
  if (as === 'twin') doc.source ??= source; // a kept document has no file until then
  if (as !== 'failed' && as !== 'version') return;
  const { id } = doc;
  resetDoc(doc);
  if (doc.kept?.state === 'saved') doc.kept.state = 'saving'; // the record is outdated, or the browser may have deleted it
  doc.source = source;
  doc.saved = savedOn(source);
  if (as === 'version') Object.assign(doc, { id, size: source.size, renewed: true, reread: false }); // the engine reuses its earlier results
}

/** Returns the first name that is not taken. */
function unused(docs: readonly Doc[], nth: (n: number) => string): string {
  for (let n = 1; ; n++) if (!docs.some(({ name }) => name === nth(n))) return nth(n);
}

/**
 * Returns the document with the same bytes. The code that compares them is loaded if a size
 * is equal.
 */
async function twinOf(docs: readonly Doc[], blob: Blob, name: string): Promise<Doc | null> {
  const alike = docs.filter(({ size }) => size === blob.size);
  return alike.length > 0 ? (await import('./twins.ts')).twinOf(blob, name, alike) : null;
}

// ---- opening

/** The engine's error for a text in another encoding, which the PDF worker reads. */
const NOT_UTF8 = 'encoding';

export class Opening {
  readonly #engine: EngineClient;
  readonly #pdf: PdfClient;

  constructor(engine: EngineClient, pdf: PdfClient) {
    this.#engine = engine;
    this.#pdf = pdf;
  }

  async open(doc: Doc, signal: AbortSignal, onProgress: (progress: Progress) => void): Promise<Opened | Unbundled> {
    const again = doc.id ? null : await this.#reopen(doc, signal);
    if (again && !doc.renewed) return again;
    if (again) doc.id = again.doc;
    const opened = await this.#open(doc, signal, onProgress);
    doc.renewed = false;
    doc.packed = null; // its file has more
    return opened;
  }

  /**
   * Opens a document from its kept files. Returns null if there are none, or if they are
   * gone and there is a source.
   */
  async #reopen(doc: Doc, signal: AbortSignal): Promise<Opened | null> {
    const { name, kept, source, packed } = doc;
    if (!kept?.record?.file) return packed && this.#unpacked(name, packed, signal);
    try {
      const { shelf } = doc;
      const { result } = await this.#engine.call('reopen', { name, ...keptFiles(kept.record), shelf }, { signal });
      doc.shelf = 0;
      return result;
    } catch (cause) {
      if ((!source && !packed) || SeamError.from(cause).cancelled) throw cause;
      kept.record = { ...kept.record, file: '', vectors: null, seen: null }; // will be written again
      return packed && this.#unpacked(name, packed, signal);
    }
  }

  async #unpacked(name: string, { document, vectors, log, note }: Packed, signal: AbortSignal): Promise<Opened> {
    const blobs = await Promise.all([read(document, signal), read(vectors, signal)]);
    const { result } = await this.#engine.call(
      'reopen',
      { name, file: '', vectors: '', seen: '', log },
      { blobs, signal },
    );
    if (note) result.notes.push(strings.documents.cutOtherwise(note));
    return result;
  }

  async #open(doc: Doc, signal: AbortSignal, onProgress: (progress: Progress) => void): Promise<Opened | Unbundled> {
    const source = doc.source;
    if (!source) throw new SeamError('gone', strings.trouble.gone);
    const { room, name: format } = await this.#examine(doc.name, source);
    if (room !== 'pdf' && !doc.encoding) {
      try {
        return await this.#put(doc, 'file', await read(source, signal), signal, onProgress);
      } catch (cause) {
        if (SeamError.from(cause).code !== NOT_UTF8) throw cause;
      }
    }
    // Go answers no message while it works on a page, so Stop ends the worker from outside.
    const stop = () => this.#pdf.terminate();
    doc.worker = 'pdf';
    signal.addEventListener('abort', stop);
    let bytes: ArrayBuffer;
    try {
      if (format === 'bundle')
        return await this.#pdf.call('unbundle', {}, { blobs: [await read(source, signal)], signal, onProgress });
      bytes = await this.#extract(doc, source, signal, onProgress);
    } finally {
      signal.removeEventListener('abort', stop);
    }
    return this.#put(doc, 'document', bytes, signal, onProgress);
  }

  /** Opens a file, or a document that the PDF worker has made of one, in the engine. */
  async #put(
    doc: Doc,
    kind: 'file' | 'document',
    bytes: ArrayBuffer,
    signal: AbortSignal,
    onProgress: (progress: Progress) => void,
  ): Promise<Opened> {
    doc.worker = 'engine';
    const start = performance.now();
    const { result } = await this.#engine.call(
      'open',
      { name: doc.name, kind, replace: doc.id, saved: doc.saved, ...(doc.anyText && { any: true }) },
      { blobs: [bytes], signal, onProgress },
    );
    measure('engine-open', start);
    return result;
  }

  /** Rejects unreadable files before they are loaded into memory. Otherwise returns the format. */
  async #examine(name: string, source: Blob): Promise<Format> {
    if (source.size === 0) throw new SeamError('no-bytes', 'the file is empty');
    const head = new Uint8Array(await read(source.slice(0, HEAD)));
    const format = recognise(name, head);
    const { one, room } = format;
    if (!room)
      throw new SeamError('unsupported', strings.trouble.foreign(one), strings.trouble.reads(readable(strings.and)));
    const most = MOST_BYTES[room];
    if (source.size > most)
      throw new SeamError('too-large', strings.trouble.tooLarge(one, source.size, most), strings.trouble.tooLargeHint);
    return format;
  }

  async #extract(
    doc: Doc,
    source: Blob,
    signal: AbortSignal,
    onProgress: (progress: Progress) => void,
  ): Promise<ArrayBuffer> {
    const bytes = await read(source, signal);
    const start = performance.now();
    const { result, blobs } = await this.#pdf.call(
      'extract',
      { name: doc.name, password: doc.password, encoding: doc.encoding, any: doc.anyText, hidden: doc.hiddenText },
      { blobs: [bytes], signal, onProgress },
    );
    doc.trying = false;
    measure('extract', start);
    measureParts(result.milliseconds);
    const [encoded] = blobs;
    if (!encoded) throw new SeamError('internal', 'the PDF reader sent no document');
    return encoded;
  }
}

/** Reads a file. A stop does not wait for the disk. */
async function read(source: Blob, signal?: AbortSignal): Promise<ArrayBuffer> {
  const stopped = new Promise<never>((_, reject) => {
    signal?.addEventListener('abort', () => reject(new SeamError('cancelled', 'stopped')), { once: true });
  });
  stopped.catch(() => undefined); // also without a waiting caller
  try {
    return await Promise.race([source.arrayBuffer(), stopped]);
  } catch (cause) {
    if (cause instanceof SeamError) throw cause;
    throw new SeamError('unreadable', strings.trouble.unreadable, strings.trouble.unreadableHint);
  }
}

/**
 * Records that a document could not be opened. A locked one waits for its password. If the
 * user did not stop it, its engine was ended for another reason, and it is queued again.
 */
export function notOpened(doc: Doc, error: SeamError, stopped: boolean): void {
  if (error.code === 'password') {
    const wrong = doc.password !== '';
    resetDoc(doc);
    Object.assign(doc, { state: 'locked', password: '', wrong });
    return;
  }
  Object.assign(doc, { id: 0, error, trying: false });
  if (error.cancelled && !stopped) resetDoc(doc);
  else doc.state = error.cancelled && doc.kept?.record && !doc.source ? 'kept' : 'failed';
}

// ---- bundles

/**
 * Creates documents for a bundle's documents that are not in the list, comparing text and
 * changes by hand. Each gets a unique name, and no open document changes.
 */
export function rowsOf(
  { result, blobs }: Unbundled,
  docs: readonly Doc[],
  hello: Hello,
): { made: Doc[]; twins: Doc[] } {
  const made: Doc[] = [];
  const twins: Doc[] = [];
  result.documents.forEach(({ name, source, log, plan, digest, tags, questions, statements }, i) => {
    const there = [...docs, ...made];
    const twin = there.find(({ packed, kept }) => (packed?.digest ?? kept?.record?.packed) === digest);
    if (twin) {
      if (!twins.includes(twin)) twins.push(twin);
      return;
    }
    const given = settingsOf(plan, hello);
    const [document, vectors] = [0, 1].map((at) => new Blob([blobs[2 * i + at] ?? new ArrayBuffer(0)])) as [Blob, Blob];
    made.push(
      Object.assign(newDoc(unlike(name.slice(0, NAME_LENGTH), there), null), {
        state: 'queued',
        size: source.size ?? document.size,
        given,
        tags,
        questions,
        statements,
        packed: {
          document,
          vectors,
          log,
          digest,
          source,
          note: plan.method && !given ? `${plan.method}, ${plan.embedder}` : '',
        },
      }),
    );
  });
  return { made, twins };
}

function unlike(name: string, docs: readonly Doc[]): string {
  for (let n = 1, next = name; ; next = `${name} (${++n})`) if (!docs.some((each) => each.name === next)) return next;
}

/** Converts a plan to settings, or returns null if this engine cannot follow it. */
function settingsOf(
  { method, view, join, embedder, criterion, limits, headers }: Plan,
  { methods, embedders }: Hello,
): Settings | null {
  const known = methods.find(({ name }) => name === method);
  if (!known || view !== known.view || join.given || !embedders.some(({ name }) => name === embedder)) return null;
  return {
    method,
    embedder,
    ...(criterion.by && { [criterion.by]: criterion.value ?? 0 }),
    maxTokens: limits.asked ? limits.max : 0,
    minTokens: limits.min,
    ...(limits.overlap > 0 && { overlap: limits.overlap }),
    ...(limits.unit !== 'model' && { unit: limits.unit }),
    ...(headers && { headers }),
  };
}
