// The documents of the gallery: what there is to open, and whether it is to be had.

import type { NamedBlob } from '../../lib/named-blob.ts';
import { hostGone, root } from '../../lib/place.ts';
import { SeamError } from '../../lib/seam-error.ts';
import { Emitter } from '../ground/emitter.ts';
import { hostAnswers, keptNames } from '../policy/service.ts';
import { first } from '../words/en/first.ts';

/** Put in by the build, as JSON: web/build/gallery.go. */
declare const __GALLERY__: string;

export interface Example {
  file: string;
  /** Of the document, once it is open. */
  name: string;
  kind: string;
  title: string;
  /** What to look for. */
  look: string;
  language?: string;
  questions: string[];
  integrity: string;
  words: number;
  pages?: number;
  bytes: number;
  /** Its curve in small: for each bar its height, 0 to 9, or a to j where there is a cut. */
  curve: string;
}

export class Gallery extends Emitter<{ changed: void }> {
  readonly examples = JSON.parse(__GALLERY__) as readonly Example[];
  /** Those that cannot be had: the host is gone, and they are not kept. */
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

  /** Fetches a document. The service worker keeps what is asked for with its hash. */
  async fetch({ file, name, integrity }: Example): Promise<NamedBlob> {
    const response = await fetch(new URL(file, root), { integrity }).catch(() => null);
    if (!response?.ok || !response.body) {
      void this.#look();
      throw new SeamError('internal', first.gallery.lost(name));
    }
    const blob = await new Response(response.body.pipeThrough(new DecompressionStream('gzip'))).blob();
    return { name, blob };
  }

  /** Finds out what can be had, as the page has no other way to know it. */
  async #look(): Promise<void> {
    const kept = (await hostAnswers()) ? null : await keptNames();
    this.#away = new Set(kept ? this.examples.filter(({ file }) => !kept.includes(file)) : []);
    this.emit('changed', undefined);
  }
}
