// The example documents, and whether each is available.

import type { NamedBlob } from '../../lib/named-blob.ts';
import { hostGone, root } from '../../lib/place.ts';
import { SeamError } from '../../lib/seam-error.ts';
import { Emitter } from '../ground/emitter.ts';
import { hostAnswers, keptNames } from '../policy/service.ts';
import { first } from '../words/en/first.ts';

/** Set by the build as JSON: web/build/gallery.go. */
declare const __GALLERY__: string;

export interface Example {
  file: string;
  /** The name of the opened document. */
  name: string;
  kind: string;
  title: string;
  /** A hint for the reader. */
  look: string;
  language?: string;
  questions: string[];
  integrity: string;
  words: number;
  pages?: number;
  bytes: number;
  /** Its small curve: a height from 0 to 9 for each bar, or a to j where there is a cut. */
  curve: string;
}

export class Gallery extends Emitter<{ changed: void }> {
  readonly examples = JSON.parse(__GALLERY__) as readonly Example[];
  /** Examples that are unavailable: the host is away, and they are not stored. */
  #away: ReadonlySet<Example> = new Set();

  constructor() {
    super();
    for (const event of ['offline', 'online'] as const) addEventListener(event, () => void this.#look());
    addEventListener('focus', () => {
      if (this.#away.size > 0) void this.#look();
    });
    if (hostGone || !navigator.onLine) void this.#look();
  }

  has(example: Example): boolean {
    return !this.#away.has(example);
  }

  /** Fetches a document. The service worker stores everything requested with its hash. */
  async fetch({ file, name, integrity }: Example): Promise<NamedBlob> {
    const response = await fetch(new URL(file, root), { integrity }).catch(() => null);
    if (!response?.ok || !response.body) {
      void this.#look();
      throw new SeamError('internal', first.gallery.lost(name));
    }
    const blob = await new Response(response.body.pipeThrough(new DecompressionStream('gzip'))).blob();
    return { name, blob };
  }

  /** Finds out which examples are available. Asking is the only way to know. */
  async #look(): Promise<void> {
    const kept = (await hostAnswers()) ? null : await keptNames();
    this.#away = new Set(kept ? this.examples.filter(({ file }) => !kept.includes(file)) : []);
    this.emit('changed', undefined);
  }
}
