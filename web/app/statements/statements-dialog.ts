// The dialog of a document's statements by a model.

import type { HostedModel, Statement } from '../../lib/api.ts';
import { SeamError } from '../../lib/seam-error.ts';
import { keyOf, partsOf, type StatedPart } from '../../lib/statements.ts';
import type { EngineClient, PdfClient } from '../../lib/workers.ts';
import type { Doc } from '../session/doc.ts';
import { button, h, setText } from '../ground/dom.ts';
import type { Hosted } from '../hosted/hosted.ts';
import { Replies } from '../hosted/replies.ts';
import type { Session } from '../session/session.ts';
import { StatementRun, type Part } from './statement-run.ts';
import type { Statements } from './statements.ts';
import { explainHosted, hosted as modelWords } from '../words/en/hosted.ts';
import { say, strings } from '../words/en/page.ts';
import { statements as words } from '../words/en/statements.ts';

/** Replies are saved this often, because they are paid for. */
const KEPT_MS = 2000;
/** Parts listed at a time, and letters quoted to identify each. */
const LISTED = 100;
const QUOTED = 90;

export interface StatementsPlaces {
  session: Session;
  engine: EngineClient;
  /** The worker that builds the requests. */
  pdf: PdfClient;
  /** Null without a proxy. */
  hosted: Hosted | null;
  statements: Statements;
  /** Announces to screen readers. */
  say: (text: string) => void;
}

export class StatementsDialog {
  readonly #places: StatementsPlaces;
  readonly #doc: Doc;
  readonly #replies: Replies;
  readonly #chosen: { get: () => string; set: (name: string) => void };
  readonly #have = h('p', { class: 'have' });
  readonly #model = h('select', { id: 'statements-model' });
  readonly #field = h(
    'div',
    { class: 'field inline', hidden: true },
    h('label', { for: this.#model.id }, words.model),
    this.#model,
  );
  readonly #kind: HTMLElement;
  readonly #what = h(
    'select',
    { id: 'statements-what' },
    h('option', { value: 'statements' }, words.kinds.statements),
    h('option', { value: 'titles' }, words.kinds.titles),
  );
  readonly #offer = h('p', { role: 'status' });
  readonly #send = h('button', { type: 'submit', class: 'primary' }, words.send);
  readonly #remove: HTMLButtonElement;
  readonly #error = h('p', { class: 'error', role: 'alert' });
  readonly #bar = h('progress', { max: 1, value: 0, 'aria-label': words.title, hidden: true });
  readonly #list = h('div', { class: 'stated', role: 'group', 'aria-label': words.list });
  readonly #dialog: HTMLDialogElement;
  #run: StatementRun | null = null;
  #stop: AbortController | null = null;
  /** The statements removed last, for undo. */
  #removed: readonly Statement[] = [];
  #listed = LISTED;
  /** Aborted when the dialog is closed. */
  readonly #gone = new AbortController();

  constructor(
    places: StatementsPlaces,
    doc: Doc,
    replies: Replies,
    chosen: { get: () => string; set: (name: string) => void },
  ) {
    this.#places = places;
    this.#doc = doc;
    this.#replies = replies;
    this.#chosen = chosen;
    this.#kind = h(
      'div',
      { class: 'field inline', hidden: true },
      h('label', { for: this.#what.id }, words.what),
      this.#what,
    );
    this.#remove = button(words.remove, () => this.#removeAll(), { class: 'plain' });
    const form = h(
      'form',
      {},
      h('h2', { id: 'statements-title' }, words.title),
      h('p', {}, words.intro),
      this.#have,
      this.#kind,
      this.#field,
      this.#offer,
      this.#error,
      this.#bar,
      h(
        'div',
        { class: 'bar' },
        this.#remove,
        button(words.close, () => this.#dialog.close(), { class: 'plain' }),
        this.#send,
      ),
    );
    form.addEventListener('submit', (event) => {
      event.preventDefault();
      if (this.#stop) this.#stop.abort();
      else void this.#ask();
    });
    this.#model.addEventListener('change', () => {
      chosen.set(this.#model.value);
      void this.#look();
    });
    this.#what.addEventListener('change', () => void this.#look());
    this.#dialog = h('dialog', { class: 'statements-dialog', 'aria-labelledby': 'statements-title' }, form, this.#list);
    this.#dialog.addEventListener('close', () => {
      this.#stop?.abort();
      this.#gone.abort();
      this.#dialog.remove();
    });
  }

  show(): void {
    this.#tell();
    this.#send.hidden = true;
    document.body.append(this.#dialog);
    this.#dialog.showModal();
    void this.#connect();
  }

  get #titles(): boolean {
    return this.#what.value === 'titles';
  }

  /** Returns the chunks without statements of the chosen kind. */
  get #missing(): Part[] {
    const { chunking, statements } = this.#doc;
    if (!chunking) return [];
    const { view, text } = chunking.text;
    const there = new Set(statements.filter(({ title = false }) => title === this.#titles).map(keyOf));
    return chunking.result.chunks
      .map(({ start, end }) => ({ view, start, end, text: text.slice(start, end) }))
      .filter((part) => part.text.trim() && !there.has(keyOf(part)));
  }

  async #connect(): Promise<void> {
    const { hosted } = this.#places;
    if (this.#doc.following || !hosted) {
      setText(
        this.#offer,
        this.#doc.following ? `${strings.trouble.followed} ${strings.trouble.followedHint}` : words.alone,
      );
      return;
    }
    setText(this.#offer, modelWords.connecting(hosted.host));
    try {
      await hosted.connect();
    } catch (cause) {
      setText(this.#offer, '');
      this.#fail(cause);
      return;
    }
    const models = hosted.chatModels;
    if (models.length === 0 || hosted.terms.prompts !== 'client') {
      setText(this.#offer, models.length === 0 ? words.noModel(hosted.host) : words.closed(hosted.host));
      return;
    }
    this.#model.replaceChildren(
      ...models.map(({ name, label, id, price }) => h('option', { value: name }, modelWords.model(label || id, price))),
    );
    if (models.some(({ name }) => name === this.#chosen.get())) this.#model.value = this.#chosen.get();
    this.#field.hidden = models.length < 2;
    this.#kind.hidden = false;
    await this.#look();
  }

  get #asked(): HostedModel | undefined {
    return this.#places.hosted?.chatModels.find(({ name }) => name === this.#model.value);
  }

  /** Shows the amount that would be sent. */
  async #look(): Promise<void> {
    const { hosted, engine, pdf } = this.#places;
    const model = this.#asked;
    if (!hosted || !model) return;
    const missing = this.#missing;
    this.#send.hidden = true;
    setText(this.#offer, missing.length > 0 ? words.looking : words.complete(this.#titles));
    if (missing.length === 0) return;
    const run = (this.#run = new StatementRun(
      { engine, pdf, connect: () => hosted.connect() },
      model,
      this.#titles ? 'titles' : 'statements',
      this.#replies,
      missing,
    ));
    try {
      const { requests, tokens, dollars } = await run.quote(this.#gone.signal);
      if (run !== this.#run) return; // another model was chosen
      this.#tell();
      const there = run.statements.length > 0; // removed, and paid for before
      setText(
        this.#offer,
        requests > 0
          ? words.offer(requests, run.total - run.done, tokens, dollars, hosted.labelOf(model.name), hosted.host)
          : there
            ? words.there
            : run.failed.length > 0
              ? ''
              : words.complete(this.#titles),
      );
      setText(
        this.#send,
        requests === 0
          ? words.takeBack
          : missing.length < (this.#doc.chunking?.result.chunks.length ?? 0)
            ? words.sendRest
            : words.send,
      );
      this.#send.hidden = requests === 0 && !there;
    } catch (cause) {
      if (!this.#gone.signal.aborted) this.#fail(cause);
    }
  }

  async #ask(): Promise<void> {
    const run = this.#run;
    if (!run) return;
    const stop = (this.#stop = new AbortController());
    const before = this.#doc.statements;
    const { opened } = this.#doc;
    this.#removed = [];
    setText(this.#send, words.stop);
    setText(this.#error, '');
    this.#bar.hidden = false;
    this.#remove.disabled = this.#model.disabled = this.#what.disabled = true;
    let kept = performance.now();
    const told = () => {
      setText(this.#offer, words.progress(run.done, run.total));
      this.#bar.value = run.done / run.total;
      if (performance.now() - kept < KEPT_MS) return;
      kept = performance.now();
      this.#keep(run, before, opened);
    };
    told();
    let why: unknown = null;
    try {
      await run.ask(stop.signal, told);
    } catch (cause) {
      why = cause;
    }
    this.#stop = null;
    this.#bar.hidden = true;
    this.#remove.disabled = this.#model.disabled = this.#what.disabled = false;
    this.#keep(run, before, opened);
    const left = run.total - run.done;
    if (why) this.#fail(why);
    await this.#look();
    if (stop.signal.aborted)
      setText(this.#offer, [words.stopped(left), this.#offer.textContent].filter(Boolean).join(' '));
    this.#places.say([this.#had, this.#error.textContent].filter(Boolean).join(' '));
  }

  /** Keeps the statements, unless another version of the text was read meanwhile. */
  #keep(run: StatementRun, before = this.#doc.statements, opened = this.#doc.opened): void {
    const { statements } = run;
    const { session } = this.#places;
    if (
      statements.length > 0 &&
      !this.#doc.following &&
      this.#doc.opened === opened &&
      session.docs.includes(this.#doc)
    )
      this.#places.statements.put(this.#doc, [...before, ...statements]);
    this.#tell();
  }

  #removeAll(): void {
    const back = this.#removed;
    const { statements } = this.#doc;
    this.#removed = back.length > 0 ? [] : statements;
    this.#places.statements.put(this.#doc, back);
    this.#tell();
    if (back.length === 0) this.#places.say(words.removed(statements.length));
    void this.#look();
  }

  /** Describes the existing statements. */
  get #had(): string {
    const { statements } = this.#doc;
    const titles = statements.filter(({ title }) => title).length;
    return words.have(statements.length - titles, titles, partsOf(statements).length);
  }

  #tell(): void {
    const { statements } = this.#doc;
    const parts = partsOf(statements);
    const doubtful = statements.filter(({ grounded }) => !grounded).length;
    setText(
      this.#have,
      [this.#removed.length > 0 ? words.removed(this.#removed.length) : this.#had, words.doubtful(doubtful)]
        .filter(Boolean)
        .join(' '),
    );
    setText(this.#remove, this.#removed.length > 0 ? words.undo : words.remove);
    this.#remove.hidden = this.#doc.following || (statements.length === 0 && this.#removed.length === 0);
    const failed = this.#run?.failed ?? [];
    const rest = parts.length - this.#listed;
    this.#list.replaceChildren(
      ...(failed.length > 0
        ? [
            h('p', {}, words.unusable(failed.length)),
            h(
              'ul',
              {},
              ...failed
                .slice(0, LISTED)
                .map(({ part, warning }) => h('li', {}, words.failed(quoteOf(part.text), say(warning)))),
            ),
          ]
        : []),
      ...parts.slice(0, this.#listed).map((part) => this.#row(part)),
      ...(rest > 0
        ? [
            button(
              words.more(rest),
              () => {
                this.#listed += rest;
                this.#tell();
              },
              { class: 'plain' },
            ),
          ]
        : []),
    );
  }

  #row(part: StatedPart): HTMLElement {
    const { text } = this.#doc.chunking ?? {};
    const own = text?.view === part.view ? quoteOf(text.text.slice(part.start, part.end)) : '';
    const head = own
      ? button(words.part(own), () => this.#follow(part), { class: 'link', dir: 'auto', 'aria-label': words.show(own) })
      : null;
    return h(
      'section',
      {},
      head,
      h(
        'ul',
        {},
        ...part.statements.map(({ text: said, grounded, title }) =>
          h(
            'li',
            { dir: 'auto', class: title ? 'title' : null },
            said,
            ...(grounded ? [] : [' ', h('span', { class: 'chip poor' }, words.unborne)]),
          ),
        ),
      ),
    );
  }

  /** Shows the part in the text. */
  #follow({ start, end }: StatedPart): void {
    this.#dialog.close();
    void this.#places.session.reveal({ doc: this.#doc, start, end, page: '', marks: [], passage: null, focus: 0 });
  }

  #fail(cause: unknown): void {
    const { message, hint } = explainHosted(SeamError.from(cause));
    setText(this.#error, [message, hint].filter(Boolean).join(' '));
  }
}

/** Returns the beginning of a text on one line. */
function quoteOf(text: string): string {
  const line = text
    .slice(0, 4 * QUOTED)
    .replace(/\s+/g, ' ')
    .trim();
  return line.length > QUOTED ? `${line.slice(0, QUOTED).trimEnd()}…` : line;
}
