// pdf.js: opens a PDF and draws its pages. Its worker is a file of the page's own, and
// what it needs beside comes with a hash from the page's folder.

import {
  AnnotationMode,
  getDocument,
  PasswordResponses,
  PDFDataRangeTransport,
  PDFWorker,
  VerbosityLevel,
  type PDFDocumentProxy,
} from 'pdfjs-dist/legacy/build/pdf.mjs';
import type { PageSize } from './words.ts';

/** By the names of pdf.js: the file, and its integrity. Put in by web/build/drawing.go. */
declare const __DRAWING__: Record<string, [file: string, integrity: string]>;

/** Bytes of a file that are read at once. */
const PART = 1 << 18;

/** By so much the forms of two pages may differ that are the same. */
const SAME = 0.02;

/** A canvas of more pixels than this is drawn coarser: browsers refuse much larger ones. */
const MOST_PIXELS = 16 << 20;

/** Gives the file part by part, so that a large one is never in memory as a whole. */
class Parts extends PDFDataRangeTransport {
  readonly #file: Blob;
  readonly #failed: () => void;

  constructor(file: Blob, failed: () => void) {
    super(file.size, null);
    this.#file = file;
    this.#failed = failed;
  }

  override requestDataRange(begin: number, end: number): void {
    this.#file
      .slice(begin, end)
      .arrayBuffer()
      .then(
        (part) => this.onDataRange(begin, new Uint8Array(part)),
        () => this.#failed(),
      );
  }
}

const unpacked = new Map<string, Promise<Uint8Array>>();

/** One of the files that the build has packed for pdf.js; a failure is not remembered. */
function load(name: string): Promise<Uint8Array> {
  let bytes = unpacked.get(name);
  if (!bytes) {
    bytes = fetchPacked(name);
    unpacked.set(name, bytes);
    bytes.catch(() => unpacked.delete(name));
  }
  return bytes;
}

async function fetchPacked(name: string): Promise<Uint8Array> {
  const [file, integrity] = __DRAWING__[name] ?? [];
  if (!file || !integrity) throw new Error(`there is no ${name}`);
  const response = await fetch(new URL(file, import.meta.url), { integrity });
  if (!response.ok || !response.body) throw new Error(`${file}: ${response.status}`);
  return new Uint8Array(await new Response(response.body.pipeThrough(new DecompressionStream('gzip'))).arrayBuffer());
}

/** A table of characters out of the file that has them all. */
async function table(name: string): Promise<Uint8Array> {
  const all = await load('cmaps');
  const length = new DataView(all.buffer).getUint32(0, true);
  const directory = JSON.parse(new TextDecoder().decode(all.subarray(4, 4 + length))) as Record<
    string,
    [number, number]
  >;
  const [from, to] = directory[name] ?? [];
  if (from === undefined || to === undefined) throw new Error(`there is no table ${name}`);
  return all.slice(4 + length + from, 4 + length + to);
}

/** What pdf.js asks for: it gives the bytes away, so that each gets its own. */
class Files {
  async fetch({ kind, filename }: { kind: string; filename: string }): Promise<Uint8Array> {
    return kind === 'cMapUrl' ? table(filename) : (await load(filename)).slice();
  }
}

/** Why a document is not open, or not any more. */
export class Locked extends Error {}
export class Unreadable extends Error {}
export class Lost extends Error {}

export interface Opening {
  /** Tried first; empty: none. */
  password: string;
  /** Asks for another; null: the person would rather not. */
  ask: (wrong: boolean) => Promise<string | null>;
  /** Opened the document. */
  opened: (password: string) => void;
  /** The file can be read no more, or the worker has died: no page is drawn any more. */
  failed: (cause: Error) => void;
}

/** A document open in a worker of its own. */
export class Drawing {
  readonly #port: Worker;
  readonly #worker: PDFWorker;
  #document: PDFDocumentProxy | null = null;

  private constructor(port: Worker) {
    this.#port = port;
    this.#worker = PDFWorker.create({ port, verbosity: VerbosityLevel.ERRORS });
  }

  /** Rejects with Locked, Unreadable, Lost, or what pdf.js says. */
  static async open(file: Blob, spawn: () => Worker, options: Opening, signal: AbortSignal): Promise<Drawing> {
    const drawing = new Drawing(spawn());
    try {
      await drawing.#open(file, options, signal);
      signal.throwIfAborted();
      return drawing;
    } catch (cause) {
      drawing.close();
      throw cause;
    }
  }

  async #open(file: Blob, { password, ask, opened, failed }: Opening, signal: AbortSignal): Promise<void> {
    let used = password;
    await new Promise<void>((resolve, reject) => {
      const end = (cause: Error) => {
        reject(cause);
        if (this.#document) failed(cause);
      };
      this.#port.addEventListener('error', () => end(new Lost()));
      signal.addEventListener('abort', () => reject(signal.reason as Error));
      const task = getDocument({
        range: new Parts(file, () => end(new Unreadable())),
        worker: this.#worker,
        rangeChunkSize: PART,
        disableAutoFetch: true,
        disableStream: true,
        ...(password && { password }),
        verbosity: VerbosityLevel.ERRORS,
        isEvalSupported: false,
        enableXfa: false,
        useSystemFonts: false,
        useWorkerFetch: false,
        BinaryDataFactory: Files,
      });
      task.onPassword = (answer: (password: string | Error) => void, reason: number) => {
        void ask(reason === PasswordResponses.INCORRECT_PASSWORD && used !== '').then((given) => {
          if (given === null) reject(new Locked());
          else answer((used = given));
        }, reject);
      };
      task.promise.then((document) => {
        this.#document = document;
        resolve();
      }, reject);
    });
    opened(used);
  }

  /** Draws a page into a canvas as wide as so many pixels of the screen. Rejects where it cannot, is stopped, or the page has another form than that of the text. */
  async draw(
    index: number,
    { width: wide, height: high }: PageSize,
    canvas: HTMLCanvasElement,
    width: number,
    signal: AbortSignal,
  ): Promise<void> {
    const page = await this.#document?.getPage(index + 1);
    signal.throwIfAborted();
    if (!page) throw new Error('no document is open');
    const size = page.getViewport({ scale: 1 });
    if (Math.abs(size.width / size.height - wide / high) > SAME * (wide / high))
      throw new Error('another page than that of the text');
    const scale = Math.min(width / size.width, Math.sqrt(MOST_PIXELS / (size.width * size.height)));
    const viewport = page.getViewport({ scale });
    canvas.width = Math.max(1, Math.round(viewport.width));
    canvas.height = Math.max(1, Math.round(viewport.height));
    const task = page.render({ canvas, viewport, annotationMode: AnnotationMode.ENABLE });
    const stop = () => task.cancel();
    signal.addEventListener('abort', stop);
    try {
      await task.promise;
    } finally {
      signal.removeEventListener('abort', stop);
      page.cleanup();
    }
  }

  close(): void {
    void this.#document?.loadingTask.destroy().catch(() => undefined); // the worker ends in any case
    this.#worker.destroy();
    this.#port.terminate();
  }
}
