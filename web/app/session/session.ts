// The state of the page: documents, settings, selection and marks. Views listen to it and
// call it; it does not use the DOM.

import type { Embedder, ExportParams, Hello, Progress, Step } from '../../lib/api.ts';
import type { Change, Settings } from '../../lib/cut.ts';
import type { NamedBlob } from '../../lib/named-blob.ts';
import type { EngineClient } from '../../lib/workers.ts';
import { Latest } from '../../lib/latest.ts';
import { SeamError } from '../../lib/seam-error.ts';
import { Choices } from './choices.ts';
import { Chunker } from './chunker.ts';
import { needsUser, resetDoc, type Doc, type Passage } from './doc.ts';
import { Emitter } from '../ground/emitter.ts';
import { initial, savePreferences, type Preferences } from './preferences.ts';
import type { moveLine } from './moving.ts';
import { giveFile, notOpened, placeOf, rowsOf, type Opening, type Unbundled } from './opening.ts';
import { joined, type OwnAnswer } from './own-answers.ts';
import type { Events } from './session-events.ts';
import { Shelf } from './shelf.ts';
import { strings } from '../words/en/page.ts';
import { measurePaint, nextFrame } from '../ground/timing.ts';
import { watched, type Watched } from './watched.ts';
import { Watchdog } from './watchdog.ts';

/** A number of sentences that takes the engine tens of megabytes. */
const MUCH = 5_000;

export class Session extends Emitter<Events> {
  readonly #engine: EngineClient;
  readonly #latest = new Latest();
  readonly #chunker: Chunker;
  readonly #watchdog: Watchdog;
  readonly #opening: Opening;
  #isOpening = false;
  /** The document stopped last. It is not started again with a new engine. */
  #stopped: Doc | null = null;
  #adding = Promise.resolve();
  /**
   * Whether the line is being moved, by hand or by the slider. Provisional chunks are
   * enough then.
   */
  #held = false;
  /** The cut in progress. */
  #underWay: { doc: Doc; stop: AbortController } | null = null;
  /** The document selected automatically as the first of those added. */
  #given: Doc | null = null;
  #lastKey = 0;
  /** The sentences that the engine has read since it was started. */
  #read = 0;
  /** Whether the engine has a model of the user's own, which only the user can open again. */
  #hasOwnModel = false;
  /** The indexes of documents of earlier visits are being read. */
  #shelving = Promise.resolve();
  /** Called at the next change of the documents. */
  readonly #waiting: (() => void)[] = [];
  readonly choices: Choices;
  readonly shelf: Shelf;
  readonly docs: Doc[] = [];
  selected: Doc | null = null;
  /** Moves the line of a shown document. Set when the views are loaded with the first document. */
  mover: typeof moveLine | null = null;
  /**
   * Called before a document is first cut. It permits a hosted embedder that has all of it
   * already.
   */
  recall: (doc: Doc) => Promise<unknown> = () => Promise.resolve();

  constructor(engine: EngineClient, opening: Opening, proxy: string | null) {
    super();
    this.#engine = engine;
    this.#opening = opening;
    this.choices = new Choices(proxy);
    this.#chunker = new Chunker(engine, (error) => this.emit('refused', error));
    this.#watchdog = new Watchdog(engine, () => this.#endEngine());
    this.shelf = new Shelf(engine);
    this.on('documents', () => {
      for (const next of this.#waiting.splice(0)) next();
    });
  }

  /** Asks the engine for its features. Until then the settings are empty. */
  async start(): Promise<void> {
    try {
      this.choices.hello = strings.offered((await this.#engine.call('hello', {})).result);
      this.emit('hello', null);
    } catch (cause) {
      this.emit('hello', SeamError.from(cause));
    }
  }

  // ---- settings

  /**
   * Changes preferences. `mine` means that the shown document follows them instead of the
   * settings of its bundle.
   */
  change(preferences: Partial<Preferences>, held = false, mine = !('searchMode' in preferences)): void {
    if (!this.#held) this.emit('changing', undefined);
    const { doc } = this.#underWay ?? {};
    if ('embedder' in preferences && doc && this.choices.sendingOf(doc)) this.stop(doc); // stops sending it
    this.choices.handThreshold = null;
    this.#held = held;
    Object.assign(this.choices.preferences, preferences);
    if (mine) this.useMine();
    else this.#settingsChanged();
    if (!held) savePreferences(this.choices.preferences);
  }

  /** Sets the method's number. `held` means that the slider is still moving; `rest` ends that. */
  setSetting(value: number, held = false): void {
    const method = this.choices.method;
    if (method) this.change({ settings: { ...this.choices.preferences.settings, [method.name]: value } }, held);
  }

  /**
   * Sets the threshold to an absolute value of the curve. The line counts as moving until
   * `rest`.
   */
  moveThreshold(value: number): void {
    if (this.#methodHasChanged()) return;
    this.choices.handThreshold = value;
    this.#held = true;
    this.#settingsChanged();
  }

  /** Reports whether the curve shown still has the scale of the method before the one chosen. */
  #methodHasChanged(): boolean {
    const doc = this.selected;
    return Boolean(doc?.chunking && doc.chunking.result.method !== this.#settingsOf(doc).method);
  }

  /** The line was released: the engine cuts again with the whole text. */
  rest(): void {
    if (!this.#held) return;
    this.#held = false;
    savePreferences(this.choices.preferences);
    this.#recut();
  }

  resetSettings(): void {
    this.emit('changing', undefined);
    for (const doc of this.docs) Object.assign(doc, { own: '', given: null });
    this.change({ ...initial, settings: {}, searchMode: this.choices.preferences.searchMode });
  }

  /** Cuts the shown document by the page's settings instead of its bundle's. */
  useMine(): void {
    if (this.selected) this.selected.given = null;
    this.#settingsChanged();
  }

  #settingsChanged(): void {
    this.emit('settings', undefined);
    this.#recut();
  }

  // ---- embedders: nothing of a document goes to a hosted one before `send`

  offerHosted(embedders: readonly Embedder[]): void {
    this.choices.hosted = embedders;
    this.emit('hosted', undefined);
  }

  /** Adds and chooses an embedder of the user's that the engine has opened. */
  addEmbedder(embedder: Embedder): void {
    const { hello } = this.choices;
    if (!hello) return;
    this.#hasOwnModel = true;
    hello.embedders = [...hello.embedders.filter(({ name }) => name !== embedder.name), embedder];
    this.emit('hosted', undefined);
    this.chooseEmbedder(embedder.name);
  }

  chooseEmbedder(embedder: string): void {
    this.emit('changing', undefined);
    this.selected?.declined.clear();
    if (this.selected) this.selected.own = '';
    this.change({ embedder });
  }

  /** Chooses an embedder for the selected document alone. */
  chooseForOne(embedder: string): void {
    if (!this.selected) return;
    this.emit('changing', undefined);
    this.selected.own = embedder;
    this.change({});
  }

  /** Cuts a document with the wanted embedder, and allows sending the missing parts to it. */
  send(doc: Doc): void {
    Object.assign(doc, { own: '', given: null });
    doc.allowed.add(this.choices.key(this.choices.embedder));
    if (doc === this.selected) this.#recut();
  }

  // ---- documents

  /** Adds files one after another. Resolves when all are in the list. */
  add(files: NamedBlob[]): Promise<void> {
    return (this.#adding = this.#adding.then(() => this.#add(files)));
  }

  async #add(files: NamedBlob[]): Promise<void> {
    let first: Doc | null = null;
    const twins: Doc[] = [];
    for (const file of files) {
      const place = await placeOf(this.docs, file);
      const { as, doc } = place;
      if (as === 'version' && doc === this.selected) this.select(null);
      giveFile(place, file.blob);
      first ??= doc;
      if (as === 'new') this.#enter(doc);
      else if (as === 'twin') twins.push(doc);
    }
    this.emit('documents', this.docs);
    if (first) this.select(first);
    this.#given = first;
    if (twins.length > 0) this.emit('twins', twins);
    void this.#openQueued();
  }

  /** Opens queued documents one by one, because the PDF worker has memory for one only. */
  async #openQueued(): Promise<void> {
    if (this.#isOpening) return;
    this.#isOpening = true;
    const queued = ({ state }: Doc) => state === 'queued';
    const next = () =>
      this.docs.find((doc) => queued(doc) && doc.trying) ??
      (this.selected && queued(this.selected) ? this.selected : this.docs.find(queued));
    try {
      if (!this.choices.hello) await this.start();
      for (let doc = next(); doc; doc = next()) await this.#open(doc);
    } finally {
      this.#isOpening = false;
    }
  }

  async #open(doc: Doc): Promise<void> {
    const stop = new AbortController();
    Object.assign(doc, { state: 'reading', stop });
    this.touched();
    const onProgress = (progress: Progress) => {
      this.#watchdog.heard();
      doc.progress = progress;
      this.touched();
    };
    try {
      const found = await this.#opening.open(doc, stop.signal, onProgress);
      if ('blobs' in found) return this.#unpack(doc, found);
      Object.assign(doc, { opened: found, id: found.doc });
      await this.recall(doc);
      await this.#chunkDoc(doc, stop.signal, onProgress);
      doc.state = 'ready';
    } catch (cause) {
      if (doc.id) void this.#engine.call('close', { doc: doc.id }).catch(() => undefined); // drops a half-read document
      notOpened(doc, SeamError.from(cause), stop.signal.aborted);
    }
    Object.assign(doc, { stop: null, worker: null, progress: null });
    this.touched();
    if (doc.state === 'ready' && this.docs.includes(doc)) this.#ready(doc);
  }

  select(doc: Doc | null): void {
    if (doc === this.selected && doc?.state !== 'kept') return;
    this.selected = doc;
    this.#given = null;
    this.choices.handThreshold = null;
    this.emit('passage', null);
    if (doc?.state === 'kept') this.retry(doc);
    this.emit('selected', doc);
    if (doc && this.#outdated(doc)) this.#recut();
  }

  stop(doc: Doc): void {
    const stop = doc.stop ?? (this.#underWay?.doc === doc ? this.#underWay.stop : null);
    if (!stop) return;
    stop.abort();
    if (doc.worker !== 'pdf') this.engineStopped(doc);
  }

  /**
   * Notes that work in the engine was stopped. The engine is replaced if it does not become
   * free.
   */
  engineStopped(doc: Doc | null): void {
    this.#stopped = doc;
    this.#watchdog.check();
  }

  /** Lists documents of earlier visits or of a bundle. They are opened when selected. */
  restore(docs: readonly Doc[]): void {
    for (const doc of docs) this.#enter(doc);
    this.emit('documents', this.docs);
  }

  /**
   * Lets searches cover the documents of earlier visits. It opens those without an index,
   * or all if they are wanted `open`. Resolves when all indexes have been read.
   */
  readKept(open = false): Promise<void> {
    return (this.#shelving = this.#shelving.then(() => this.#readKept(open)).catch(() => undefined)); // a dead engine is reported elsewhere
  }

  /** Lets searches cover the documents of earlier visits that have an index. */
  async shelve(): Promise<void> {
    if (!this.docs.some(({ state, shelf }) => state === 'kept' && !shelf)) return;
    await this.shelf.put(this.docs, (doc) => this.choices.viewOf(doc)).catch(() => undefined); // then they are opened
    this.emit('shelved', undefined);
  }

  async #readKept(open: boolean): Promise<void> {
    const kept = () => this.docs.filter(({ state }) => state === 'kept');
    if (kept().length === 0) return;
    if (!this.choices.hello) await this.start();
    await this.shelve();
    const rest = kept().filter(({ shelf }) => open || !shelf);
    for (const doc of rest) {
      resetDoc(doc);
      doc.searched = true;
    }
    this.touched();
    void this.#openQueued();
  }

  /** Opens documents whose index the engine could not read and has dropped. */
  lost(numbers: readonly number[]): void {
    const docs = this.docs.filter(({ shelf }) => shelf > 0 && numbers.includes(shelf));
    for (const doc of docs) {
      this.shelf.drop(doc, true);
      if (doc.kept?.record) doc.kept.record = { ...doc.kept.record, index: null }; // it is opened, and then indexed again
    }
    if (docs.length > 0) void this.readKept();
  }

  #enter(doc: Doc): void {
    doc.key = ++this.#lastKey;
    this.docs.push(doc);
  }

  retry(doc: Doc): void {
    resetDoc(doc);
    this.emit('documents', this.docs);
    this.select(doc);
    void this.#openQueued();
  }

  /** Returns the file that is kept of a document, or null. Null while the parts that keep documents are not loaded. */
  fileOf: ((doc: Doc) => Promise<Blob | null>) | null = null;

  /**
   * Reads a file again: in another encoding, or with its hidden text. The engine reuses its
   * earlier results. Returns false if there is no file.
   */
  async reread(doc: Doc, how: Partial<Pick<Doc, 'encoding' | 'hiddenText'>>): Promise<boolean> {
    const source = doc.source ?? (await this.fileOf?.(doc)) ?? null;
    if (!source) return false;
    if (!this.docs.includes(doc)) return true; // removed meanwhile
    const { id } = doc;
    resetDoc(doc);
    if (doc.kept?.state === 'saved') doc.kept.state = 'saving'; // the record is outdated
    Object.assign(doc, how, { source, id, renewed: true, otherwise: true, reread: true });
    this.emit('documents', this.docs);
    this.select(doc);
    void this.#openQueued();
    return true;
  }

  /** Opens a locked document with a password. It comes next, because the user waits for it. */
  unlock(doc: Doc, password: string): void {
    if (doc.state !== 'locked') return;
    resetDoc(doc);
    Object.assign(doc, { password, trying: true });
    this.touched();
    void this.#openQueued();
  }

  /** Keeps the selected document shown, even if it cannot be read and another one can. */
  settle(): void {
    this.#given = null;
  }

  removeAll(docs: readonly Doc[] = [...this.docs]): void {
    const shown = this.selected && docs.includes(this.selected);
    if (shown) this.select(null); // none of them is opened meanwhile
    for (const doc of docs) this.remove(doc);
    if (shown) this.select(this.docs.find(({ state }) => state === 'ready') ?? this.docs[0] ?? null);
  }

  remove(doc: Doc): void {
    const byHand =
      doc.id && !doc.kept?.record
        ? this.#engine
            .call('history', { doc: doc.id, since: 0 })
            .then(({ result }) => result.log)
            .catch(() => null)
        : null;
    this.drop(doc);
    this.emit('discarded', { doc, byHand });
  }

  /** Removes a document from the list. */
  drop(doc: Doc): void {
    this.stop(doc);
    const at = this.docs.indexOf(doc);
    if (at < 0) return;
    this.docs.splice(at, 1);
    this.shelf.drop(doc);
    const closed = doc.id ? this.#engine.call('close', { doc: doc.id }).catch(() => undefined) : null; // removed even if that fails
    void closed?.then(() => this.#freeMemory());
    this.emit('documents', this.docs);
    this.emit('removed', doc);
    if (this.selected === doc) this.select(this.docs[Math.min(at, this.docs.length - 1)] ?? null);
  }

  /**
   * Ends the engine after long documents, when none is left. A wasm memory never shrinks. The
   * next document starts another engine, unless it would lack a model of the user's own.
   */
  #freeMemory(): void {
    if (this.docs.length > 0 || this.#read < MUCH || this.#hasOwnModel) return;
    this.#read = 0;
    this.#engine.terminate();
  }

  /** Replaces the questions or statements of a document. */
  put(doc: Doc, made: Partial<Pick<Doc, 'questions' | 'statements'>>): void {
    Object.assign(doc, made);
    if (doc.kept?.state === 'saved') doc.kept.state = 'saving'; // until the keeper has written it
    for (const what of Object.keys(made)) this.emit(what as keyof typeof made, doc);
  }

  /** Gives documents other tags. */
  tag(changes: ReadonlyMap<Doc, readonly string[]>): void {
    const docs = this.docs.filter((doc) => changes.has(doc));
    for (const doc of docs) doc.tags = changes.get(doc) ?? [];
    this.emit('tagged', docs);
    this.touched();
  }

  /** Adds an answer to a question that a document was asked by itself. Resolves when it is kept, if it can be. */
  async keepAnswer(doc: Doc, answer: OwnAnswer): Promise<void> {
    doc.asked = joined(doc.asked, [answer]);
    const kept: Promise<void>[] = [];
    this.emit('asked', { doc, kept });
    await Promise.all(kept);
  }

  answered(turn: Events['answered']): void {
    this.emit('answered', turn);
  }

  /** Announces a change of the documents made elsewhere. */
  touched(): void {
    this.emit('documents', this.docs);
  }

  /** Shows a passage in the text, which may belong to another document. */
  async reveal(passage: Passage): Promise<void> {
    this.select(passage.doc);
    await this.#opened(passage.doc);
    await this.refresh(passage.doc);
    if (this.selected === passage.doc) this.emit('passage', passage);
  }

  /** Waits until a document has been opened, could not be opened, or is gone. */
  async #opened(doc: Doc): Promise<void> {
    while (this.docs.includes(doc) && (doc.state === 'queued' || doc.state === 'reading')) await this.changed();
  }

  /** Waits for the next change of a document. */
  changed(): Promise<void> {
    return new Promise((next) => this.#waiting.push(next));
  }

  /** Reads all documents again, once, after the engine has died. */
  engineDied(error: SeamError): void {
    if (this.choices.hello) this.#readAgain((doc) => (doc.reopened++ > 0 ? error : null));
  }

  /** Ends an engine that does not answer. Its documents are read again, except the stopped one. */
  #endEngine(): void {
    this.#engine.terminate();
    this.#readAgain((doc) => (doc === this.#stopped ? new SeamError('cancelled', 'stopped') : null));
  }

  /**
   * Reads the documents of an engine that is gone again, except those for which `failure`
   * returns an error.
   */
  #readAgain(failure: (doc: Doc) => SeamError | null): void {
    const covered = this.docs.filter(({ shelf }) => shelf > 0);
    for (const doc of covered) this.shelf.drop(doc, true);
    for (const doc of this.docs.filter(({ id }) => id)) {
      resetDoc(doc);
      const error = failure(doc);
      if (error) Object.assign(doc, { state: 'failed', error });
    }
    this.emit('documents', this.docs);
    void this.#openQueued();
    if (covered.filter((doc) => !failure(doc)).length > 0) void this.readKept();
  }

  /**
   * Cuts a document again if the settings have changed since. A document that is being sent
   * is not awaited, because that may take long or be stopped.
   */
  async refresh(doc: Doc): Promise<void> {
    if (this.#outdated(doc) && this.#underWay?.doc === doc && this.choices.sendingOf(doc)) {
      if (!this.choices.hasSent(doc)) return;
      await this.#latest.idle;
    }
    if (!this.#outdated(doc)) return;
    await this.#chunkDoc(doc);
    this.emit('chunked', doc);
  }

  /** Returns the effect of settings on a document, or nothing while its cut is out of date. */
  async steps(doc: Doc, settings: number[]): Promise<Step[]> {
    return this.#outdated(doc) ? [] : (await this.#engine.call('steps', { doc: doc.id, settings })).result.steps;
  }

  /** Returns a file of a document's chunks, or null if it has none. */
  async exported(doc: Doc, params: Omit<ExportParams, 'doc' | 'file'>): Promise<ArrayBuffer | null> {
    await this.refresh(doc); // a line that has only now come to rest has no ids
    if (!doc.chunking) return null;
    const { blobs } = await this.#engine.call('export', { doc: doc.id, file: doc.name, ...params });
    return blobs[0] ?? null;
  }

  /** Starts work on a document: shows its progress, and lets the user stop it. */
  watch(doc: Doc): Watched {
    return watched(
      doc,
      () => this.#watchdog.heard(),
      () => this.touched(),
    );
  }

  /** Sets the distinct settings of a document; empty means not known. */
  tellSteps(doc: Doc, steps: readonly Step[]): void {
    doc.steps = steps;
    this.emit('steps', doc);
  }

  /** Changes a boundary by hand. Rejects with the engine's reason if it refuses. */
  async edit(doc: Doc, change: Change): Promise<void> {
    if (doc.following && change.action !== 'load')
      throw new SeamError('followed', strings.trouble.followed, strings.trouble.followedHint);
    await this.refresh(doc);
    if (this.#outdated(doc)) return; // a hosted model has it
    await this.#chunkDoc(doc, undefined, undefined, { when: Date.now(), ...change });
    if (doc.kept?.state === 'saved') doc.kept.state = 'saving'; // until the keeper has written it
    this.emit('chunked', doc);
  }

  #outdated(doc: Doc): boolean {
    return doc.state === 'ready' && doc.chunking?.settings !== JSON.stringify(this.#settingsOf(doc));
  }

  /** Handles a document that has been read and can be shown. */
  #ready(doc: Doc): void {
    measurePaint('paint', performance.now());
    measurePaint('total', doc.since);
    this.#read += (doc.chunking?.sentences.length ?? 0) / 2;
    this.emit('chunked', doc);
    if (this.#given && needsUser(this.#given)) this.select(doc); // it has no text
    if (doc === this.selected) this.#recut(); // the settings may have changed meanwhile
  }

  /** Replaces the row of a bundle by its documents. */
  #unpack(doc: Doc, found: Unbundled): void {
    const { made, twins } = rowsOf(found, this.docs, this.choices.hello as Hello);
    doc.stop = null;
    if (!this.docs.includes(doc)) return; // removed meanwhile
    this.restore(made);
    if (doc === this.selected) this.select(made[0] ?? twins[0] ?? null);
    this.drop(doc);
    if (twins.length > 0) this.emit('twins', twins);
  }

  // ---- chunking

  /** Cuts the selected document with the settings at the time its turn comes. */
  #recut(): void {
    const asked = performance.now();
    this.#latest.run(async () => {
      const doc = this.selected;
      if (!doc || !this.#outdated(doc)) return;
      if (await this.#follow(doc)) {
        measurePaint('move', asked);
        if (doc === this.selected) this.emit('moved', doc);
        await nextFrame(); // more frequent updates would be invisible
        return;
      }
      const watch = this.watch(doc);
      const [sending, sent] = [this.choices.sendingOf(doc), this.choices.hasSent(doc)];
      this.#underWay = { doc, stop: watch.stop };
      try {
        await this.#chunkDoc(doc, watch.stop.signal, watch.onProgress);
      } catch (cause) {
        const error = SeamError.from(cause);
        return this.#chunkFailed(doc, sent && error.cancelled ? '' : sending, error);
      } finally {
        this.#underWay = null;
        watch.end();
      }
      measurePaint('recut', asked);
      this.emit('chunked', doc);
    });
  }

  /**
   * Handles a failed cut. If it was stopped, or a hosted model (`sending`) refused, the
   * chunks stay unchanged. If the engine died, the document is read again.
   */
  #chunkFailed(doc: Doc, sending: string, error: SeamError): void {
    if (error.code === 'died' || !this.docs.includes(doc)) return;
    if (doc.chunking) doc.chunking.settings = ''; // the engine may be further than its last message; a search asks it again
    if (sending) {
      doc.allowed.delete(sending);
      this.emit('unsent', { doc, error });
    } else if (!error.cancelled) {
      Object.assign(doc, { state: 'failed', error });
      this.emit('documents', this.docs);
    }
  }

  async #follow(doc: Doc): Promise<boolean> {
    if (!this.mover || !this.#held || doc.chunking?.result.method !== this.choices.method?.name) return false;
    const { handThreshold, setting, hello } = this.choices;
    return this.mover(
      this.#engine,
      doc,
      handThreshold !== null ? { threshold: handThreshold } : { setting },
      hello?.reasons ?? [],
    );
  }

  #chunkDoc(doc: Doc, signal?: AbortSignal, onProgress?: (progress: Progress) => void, change?: Change): Promise<void> {
    return this.#chunker.chunk(
      doc,
      this.#settingsOf(doc),
      this.choices.viewOf(doc),
      { ...(signal && { signal }), ...(onProgress && { onProgress }) },
      change,
    );
  }

  #settingsOf(doc: Doc): Settings {
    return this.choices.settingsOf(doc, doc === this.selected);
  }
}
