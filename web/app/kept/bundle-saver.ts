// Saves bundles of open and kept documents. The engine returns their contents one by one,
// and the PDF worker writes the bundle.

import type { Chunked, Source, ToBundle } from '../../lib/api.ts';
import { SeamError } from '../../lib/seam-error.ts';
import type { EngineClient, PdfClient } from '../../lib/workers.ts';
import { keptFiles, type Doc } from '../session/doc.ts';
import { saveFile } from '../session/export.ts';
import type { Session } from '../session/session.ts';
import { shown } from '../words/en/views.ts';
import { digestOf } from '../session/twins.ts';

/** The most bytes of all documents of a bundle, because they share one memory with it. */
const MOST_BYTES = 512 << 20;

interface Part {
  document: ToBundle;
  files: Blob[];
}

export class BundleSaver {
  readonly #engine: EngineClient;
  readonly #pdf: PdfClient;
  readonly #session: Session;

  constructor(engine: EngineClient, pdf: PdfClient, session: Session) {
    this.#engine = engine;
    this.#pdf = pdf;
    this.#session = session;
  }

  /** Saves documents as a file, and reports its progress. */
  async save(name: string, docs: readonly Doc[], tell: (text: string) => void): Promise<void> {
    const parts: Part[] = [];
    let bytes = 0;
    for (const doc of docs) {
      tell(shown.bundles.collecting(parts.length, docs.length));
      const part = await this.#part(doc);
      bytes += part.files.reduce((sum, { size }) => sum + size, 0);
      if (bytes > MOST_BYTES) throw new SeamError('too-large', shown.bundles.tooLarge, shown.bundles.tooLargeHint);
      parts.push(part);
    }
    tell(shown.bundles.writing);
    const blobs = await Promise.all(parts.flatMap(({ files }) => files.map((file) => file.arrayBuffer())));
    const {
      blobs: [made],
    } = await this.#pdf.call('bundle', { documents: parts.map(({ document }) => document) }, { blobs });
    saveFile(`${name}.seam`, new Blob(made ? [made] : [], { type: 'application/x-seam' }));
    tell(shown.bundles.saved);
  }

  /** Collects a document. A kept document that is not open is opened for the purpose. */
  async #part(doc: Doc): Promise<Part> {
    if (doc.state === 'ready') {
      await this.#session.refresh(doc);
      if (doc.chunking) return this.#collect(doc, doc.id, () => doc.chunking?.result);
    }
    const { record } = doc.kept ?? {};
    if (doc.state !== 'kept' || !record) throw new SeamError('unreadable', shown.bundles.notOpen(doc.name));
    const {
      result: { doc: id },
    } = await this.#engine.call('reopen', { name: doc.name, ...keptFiles(record) });
    try {
      const { result } = await this.#engine.call('chunk', { ...this.#session.choices.settingsOf(doc, false), doc: id });
      return await this.#collect(doc, id, () => result);
    } finally {
      void this.#engine.call('close', { doc: id }).catch(() => undefined);
    }
  }

  /**
   * Collects a document's parts. `cut` is called before and after; if the result changed
   * meanwhile, the parts are collected again.
   */
  async #collect(doc: Doc, id: number, cut: () => Chunked | undefined): Promise<Part> {
    for (;;) {
      const result = cut();
      const [
        document,
        vectors,
        {
          result: { plan, log },
        },
      ] = await Promise.all([
        this.#engine.call('keep', { doc: id, file: '', what: 'document' }),
        this.#engine.call('keep', { doc: id, file: '', what: 'vectors' }),
        this.#engine.call('history', { doc: id, since: 0 }),
      ]);
      if (!result || !plan) throw new SeamError('unreadable', shown.bundles.notOpen(doc.name));
      if (result !== cut()) continue;
      const files = [...document.blobs, ...vectors.blobs].map((blob) => new Blob([blob]));
      return {
        document: {
          name: doc.name,
          source: await this.#sourceOf(doc),
          plan,
          log,
          tags: [...doc.tags],
          questions: [...doc.questions],
          statements: [...doc.statements],
          chunks: result.chunks,
        },
        files,
      };
    }
  }

  /** Describes the file a document was read from, as far as it is known. */
  async #sourceOf({ name, source, size, packed, kept }: Doc): Promise<Source> {
    const known = packed?.source ?? kept?.record?.source;
    if (!source && known) return known;
    const extension = /\.([^./]*)$/.exec(name)?.[1]?.toLowerCase() ?? '';
    const format = this.#session.choices.hello?.formats.find(
      ({ room, extensions }) => room && extensions?.includes(extension),
    )?.name;
    const sha256 = source ? await digestOf(source) : kept?.record?.digest;
    return { size, ...(format && { format }), ...(sha256 && { sha256 }) };
  }
}
