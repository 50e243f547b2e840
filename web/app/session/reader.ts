// From a file to a document that is open in the engine.

import type { Bundled, Format, Opened, Progress } from '../../lib/api.ts';
import type { Answer } from '../../lib/client.ts';
import { HEAD, readable, recognise } from '../../lib/formats.ts';
import type { EngineClient, PdfClient } from '../../lib/workers.ts';
import { SeamError } from '../../lib/seam-error.ts';
import { keptFiles, type Doc, type Packed } from './doc.ts';
import { strings } from '../words/en/page.ts';
import { measure, measureParts } from '../ground/timing.ts';

/** Asks for a password; null when the person would rather not. */
export type AskPassword = (name: string, wrong: boolean) => Promise<string | null>;

/** By where it is read: a reader needs some ten times a file's size in memory, and a tab has four gigabytes at most. */
const MOST_BYTES = { pdf: 256 << 20, engine: 64 << 20 };

const TRIES = 3;

/** The documents of a bundle. */
export type Unbundled = Answer<{ documents: Bundled[] }>;

export class Reader {
  readonly #engine: EngineClient;
  readonly #pdf: PdfClient;
  readonly #ask: AskPassword;

  constructor(engine: EngineClient, pdf: PdfClient, ask: AskPassword) {
    this.#engine = engine;
    this.#pdf = pdf;
    this.#ask = ask;
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

  /** From what is kept; null where that is nothing, or is gone and there is a source. */
  async #reopen(doc: Doc, signal: AbortSignal): Promise<Opened | null> {
    const { name, kept, source, packed } = doc;
    if (!kept?.record?.file) return packed && this.#unpacked(name, packed, signal);
    try {
      return (await this.#engine.call('reopen', { name, ...keptFiles(kept.record) }, { signal })).result;
    } catch (cause) {
      if (!source && !packed || SeamError.from(cause).cancelled) throw cause;
      kept.record = { ...kept.record, file: '', vectors: null, seen: null }; // it is written anew
      return packed && this.#unpacked(name, packed, signal);
    }
  }

  async #unpacked(name: string, { document, vectors, log, note }: Packed, signal: AbortSignal): Promise<Opened> {
    const blobs = await Promise.all([read(document, signal), read(vectors, signal)]);
    const { result } = await this.#engine.call('reopen', { name, file: '', vectors: '', seen: '', log }, { blobs, signal });
    if (note) result.notes.push(strings.documents.cutOtherwise(note));
    return result;
  }

  async #open(doc: Doc, signal: AbortSignal, onProgress: (progress: Progress) => void): Promise<Opened | Unbundled> {
    const source = doc.source;
    if (!source) throw new SeamError('gone', strings.trouble.gone);
    const { room, name: format } = await this.#examine(doc.name, source);
    const apart = room === 'pdf';
    let bytes: ArrayBuffer;
    if (apart) {
      // Go answers no message while it is busy inside one page: Stop ends the worker from outside.
      const stop = () => this.#pdf.terminate();
      doc.worker = 'pdf';
      signal.addEventListener('abort', stop);
      try {
        if (format === 'bundle') return await this.#pdf.call('unbundle', {}, { blobs: [await read(source, signal)], signal, onProgress });
        bytes = await this.#extract(doc, source, signal, onProgress);
      } finally {
        signal.removeEventListener('abort', stop);
      }
    } else {
      bytes = await read(source, signal);
    }
    doc.worker = 'engine';
    const start = performance.now();
    const kind = apart ? 'document' : 'file';
    const { result } = await this.#engine.call('open', { name: doc.name, kind, replace: doc.id }, { blobs: [bytes], signal, onProgress });
    measure('engine-open', start);
    return result;
  }

  /** Refuses what cannot be read before it is in memory; else says what it is. */
  async #examine(name: string, source: Blob): Promise<Format> {
    if (source.size === 0) throw new SeamError('no-bytes', 'the file is empty');
    const head = new Uint8Array(await read(source.slice(0, HEAD)));
    const format = recognise(name, head);
    const { one, room } = format;
    if (!room) throw new SeamError('unsupported', strings.trouble.foreign(one), strings.trouble.reads(readable(strings.and)));
    const most = MOST_BYTES[room];
    if (source.size > most) throw new SeamError('too-large', strings.trouble.tooLarge(one, source.size, most), strings.trouble.tooLargeHint);
    return format;
  }

  async #extract(doc: Doc, source: Blob, signal: AbortSignal, onProgress: (progress: Progress) => void): Promise<ArrayBuffer> {
    let { password } = doc;
    for (let tries = 0; ; tries++) {
      const bytes = await read(source, signal);
      const start = performance.now();
      try {
        const { result, blobs } = await this.#pdf.call('extract', { name: doc.name, password }, { blobs: [bytes], signal, onProgress });
        doc.password = password;
        measure('extract', start);
        measureParts(result.milliseconds);
        const [encoded] = blobs;
        if (!encoded) throw new SeamError('internal', 'the PDF reader sent no document');
        return encoded;
      } catch (cause) {
        const error = SeamError.from(cause);
        if (error.code !== 'password') throw error;
        if (tries === TRIES) throw new SeamError('locked-out', strings.trouble.lockedOut(TRIES), strings.trouble.lockedOutHint);
        const answer = await this.#ask(doc.name, tries > 0);
        if (answer === null) throw error;
        password = answer;
      }
    }
  }
}

/** The bytes of a file; a Stop does not wait for the disk. */
async function read(source: Blob, signal?: AbortSignal): Promise<ArrayBuffer> {
  const stopped = new Promise<never>((_, reject) => {
    signal?.addEventListener('abort', () => reject(new SeamError('cancelled', 'stopped')), { once: true });
  });
  stopped.catch(() => undefined); // also when nobody waits any more
  try {
    return await Promise.race([source.arrayBuffer(), stopped]);
  } catch (cause) {
    if (cause instanceof SeamError) throw cause;
    throw new SeamError('unreadable', strings.trouble.unreadable, strings.trouble.unreadableHint);
  }
}
