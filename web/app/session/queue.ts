// Reads documents, one after another: the worker that reads PDFs has the memory for one.

import type { Progress } from '../../lib/api.ts';
import { SeamError } from '../../lib/seam-error.ts';
import type { EngineClient } from '../../lib/workers.ts';
import { resetDoc, type Doc } from './doc.ts';
import type { Reader, Unbundled } from './reader.ts';

export interface QueueOptions {
  engine: EngineClient;
  reader: Reader;
  /** Those that are `queued` are read, in their order. */
  docs: readonly Doc[];
  /** Resolves when it is known what the engine can do, or that nothing is. */
  begin: () => Promise<void>;
  /** Something about a document is otherwise. */
  changed: () => void;
  /** The engine is at work. */
  heard: () => void;
  /** Cuts one that is open for the first time. */
  cut: (doc: Doc, signal: AbortSignal, onProgress: (progress: Progress) => void) => Promise<void>;
  /** It was a bundle, whose documents take its place. */
  unbundled: (doc: Doc, found: Unbundled) => Promise<void>;
  /** It can be shown. */
  ready: (doc: Doc) => void;
}

export class Queue {
  readonly #options: QueueOptions;
  #pumping = false;

  constructor(options: QueueOptions) {
    this.#options = options;
  }

  /** Reads what is queued, unless that is under way. */
  async pump(): Promise<void> {
    if (this.#pumping) return;
    this.#pumping = true;
    try {
      await this.#options.begin();
      for (let doc = this.#next(); doc; doc = this.#next()) await this.#read(doc);
    } finally {
      this.#pumping = false;
    }
  }

  #next(): Doc | undefined {
    return this.#options.docs.find((doc) => doc.state === 'queued');
  }

  async #read(doc: Doc): Promise<void> {
    const { engine, reader, docs, changed, heard, cut, unbundled, ready } = this.#options;
    const stop = new AbortController();
    doc.state = 'reading';
    doc.stop = stop;
    changed();
    const onProgress = (progress: Progress) => {
      heard();
      doc.progress = progress;
      changed();
    };
    try {
      const found = await reader.open(doc, stop.signal, onProgress);
      if ('blobs' in found) {
        await unbundled(doc, found);
        return;
      }
      doc.opened = found;
      doc.id = doc.opened.doc;
      await cut(doc, stop.signal, onProgress);
      doc.state = 'ready';
    } catch (cause) {
      if (doc.id) void engine.call('close', { doc: doc.id }).catch(() => undefined); // nothing half-read stays
      doc.id = 0;
      doc.error = SeamError.from(cause);
      // Cancelled by nobody: its engine was ended, for the sake of something else.
      if (doc.error.cancelled && !stop.signal.aborted) resetDoc(doc);
      else doc.state = doc.error.cancelled && doc.kept?.record && !doc.source ? 'kept' : 'failed';
    }
    doc.stop = null;
    doc.worker = null;
    doc.progress = null;
    changed();
    if (doc.state === 'ready' && docs.includes(doc)) ready(doc);
  }
}
