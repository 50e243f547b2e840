// Hosted models: the proxy is asked for them when somebody wants one, and a
// document goes to one only when the person has seen what that means and pressed
// Send. Knows no DOM.

import type { Connected, HostedModel, Preview } from '../../lib/api.ts';
import type { Answer } from '../../lib/client.ts';
import { SeamError } from '../../lib/seam-error.ts';
import type { EngineClient } from '../../lib/workers.ts';
import { isHosted } from '../session/choices.ts';
import type { Doc } from '../session/doc.ts';
import { Emitter } from '../ground/emitter.ts';
import type { Session } from '../session/session.ts';
import { knownOf, setKnown } from './known-models.ts';
import { CONNECT } from '../session/reach.ts';
import { strings } from '../words/en/page.ts';
import { hosted as words } from '../words/en/hosted.ts';

/** Where the selected document stands with the hosted embedder that is wanted. */
export type Sending =
  | { kind: 'none' }
  | { kind: 'connecting' }
  /** There are several: the person is to choose. */
  | { kind: 'connected'; embedders: number }
  /** `error` is why the last try did not send all of it, and `came` how many sentences it brought. */
  | { kind: 'asking'; doc: Doc; key: string; preview: Preview; error: SeamError | null; came: number }
  | { kind: 'sending'; doc: Doc; key: string }
  /** No document: the proxy has not answered when it was asked for its models. */
  | { kind: 'failed'; doc: Doc | null; key: string; error: SeamError };

/** The tokens that the proxy may take, as token.ts has them: those to try, and which one it has taken. */
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
  /** What the proxy says of questions: what of a history it takes, its prompt, and who may write one; and which passages it has to search. */
  terms: Pick<Connected, 'prompts' | 'turns' | 'history' | 'system' | 'collection'> = {
    prompts: '',
    turns: 0,
    history: 0,
    system: '',
    collection: null,
  };
  state: Sending = { kind: 'none' };
  /** Documents are sent without asking, until the page is closed. */
  always = false;
  #connecting: Promise<void> | null = null;
  /** The worker that has the connection, by its number. */
  #worker = 0;
  /** The one that was told what the proxy had on an earlier visit. */
  #told = 0;
  /** What is being looked into or asked: it is not asked twice. */
  #about = '';
  /** How many sentences the last try was to send. */
  #sent = 0;
  /** Counts what was looked into: an answer to an earlier turn comes too late. */
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

  /** Once for each worker; after a failure it is tried again. */
  connect(): Promise<void> {
    if (this.#connecting && this.#worker === this.#engine.starts) return this.#connecting;
    const connecting = this.#dial().then(({ result }) => {
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

  /** With one after another of the tokens that there are, of which the proxy may refuse old ones. */
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
      .map(({ name, label, id, price }) => ({
        name,
        label: words.model(label || id, price),
        help: words.help(this.host),
      }));
    this.#session.offerHosted(embedders);
    setKnown(this.proxy, embedders);
    const { embedder } = this.#session.choices;
    if (isHosted(embedder) && !embedders.some(({ name }) => name === embedder)) this.#session.chooseEmbedder(''); // it is there no more
  }

  /**
   * Allows a document the hosted embedder that is wanted for it, if all of its vectors are stored here. Nobody is asked: the proxy
   * may be gone.
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
          known: known.map(({ name }) => name),
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
      return false; // then it is asked about as any other
    }
  }

  /** Asked for among the embedders: a single one is chosen at once, as nothing is sent by that. */
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

  /** What is under way may still be the cut before: nothing of the document is sent after it either. */
  stop(): void {
    if (this.state.kind !== 'sending') return;
    const { doc, key } = this.state;
    doc.allowed.delete(key);
    this.#session.stop(doc);
    void this.#consider(new SeamError('cancelled', 'stopped'));
  }

  /** Not now: the document stays with the embedder it has. Where no other has gone to the wanted one, that is wanted no more. */
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

  /** After a failure. */
  retry(): void {
    if (this.state.kind !== 'failed') return;
    void (this.state.doc ? this.#consider(null) : this.choose());
  }

  /** Something has changed: is there something to be asked, or no more? */
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

  /** Asks the engine what would be sent, and the person whether it may be. */
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

  /** True where the wanted embedder is a hosted one that may not have the document, and nobody has said no. */
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

  /** Nothing is to be asked. */
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
