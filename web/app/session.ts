// The state of the page: documents, settings, what is selected and marked.
// Views listen to it and call it; it knows nothing of the DOM.

import type { Chunked, ChunkParams, Hello, Line, Method, Progress } from '../lib/api.ts';
import type { Answer, CallOptions } from '../lib/client.ts';
import type { EngineClient } from '../lib/workers.ts';
import { Latest } from '../lib/latest.ts';
import { SeamError } from '../lib/seam-error.ts';
import { newDoc, resetDoc, type Doc, type Passage } from './doc.ts';
import { Emitter } from './emitter.ts';
import { initial, loadPreferences, savePreferences, type Preferences } from './preferences.ts';
import type { Reader } from './reader.ts';
import { moveLine } from './moving.ts';
import { measureParts, measurePaint, nextFrame } from './timing.ts';
import { Watchdog } from './watchdog.ts';

/** A byte order mark counts in every offset: it must stay. */
const utf8 = new TextDecoder('utf-8', { ignoreBOM: true });

/** Shorter work than this shows no progress: it would only flicker. */
const MOMENT_MS = 300;

export interface Events extends Record<string, unknown> {
  /** The engine has said what it can do, or cannot be loaded. */
  hello: SeamError | null;
  /** A document came, went, or changed its state. */
  documents: Doc[];
  /** Another document is shown. */
  selected: Doc | null;
  /** A document has new chunks. */
  cut: Doc;
  /** The selected one has chunks in a hurry, as its line is being moved: show what is in view. A `cut` follows. */
  moved: Doc;
  settings: void;
  /** The engine would not follow the settings; null when it does again. */
  refused: SeamError | null;
  passage: Passage | null;
  removed: Doc;
  /** Files that were there already, and are selected instead. */
  twins: Doc[];
}

export class Session extends Emitter<Events> {
  readonly #engine: EngineClient;
  readonly #reader: Reader;
  readonly #latest = new Latest();
  readonly #watchdog: Watchdog;
  /** What was stopped last: not to be begun again with a new engine. */
  #stopped: Doc | null = null;
  #adding = Promise.resolve();
  #pumping = false;
  #preferences = loadPreferences();
  /** A line set by hand, for the selected document only. */
  #cut: number | null = null;
  /** It is being moved, by hand or by the slider: chunks in a hurry will do. */
  #held = false;
  hello: Hello | null = null;
  readonly docs: Doc[] = [];
  selected: Doc | null = null;

  constructor(engine: EngineClient, reader: Reader) {
    super();
    this.#engine = engine;
    this.#reader = reader;
    this.#watchdog = new Watchdog(engine, () => this.#endEngine());
  }

  /** Asks the engine what it can do; until then the settings are empty. */
  async start(): Promise<void> {
    try {
      this.hello = (await this.#engine.call('hello', {})).result;
      this.emit('hello', null);
    } catch (cause) {
      this.emit('hello', SeamError.from(cause));
    }
  }

  // ---- settings

  get preferences(): Readonly<Preferences> {
    return this.#preferences;
  }

  /** The method in use: the remembered one if the engine still has it. */
  get method(): Method | null {
    const { methods = [], defaults } = this.hello ?? {};
    const find = (name: string | undefined) => methods.find((method) => method.name === name);
    return find(this.#preferences.method) ?? find(defaults?.method) ?? methods[0] ?? null;
  }

  get threshold(): number {
    const method = this.method;
    return (method && this.#preferences.thresholds[method.name]) ?? method?.threshold?.default ?? 0;
  }

  get handCut(): number | null {
    return this.#cut;
  }

  change(preferences: Partial<Preferences>, held = false): void {
    this.#cut = null;
    this.#held = held;
    Object.assign(this.#preferences, preferences);
    this.#settingsChanged();
    if (!held) savePreferences(this.#preferences);
  }

  /** `held` while the slider is being moved, until `rest`. */
  setThreshold(value: number, held = false): void {
    const method = this.method;
    if (method) this.change({ thresholds: { ...this.#preferences.thresholds, [method.name]: value } }, held);
  }

  /** Puts the line at an absolute value of the curve, from where it moves on until `rest`. */
  moveCut(value: number): void {
    this.#cut = value;
    this.#held = true;
    this.#settingsChanged();
  }

  /** Whoever moved the line has let go of it: the engine is asked properly. */
  rest(): void {
    if (!this.#held) return;
    this.#held = false;
    savePreferences(this.#preferences);
    this.#recut();
  }

  resetSettings(): void {
    this.change({ ...initial, thresholds: {}, searchMode: this.#preferences.searchMode });
  }

  #settingsChanged(): void {
    this.emit('settings', undefined);
    this.#recut();
  }

  // ---- documents

  /** Resolves when all files are in the list, one addition after another. */
  add(files: { name: string; blob: Blob }[]): Promise<void> {
    this.#adding = this.#adding.then(() => this.#add(files));
    return this.#adding;
  }

  async #add(files: { name: string; blob: Blob }[]): Promise<void> {
    let first: Doc | null = null;
    const twins: Doc[] = [];
    for (const { name, blob } of files) {
      const twin = await this.#twinOf(blob, name);
      const doc = twin ?? newDoc(name, blob);
      first ??= doc;
      if (!twin) this.docs.push(doc);
      else if (twin.state === 'failed') resetDoc(twin); // given again, it is tried again
      else twins.push(twin);
    }
    this.emit('documents', this.docs);
    if (first) this.select(first);
    if (twins.length > 0) this.emit('twins', twins);
    void this.#pump();
  }

  /** The document of the same bytes; what compares them is loaded when a size is the same. */
  async #twinOf(blob: Blob, name: string): Promise<Doc | null> {
    const alike = this.docs.filter(({ source }) => source.size === blob.size);
    return alike.length > 0 ? (await import('./twins.ts')).twinOf(blob, name, alike) : null;
  }

  select(doc: Doc | null): void {
    if (doc === this.selected) return;
    this.selected = doc;
    this.#cut = null;
    this.emit('passage', null);
    this.emit('selected', doc);
    if (doc && this.#outdated(doc)) this.#recut();
  }

  stop(doc: Doc): void {
    if (!doc.stop) return;
    doc.stop.abort();
    if (doc.worker !== 'pdf') this.engineStopped(doc);
  }

  /** Work in the engine was stopped: it is replaced if it does not come free. */
  engineStopped(doc: Doc | null): void {
    this.#stopped = doc;
    this.#watchdog.check();
  }

  retry(doc: Doc): void {
    resetDoc(doc);
    this.emit('documents', this.docs);
    this.select(doc);
    void this.#pump();
  }

  remove(doc: Doc): void {
    this.stop(doc);
    const at = this.docs.indexOf(doc);
    if (at < 0) return;
    this.docs.splice(at, 1);
    if (doc.id) void this.#engine.call('close', { doc: doc.id }).catch(() => undefined); // gone either way
    this.emit('documents', this.docs);
    this.emit('removed', doc);
    if (this.selected === doc) this.select(this.docs[Math.min(at, this.docs.length - 1)] ?? null);
  }

  /** Shows a passage in the text, which may be that of another document. */
  async reveal(passage: Passage): Promise<void> {
    this.select(passage.doc);
    await this.refresh(passage.doc);
    if (this.selected === passage.doc) this.emit('passage', passage);
  }

  /** The engine has died with all its documents: they are read again, once. */
  engineDied(error: SeamError): void {
    if (!this.hello) return;
    for (const doc of this.docs) {
      if (!doc.id) continue;
      resetDoc(doc);
      if (doc.reopened++ > 0) Object.assign(doc, { state: 'failed', error });
    }
    this.emit('documents', this.docs);
    void this.#pump();
  }

  /** As it does not answer: what was open in it is read again, but for what was stopped. */
  #endEngine(): void {
    this.#engine.terminate();
    for (const doc of this.docs) {
      if (!doc.id) continue;
      resetDoc(doc);
      if (doc === this.#stopped) Object.assign(doc, { state: 'failed', error: new SeamError('cancelled', 'stopped') });
    }
    this.emit('documents', this.docs);
    void this.#pump();
  }

  /** Cuts a document again if the settings have changed since. */
  async refresh(doc: Doc): Promise<void> {
    if (!this.#outdated(doc)) return;
    await this.#cutDoc(doc);
    this.emit('cut', doc);
  }

  #outdated(doc: Doc): boolean {
    return doc.state === 'ready' && doc.cutting?.settings !== this.#settingsOf(doc);
  }

  /** One document at a time: the PDF worker has the memory for one. */
  async #pump(): Promise<void> {
    if (this.#pumping) return;
    this.#pumping = true;
    try {
      if (!this.hello) await this.start();
      for (let doc = this.#nextQueued(); doc; doc = this.#nextQueued()) await this.#read(doc);
    } finally {
      this.#pumping = false;
    }
  }

  #nextQueued(): Doc | undefined {
    return this.docs.find((doc) => doc.state === 'queued');
  }

  async #read(doc: Doc): Promise<void> {
    const stop = new AbortController();
    doc.state = 'reading';
    doc.stop = stop;
    this.emit('documents', this.docs);
    const onProgress = (progress: Progress) => {
      this.#watchdog.heard();
      doc.progress = progress;
      this.emit('documents', this.docs);
    };
    try {
      doc.opened = await this.#reader.open(doc, stop.signal, onProgress);
      doc.id = doc.opened.doc;
      await this.#cutDoc(doc, stop.signal, onProgress);
      doc.state = 'ready';
    } catch (cause) {
      if (doc.id) void this.#engine.call('close', { doc: doc.id }).catch(() => undefined); // nothing half-read stays
      doc.id = 0;
      doc.error = SeamError.from(cause);
      // Cancelled by nobody: its engine was ended, for the sake of something else.
      if (doc.error.cancelled && !stop.signal.aborted) resetDoc(doc);
      else doc.state = 'failed';
    }
    doc.stop = null;
    doc.worker = null;
    doc.progress = null;
    this.emit('documents', this.docs);
    if (doc.state === 'ready' && this.docs.includes(doc)) {
      measurePaint('paint', performance.now());
      measurePaint('total', doc.since);
      this.emit('cut', doc);
      if (doc === this.selected) this.#recut(); // the settings may have changed meanwhile
    }
  }

  // ---- cutting

  /** Cuts the selected document with the settings as they are when its turn comes. */
  #recut(): void {
    const asked = performance.now();
    this.#latest.run(async () => {
      const doc = this.selected;
      if (!doc || !this.#outdated(doc)) return;
      if (await this.#follow(doc)) {
        measurePaint('move', asked);
        if (doc === this.selected) this.emit('moved', doc);
        await nextFrame(); // more often than that nobody sees it
        return;
      }
      const watch = this.#watch(doc);
      try {
        await this.#cutDoc(doc, watch.stop.signal, watch.onProgress);
      } catch (cause) {
        const error = SeamError.from(cause);
        // Stopped: the chunks stay as they were. Died: the document is read again.
        if (error.cancelled || error.code === 'died' || !this.docs.includes(doc)) return;
        Object.assign(doc, { state: 'failed', error });
        this.emit('documents', this.docs);
        return;
      } finally {
        watch.end();
      }
      measurePaint('recut', asked);
      this.emit('cut', doc);
    });
  }

  async #follow(doc: Doc): Promise<boolean> {
    if (!this.#held || doc.cutting?.result.method !== this.method?.name) return false;
    const line: Line = this.#cut !== null ? { cut: this.#cut } : { threshold: this.threshold };
    return moveLine(this.#engine, doc, line);
  }

  /** Shows progress, and a way to stop, for cutting that takes longer than a moment. */
  #watch(doc: Doc): { stop: AbortController; onProgress: (progress: Progress) => void; end: () => void } {
    const stop = new AbortController();
    let latest: Progress | null = null;
    const show = () => {
      doc.stop = stop;
      doc.progress = latest;
      this.emit('documents', this.docs);
    };
    const timer = setTimeout(show, MOMENT_MS);
    const onProgress = (progress: Progress) => {
      this.#watchdog.heard();
      latest = progress;
      if (doc.stop === stop) show();
    };
    const end = () => {
      clearTimeout(timer);
      if (doc.stop !== stop) return;
      doc.stop = doc.progress = null;
      this.emit('documents', this.docs);
    };
    return { stop, onProgress, end };
  }

  async #cutDoc(doc: Doc, signal?: AbortSignal, onProgress?: (progress: Progress) => void): Promise<void> {
    const settings = this.#settingsOf(doc);
    const options: CallOptions = { ...(signal && { signal }), ...(onProgress && { onProgress }) };
    const view = this.method?.view ?? 'reading';
    const known = doc.texts.get(view);
    const [chunked, text] = await Promise.all([
      this.#chunk({ ...JSON.parse(settings), doc: doc.id } as ChunkParams, options),
      known ?? this.#engine.call('text', { doc: doc.id, view }, options)
        .then(({ result, blobs }) => ({ ...result, text: utf8.decode(blobs[0]) })),
    ]);
    doc.texts.set(view, text);
    const [curve = new ArrayBuffer(0), sentences = new ArrayBuffer(0), boundaries = new ArrayBuffer(0)] = chunked.blobs;
    measureParts(chunked.result.milliseconds);
    doc.cutting = {
      result: chunked.result, text, settings,
      curve: new Float32Array(curve), sentences: new Int32Array(sentences), boundaries: new Int32Array(boundaries),
    };
  }

  /** Settings that contradict each other are said to be refused; the text is then cut without limits. */
  async #chunk(params: ChunkParams, options: CallOptions): Promise<Answer<Chunked>> {
    try {
      const answer = await this.#engine.call('chunk', params, options);
      this.emit('refused', null);
      return answer;
    } catch (cause) {
      const error = SeamError.from(cause);
      if (error.code !== 'bad-request') throw error;
      this.emit('refused', error);
      const { doc, method, embedder } = params;
      return this.#engine.call('chunk', { doc, ...(method && { method }), ...(embedder && { embedder }) }, options);
    }
  }

  #settingsOf(doc: Doc): string {
    const { embedder, minTokens, maxTokens, overlap } = this.#preferences;
    const method = this.method;
    const line = doc === this.selected && this.#cut !== null ? { cut: this.#cut }
      : method?.threshold ? { threshold: this.threshold } : {};
    const params: Omit<ChunkParams, 'doc'> = {
      ...(method && { method: method.name }),
      embedder: embedder || this.hello?.defaults.embedder || '',
      ...line, maxTokens,
      // Windows of one size have an overlap, all others a minimum.
      ...(method?.needsEmbeddings === false ? { overlap } : { minTokens }),
    };
    return JSON.stringify(params);
  }
}
