// Hosted models. The proxy is asked for them when the user wants one. A document is sent to
// one only after the user has seen the consequences and pressed Send. Does not use the DOM.

import { HOSTED, type Connected, type HostedModel, type Preview } from '../../lib/api.ts';
import type { Answer } from '../../lib/client.ts';
import { SeamError } from '../../lib/seam-error.ts';
import type { EngineClient } from '../../lib/workers.ts';
import { isHosted } from '../session/choices.ts';
import type { Doc } from '../session/doc.ts';
import { Emitter } from '../ground/emitter.ts';
import type { Session } from '../session/session.ts';
import { knownOf, setKnown } from './known-models.ts';
import { mustAllow } from './local-network.ts';
import { CONNECT } from '../session/reach.ts';
import { strings } from '../words/en/page.ts';
import { hosted as words } from '../words/en/hosted.ts';

/** The state of the selected document with the wanted hosted embedder. */
export type Sending =
  | { kind: 'none' }
  | { kind: 'connecting' }
  /** There are several, and the user must choose. */
  | { kind: 'connected'; embedders: number }
  /**
   * `error` is why the last attempt did not send everything, and `came` the number of
   * sentences it embedded.
   */
  | { kind: 'asking'; doc: Doc; key: string; preview: Preview; error: SeamError | null; came: number }
  | { kind: 'sending'; doc: Doc; key: string }
  /** Without a document, the proxy did not answer when asked for its models. */
  | { kind: 'failed'; doc: Doc | null; key: string; error: SeamError };

/** The tokens for the proxy (see token.ts): those to try, and a callback with the accepted one. */
export interface Tokens {
  tokens: () => readonly string[];
  tookToken: (token: string) => void;
}

export class Hosted extends Emitter<{ changed: Sending; connected: void }> {
  readonly #engine: EngineClient;
  readonly #session: Session;
  readonly #tokens: Tokens;
  readonly proxy: string;
  readonly host: string;
  models: readonly HostedModel[] = [];
  /**
   * The proxy's terms for questions: how much history it accepts, its prompt, whether the
   * client may replace it, and its collection to search.
   */
  terms: Pick<Connected, 'prompts' | 'turns' | 'history' | 'system' | 'collection'> = {
    prompts: '',
    turns: 0,
    history: 0,
    system: '',
    collection: null,
  };
  state: Sending = { kind: 'none' };
  /** Whether documents are sent without asking, until the page is closed. */
  always = false;
  #connecting: Promise<void> | null = null;
  /** The number of the worker that has the connection. */
  #worker = 0;
  /** The number of the worker that received the models of an earlier visit. */
  #told = 0;
  /** The question being prepared or shown, so it is not asked twice. */
  #about = '';
  /** How many sentences the last attempt was to send. */
  #sent = 0;
  /** Counts the previews requested. An answer to an earlier one is ignored. */
  #turn = 0;

  constructor(
    engine: EngineClient,
    session: Session,
    proxy: string,
    tokens: Tokens = { tokens: () => [''], tookToken: () => undefined },
  ) {
    super();
    this.#tokens = tokens;
    this.#engine = engine;
    this.#session = session;
    this.proxy = proxy;
    this.host = new URL(proxy).host;
    session.recall = (doc) => this.#recall(doc);
    for (const event of ['settings', 'selected', 'documents', 'chunked'] as const)
      session.on(event, () => this.#look());
    session.on('unsent', ({ doc, error }) => {
      if (doc === session.selected) void this.#consider(error);
    });
    this.#look();
  }

  get chatModels(): HostedModel[] {
    return this.models.filter(({ kind }) => kind === 'chat');
  }

  labelOf(name: string): string {
    const model = this.models.find((each) => each.name === name);
    return model?.label || model?.id || name;
  }

  /** Says which texts are put before those that are sent to an embedder; empty for none. */
  prefixesOf(name: string): string {
    const { passage = '', query = '' } = this.models.find((each) => each.name === name) ?? {};
    return words.prefixes(passage, query);
  }

  /** Connects once for each worker, and again after a failure. */
  connect(): Promise<void> {
    if (this.#connecting && this.#worker === this.#engine.starts) return this.#connecting;
    const connecting = this.#dial()
      .catch((cause: unknown) => this.#blocked(SeamError.from(cause)))
      .then(({ result }) => {
        this.terms = result;
        this.#offer(result.models);
        this.emit('connected', undefined);
      });
    this.#worker = this.#engine.starts;
    connecting.catch(() => {
      if (this.#connecting === connecting) this.#connecting = null;
    });
    this.#connecting = connecting;
    return connecting;
  }

  /** Throws the error of a failed connection, or another if the browser has not allowed it. */
  async #blocked(error: SeamError): Promise<never> {
    if (error.code !== 'offline' || !(await mustAllow(this.proxy))) throw error;
    throw new SeamError('offline', words.near.blocked(this.host), words.near.blockedHint(this.proxy));
  }

  /** Connects with each token in turn, because the proxy may refuse old ones. */
  async #dial([token = '', ...others] = this.#tokens.tokens()): Promise<Answer<Connected>> {
    try {
      const answer = await this.#engine.call('connect', { url: this.proxy, token, known: null });
      this.#tokens.tookToken(token);
      return answer;
    } catch (cause) {
      if (others.length === 0 || SeamError.from(cause).code !== 'refused') throw cause;
      return this.#dial(others);
    }
  }

  #offer(models: readonly HostedModel[]): void {
    this.models = models;
    const embedders = models
      .filter(({ kind }) => kind === 'embed')
      .map(({ name, label, id, price, query, passage }) => ({
        name,
        label: words.model(label || id, price),
        help: words.help(this.host),
        ...((query || passage) && { query, passage }),
      }));
    this.#session.offerHosted(embedders);
    setKnown(this.proxy, embedders);
    const { embedder } = this.#session.choices;
    if (isHosted(embedder) && !embedders.some(({ name }) => name === embedder)) this.#session.chooseEmbedder(''); // removed meanwhile
  }

  /**
   * Permits the wanted hosted embedder for a document if all its vectors are stored here.
   * No request is made, because the proxy may be gone.
   */
  async #recall(doc: Doc): Promise<boolean> {
    const { choices } = this.#session;
    const embedder = doc.given?.embedder || doc.own || choices.embedder;
    const known = knownOf(this.proxy);
    if (!isHosted(embedder) || !known.some(({ name }) => name === embedder)) return false;
    try {
      const { starts } = this.#engine;
      if (this.#told !== starts && !(this.#connecting && this.#worker === starts)) {
        await this.#engine.call('connect', {
          url: this.proxy,
          token: this.#tokens.tokens()[0] ?? '',
          known: known.map(({ name, query, passage }) => ({
            id: name.slice(HOSTED.length),
            kind: 'embed',
            query_prefix: query ?? '',
            passage_prefix: passage ?? '',
          })),
        });
        this.#told = starts;
        if (choices.hosted === null)
          this.#session.offerHosted([
            ...known,
            { name: CONNECT, label: strings.settings.connect(this.host), help: '' },
          ]);
      }
      const {
        result: { missing },
      } = await this.#engine.call('preview', {
        doc: doc.id,
        method: doc.given?.method ?? choices.method?.name ?? '',
        embedder,
      });
      if (missing === 0) doc.allowed.add(choices.key(embedder, choices.viewOf(doc)));
      return missing === 0;
    } catch {
      return false; // then the user is asked as usual
    }
  }

  /**
   * Asks the proxy for its embedders on the user's request. A single one is chosen
   * immediately, because that sends nothing.
   */
  async choose(): Promise<void> {
    this.#set({ kind: 'connecting' });
    try {
      await this.connect();
    } catch (cause) {
      this.#set({ kind: 'failed', doc: null, key: '', error: SeamError.from(cause) });
      return;
    }
    const { hosted } = this.#session.choices;
    const [only, ...more] = hosted ?? [];
    this.#set(only && more.length === 0 ? { kind: 'none' } : { kind: 'connected', embedders: hosted?.length ?? 0 });
    if (only && more.length === 0) this.#session.chooseEmbedder(only.name);
  }

  send(): void {
    if (this.state.kind !== 'asking') return;
    const { doc, key, preview } = this.state;
    this.#sent = preview.missing;
    this.#set({ kind: 'sending', doc, key });
    this.#session.send(doc);
  }

  /**
   * The work in progress may still be the previous cut. Nothing of the document is sent
   * after that either.
   */
  stop(): void {
    if (this.state.kind !== 'sending') return;
    const { doc, key } = this.state;
    doc.allowed.delete(key);
    this.#session.stop(doc);
    void this.#consider(new SeamError('cancelled', 'stopped'));
  }

  /**
   * Declines to send. The document keeps its embedder. If no document uses the wanted
   * embedder, it is no longer wanted.
   */
  decline(): void {
    const { state } = this;
    this.#rest();
    const doc = 'doc' in state ? state.doc : null;
    if (!doc) return;
    const { choices, docs } = this.#session;
    const unwanted = choices.embedder;
    doc.declined.add(unwanted);
    const used = docs.some(({ chunking }) => chunking?.embedder === unwanted);
    this.#session.change(used ? {} : { embedder: choices.embedderOf(doc) });
  }

  /** Tries again after a failure. */
  retry(): void {
    if (this.state.kind !== 'failed') return;
    void (this.state.doc ? this.#consider(null) : this.choose());
  }

  /** Checks after a change whether there is something to ask, or no longer. */
  #look(): void {
    const { choices, selected: doc } = this.#session;
    const { state } = this;
    if (state.kind === 'connected' && isHosted(choices.embedder)) this.#rest();
    if (state.kind === 'sending' && state.doc === doc && doc.state === 'ready' && state.key === this.#key()) {
      const { embedder = '', result } = doc.chunking ?? {};
      if (choices.key(embedder, result?.view) === state.key) this.#rest();
      return;
    }
    if (doc && this.#isUnsent(doc)) {
      if (this.#about !== this.#keyOf(doc)) void this.#consider(null);
    } else if (this.#about) this.#rest();
  }

  /** Asks the engine for the amount that would be sent, and the user for consent. */
  async #consider(error: SeamError | null): Promise<void> {
    const { choices, selected: doc } = this.#session;
    if (!doc || !this.#isUnsent(doc)) return;
    const turn = ++this.#turn;
    const key = this.#key();
    this.#about = this.#keyOf(doc);
    try {
      if (choices.hosted === null) this.#set({ kind: 'connecting' });
      await this.connect().catch(async (cause: unknown) => {
        if (!(await this.#recall(doc))) throw cause;
      });
      if (turn !== this.#turn) return;
      const { result: preview } = await this.#engine.call('preview', {
        doc: doc.id,
        method: choices.method?.name ?? '',
        embedder: choices.embedder,
      });
      if (turn !== this.#turn) return;
      this.#set({ kind: 'asking', doc, key, preview, error, came: error ? this.#sent - preview.missing : 0 });
      if (!error && (preview.missing === 0 || this.always)) this.send();
    } catch (cause) {
      if (turn === this.#turn) this.#set({ kind: 'failed', doc, key, error: SeamError.from(cause) });
    }
  }

  /**
   * Reports whether the wanted embedder is hosted, has no permission for the document, and
   * was not declined.
   */
  #isUnsent({ state, declined, allowed }: Doc): boolean {
    const { embedder, method } = this.#session.choices;
    return (
      state === 'ready' &&
      method?.needsVectors === true &&
      isHosted(embedder) &&
      !declined.has(embedder) &&
      !allowed.has(this.#key())
    );
  }

  /** Ends the question. */
  #rest(): void {
    this.#turn++;
    this.#about = '';
    if (this.state.kind !== 'none') this.#set({ kind: 'none' });
  }

  #key(): string {
    return this.#session.choices.key(this.#session.choices.embedder);
  }

  #keyOf(doc: Doc): string {
    return `${doc.key} ${doc.id} ${this.#key()}`;
  }

  #set(state: Sending): void {
    this.state = state;
    this.emit('changed', state);
  }
}
