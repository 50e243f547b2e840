// Models on this machine. The policy of the page lets it reach only its own host, so the
// server of the page looks for them, once for each press, and passes requests on to those
// that the user takes.

import { LOCAL, root } from '../../lib/place.ts';
import { SeamError } from '../../lib/seam-error.ts';
import { button, h, setText } from '../ground/dom.ts';
import { atRisk } from '../session/at-risk.ts';
import type { Session } from '../session/session.ts';
import { explained } from '../words/en/page.ts';
import { shown } from '../words/en/views.ts';

const words = shown.local;

export interface LocalPlaces {
  /** The tokens of the page, the best first. */
  tokens: () => readonly string[];
  tookToken: (token: string) => void;
  /** Called with the requests that the server has made. */
  asked: (requests: readonly string[]) => void;
}

type Kind = 'chat' | 'embed';

/** An address that the server has asked: see proxy/nearby. */
interface Server {
  /** Empty if unknown. */
  program: string;
  /** The program that usually listens there. */
  usual: string;
  address: string;
  state: 'silent' | 'lists' | 'empty' | 'loading' | 'locked' | 'slow' | 'other';
  asked?: string[];
  models?: { name: string; kinds: Kind[] | null }[];
  away?: string[];
}

export class LocalModels {
  readonly #session: Session;
  readonly #places: LocalPlaces;
  readonly #open = button(words.open, () => void this.#look(), { class: 'link' });
  readonly #note = h('p', { class: 'help', 'aria-live': 'polite' });
  readonly #error = h('p', { class: 'error', 'aria-live': 'assertive', hidden: true });
  readonly #list = h('div', { class: 'local-models' });
  readonly #taken = h('div', { class: 'local-taken', 'aria-live': 'polite' });
  readonly element = h('div', { class: 'local' }, this.#open, this.#note, this.#error, this.#list, this.#taken);
  /** The options that keep the models of an address. */
  readonly #options = new Map<string, string>();

  constructor(session: Session, places: LocalPlaces) {
    this.#session = session;
    this.#places = places;
    setText(this.#note, words.before);
  }

  async #look(): Promise<void> {
    this.#open.disabled = true;
    this.#tell(words.looking, '');
    this.#list.replaceChildren();
    try {
      const { servers } = await this.#post<{ servers: Server[] }>(LOCAL, {});
      this.#places.asked(servers.flatMap(({ asked = [] }) => asked));
      this.#show(servers);
    } catch (cause) {
      this.#tell('', explained(SeamError.from(cause)));
    }
    this.#open.disabled = false;
    this.#open.focus();
  }

  #show(servers: readonly Server[]): void {
    const found = servers.filter(({ models = [] }) => models.length > 0);
    this.#list.replaceChildren(...found.map((server) => this.#group(server)));
    const silent = servers.filter(({ state }) => state === 'silent');
    const notes = servers.map(({ program, usual, address, state, away = [] }) => [
      state in words.why ? words.why[state as keyof typeof words.why](usual, address, away) : '',
      state === 'lists' && away.length > 0 ? words.away(program, away) : '',
    ]);
    if (found.length === 0 && silent.length > 0)
      notes.push([words.silent(silent.map(({ usual, address }) => `${address} (${usual})`))]);
    const total = found.reduce((sum, { models = [] }) => sum + models.length, 0);
    this.#tell([words.found(total), ...notes.flat()].filter(Boolean).join(' '), '');
  }

  /** Lists the models of a server by their abilities. */
  #group({ program, address, models = [] }: Server): HTMLElement {
    const part = (title: string, wanted: (kinds: readonly Kind[]) => boolean, kinds: readonly Kind[]) => {
      const rows = models.filter((each) => wanted(each.kinds ?? []));
      return rows.length === 0
        ? []
        : [
            h('h3', {}, title),
            h(
              'ul',
              {},
              ...rows.map(({ name }) =>
                h(
                  'li',
                  {},
                  h('span', { dir: 'auto' }, name),
                  ...kinds.map((kind) =>
                    button(
                      kinds.length > 1 ? words.useFor[kind] : words.use,
                      ({ currentTarget }) => void this.#take(address, name, kind, currentTarget as HTMLButtonElement),
                      { class: 'small', 'aria-label': words.useOf(name, kind) },
                    ),
                  ),
                ),
              ),
            ),
          ];
    };
    return h(
      'section',
      { 'aria-label': words.server(program, address) },
      h('p', { class: 'where' }, words.server(program, address)),
      ...part(words.answers, (kinds) => kinds.includes('chat'), ['chat']),
      ...part(words.embeds, (kinds) => kinds.includes('embed'), ['embed']),
      ...part(words.unknown, (kinds) => kinds.length === 0, ['chat', 'embed']),
    );
  }

  async #take(address: string, model: string, kind: Kind, pressed: HTMLButtonElement): Promise<void> {
    pressed.disabled = true;
    try {
      const { options } = await this.#post<{ options: string }>(`${LOCAL}/use`, { address, model, kind });
      setText(pressed, words.taken);
      this.#error.hidden = true;
      this.#options.set(address, options);
      this.#offerReload(model);
    } catch (cause) {
      pressed.disabled = false;
      this.#tell(this.#note.textContent, explained(SeamError.from(cause)));
    }
  }

  /** The models are among the others once the page is loaded again. */
  #offerReload(model: string): void {
    const why = h('span', {}, words.then);
    let warned = false;
    const load = button(
      words.load,
      () => {
        const { lost, busy } = atRisk(this.#session);
        if (!busy && (!lost || warned)) location.reload();
        warned = !busy;
        setText(why, busy ? words.busy : words.lost);
      },
      { class: 'primary small' },
    );
    this.#taken.replaceChildren(
      h('p', {}, words.until(model), ' ', why),
      load,
      h('p', {}, words.keep),
      ...[...this.#options.values()].map((each) => h('code', {}, `seam serve ${each}`)),
    );
    load.focus();
  }

  /** Sends a request with each token in turn, because the server may refuse old ones. */
  async #post<T>(path: string, body: object): Promise<T> {
    let refused = { code: 'internal', message: '' };
    for (const token of this.#places.tokens()) {
      const response = await fetch(root + path, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) },
        body: JSON.stringify(body),
      }).catch(() => null);
      if (!response) throw new SeamError('offline', words.gone, words.goneHint);
      const reply = (await response.json().catch(() => refused)) as T & typeof refused;
      if (response.ok) {
        this.#places.tookToken(token);
        return reply;
      }
      refused = reply;
      if (response.status !== 401) break;
    }
    const { [refused.code]: message = refused.message } = words.refused as Record<string, string>;
    throw new SeamError('refused', message || words.gone, '');
  }

  #tell(note: string, error: string): void {
    setText(this.#note, note);
    this.#error.hidden = !error;
    setText(this.#error, error);
  }
}
