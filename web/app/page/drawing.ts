// Opens a PDF with pdf.js and draws its pages. The worker of pdf.js is a file next to the
// page; its other files are fetched from the page's folder and checked against a hash.

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

/** The file and its integrity by the name that pdf.js uses. Set by web/build/drawing.go. */
declare const __DRAWING__: Record<string, [file: string, integrity: string]>;

/** Bytes of a file read at once. */
const PART = 1 << 18;

/**
 * The largest relative difference between the aspect ratios of two pages that count as the
 * same.
 */
const SAME = 0.02;

/**
 * A canvas with more pixels is drawn at a lower resolution, because browsers refuse much
 * larger ones.
 */
const MOST_PIXELS = 16 << 20;

/** Passes the file to pdf.js part by part, so a large one is never in memory as a whole. */
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

/** Fetches and unpacks a file that the build packed for pdf.js. A failure is not cached. */
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

/** Returns one character map from the file that has all of them. */
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

/**
 * Serves files to pdf.js. Each call gets its own copy because pdf.js transfers the bytes to
 * its worker.
 */
class Files {
  async fetch({ kind, filename }: { kind: string; filename: string }): Promise<Uint8Array> {
    return kind === 'cMapUrl' ? table(filename) : (await load(filename)).slice();
  }
}

/** The reasons why a document cannot be opened, or is open no longer. */
export class Locked extends Error {}
export class Unreadable extends Error {}
export class Lost extends Error {}

export interface Opening {
  /** The password to try first, or empty. */
  password: string;
  /** Asks for another password; resolves to null if the user declines. */
  ask: (wrong: boolean) => Promise<string | null>;
  /** Called with the password that opened the document. */
  opened: (password: string) => void;
  /**
   * Called when the file has become unreadable or the worker has died. Nothing more can be
   * drawn.
   */
  failed: (cause: Error) => void;
}

/** A document opened in its own worker. */
export class Drawing {
  readonly #port: Worker;
  readonly #worker: PDFWorker;
  #document: PDFDocumentProxy | null = null;

  private constructor(port: Worker) {
    this.#port = port;
    this.#worker = PDFWorker.create({ port, verbosity: VerbosityLevel.ERRORS });
  }

  /** Opens a file. Rejects with Locked, Unreadable, Lost, or an error of pdf.js. */
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

  /**
   * Draws a page into a canvas of a width in device pixels. Rejects if it fails, is
   * aborted, or the page's shape differs from the shape recorded with the text.
   */
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
