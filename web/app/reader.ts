// From a file to a document that is open in the engine.

import type { Opened, Progress } from '../lib/api.ts';
import type { EngineClient, PdfClient } from '../lib/workers.ts';
import { SeamError } from '../lib/seam-error.ts';
import { looksLikePdf } from '../lib/sniff.ts';
import type { Doc } from './doc.ts';
import { measure, measureParts } from './timing.ts';

/** Asks for a password; null when the person would rather not. */
export type AskPassword = (name: string, wrong: boolean) => Promise<string | null>;

export class Reader {
  readonly #engine: EngineClient;
  readonly #pdf: PdfClient;
  readonly #ask: AskPassword;

  constructor(engine: EngineClient, pdf: PdfClient, ask: AskPassword) {
    this.#engine = engine;
    this.#pdf = pdf;
    this.#ask = ask;
  }

  async open(doc: Doc, signal: AbortSignal, onProgress: (progress: Progress) => void): Promise<Opened> {
    // Go answers no message while it is busy inside one page: Stop ends the worker from outside.
    const stop = () => this.#pdf.terminate();
    let bytes = await doc.source.arrayBuffer();
    if (bytes.byteLength === 0) throw new SeamError('no-bytes', 'the file is empty');
    let kind: 'document' | 'file' = 'file';
    if (looksLikePdf(doc.name, new Uint8Array(bytes))) {
      kind = 'document';
      signal.addEventListener('abort', stop);
      try {
        bytes = await this.#extract(doc, bytes, signal, onProgress);
      } finally {
        signal.removeEventListener('abort', stop);
      }
    }
    const start = performance.now();
    const { result } = await this.#engine.call('open', { name: doc.name, kind }, { blobs: [bytes], signal, onProgress });
    measure('engine-open', start);
    return result;
  }

  async #extract(doc: Doc, bytes: ArrayBuffer, signal: AbortSignal, onProgress: (progress: Progress) => void): Promise<ArrayBuffer> {
    let password = '';
    for (let blob = bytes; ; blob = await doc.source.arrayBuffer()) {
      const start = performance.now();
      try {
        const { result, blobs } = await this.#pdf.call('extract', { name: doc.name, password }, { blobs: [blob], signal, onProgress });
        measure('extract', start);
        measureParts(result.milliseconds);
        const [encoded] = blobs;
        if (!encoded) throw new SeamError('internal', 'the PDF reader sent no document');
        return encoded;
      } catch (cause) {
        const error = SeamError.from(cause);
        if (error.code !== 'password') throw error;
        const answer = await this.#ask(doc.name, password !== '');
        if (answer === null) throw error;
        password = answer;
      }
    }
  }
}
