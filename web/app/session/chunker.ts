// Cuts a document with the engine and assembles the answer.

import type { Chunked, ChunkParams, View, ViewText } from '../../lib/api.ts';
import type { Answer, CallOptions } from '../../lib/client.ts';
import { unitOf, type Change, type Settings } from '../../lib/cut.ts';
import type { EngineClient } from '../../lib/workers.ts';
import { SeamError } from '../../lib/seam-error.ts';
import type { Doc } from './doc.ts';
import { measureParts } from '../ground/timing.ts';

/** A byte order mark counts in every offset, so it must stay. */
const utf8 = new TextDecoder('utf-8', { ignoreBOM: true });

/**
 * A text up to this length, some 500 tokens, may well be one chunk, because a model takes
 * it in at once.
 */
const WHOLE = 2000;

/**
 * Calls `refused` with the engine's reason if it rejects the settings, or with null if it
 * accepts them.
 */
export class Chunker {
  readonly #engine: EngineClient;
  readonly #refused: (error: SeamError | null) => void;

  constructor(engine: EngineClient, refused: (error: SeamError | null) => void) {
    this.#engine = engine;
    this.#refused = refused;
  }

  /**
   * Cuts a document, with a change by hand if there is one, which keeps the settings of the
   * last cut.
   *
   * If the user has not set the method's number and its default cuts nothing, the nearest
   * number that does cut replaces it, or a number of chunks.
   */
  async chunk(doc: Doc, settings: Settings, view: View, options: CallOptions, change?: Change): Promise<void> {
    let eased = (change && doc.chunking?.eased) || '';
    let followed = (change && doc.chunking?.followed) || settings;
    let [chunked, text] = await Promise.all([
      change
        ? this.#engine.call('edit', { ...change, doc: doc.id }, options)
        : this.#chunk({ ...settings, doc: doc.id }, options),
      doc.texts.get(view) ?? this.#text(doc, view, options),
    ]);
    const { step, why, count } = chunked.result.remedy ?? {};
    if (
      why &&
      (step || count) &&
      text.text.length > WHOLE &&
      settings !== doc.given &&
      (settings.setting ?? settings.threshold ?? settings.count) === undefined
    ) {
      followed = { ...settings, ...(step ? { setting: step.setting } : { count: count ?? 0 }) };
      chunked = await this.#chunk({ ...followed, doc: doc.id }, options);
      eased = why;
    }
    doc.texts.set(view, text);
    const [curve = new ArrayBuffer(0), sentences = new ArrayBuffer(0), boundaries = new ArrayBuffer(0)] = chunked.blobs;
    measureParts(chunked.result.milliseconds);
    doc.chunking = {
      result: chunked.result,
      text,
      eased,
      settings: JSON.stringify(settings),
      followed,
      embedder: settings.embedder ?? '',
      unit: unitOf(chunked.result, settings),
      curve: new Float32Array(curve),
      sentences: new Int32Array(sentences),
      boundaries: new Int32Array(boundaries),
    };
  }

  async #text(doc: Doc, view: View, options: CallOptions): Promise<ViewText> {
    const { result, blobs } = await this.#engine.call('text', { doc: doc.id, view }, options);
    const [text, elements = [], marks = []] = blobs;
    return { ...result, text: utf8.decode(text), elements: new Int32Array(elements), marks: new Int32Array(marks) };
  }

  /**
   * Cuts with the settings. If they contradict each other, reports that and cuts without
   * limits. If the method's number is also refused, its default is used.
   */
  async #chunk(params: ChunkParams, options: CallOptions): Promise<Answer<Chunked>> {
    try {
      const answer = await this.#engine.call('chunk', params, options);
      this.#refused(null);
      return answer;
    } catch (cause) {
      const error = SeamError.from(cause);
      if (error.code !== 'bad-request') throw error;
      this.#refused(error);
      const { doc, method, embedder } = params;
      return this.#engine
        .call('chunk', { ...params, minTokens: 0, maxTokens: 0, overlap: 0, unit: '' }, options)
        .catch(() =>
          this.#engine.call('chunk', { doc, ...(method && { method }), ...(embedder && { embedder }) }, options),
        ); // this call throws any other error
    }
  }
}
