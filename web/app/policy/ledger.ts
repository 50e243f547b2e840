// The pill at the top that counts requests, and its list: the requests to each host, the
// blocked ones, and the enforcer of the policy. The page's own files are recognized by
// their address, below the page's own. A proxy may answer there too.

import { LOCAL, local, type PolicyState, proxy, root, sealed } from '../../lib/place.ts';
import { button, h, setText } from '../ground/dom.ts';
import { strings } from '../words/en/page.ts';

const host = proxy ? new URL(proxy).host : '';

export class Ledger {
  readonly #own = new Set<string>();
  readonly #other: string[] = [];
  /** Requests to the proxy: how often for each address. */
  readonly #relayed = new Map<string, number>();
  /** Requests for models on this machine, of the page to its server and of that: how often each. */
  readonly #local = new Map<string, number>();
  readonly #blocked: { directive: string; url: string }[] = [];
  #policy: PolicyState = 'pending';
  readonly #text = h('span', {}, strings.ledger.none);
  readonly #ownTitle = h('p');
  readonly #ownList = h('ul');
  readonly #otherTitle = h('p');
  readonly #otherList = h('ul');
  readonly #relayedTitle = h('p', { hidden: !proxy });
  readonly #relayedList = h('ul');
  readonly #localTitle = h('p', { hidden: true });
  readonly #localList = h('ul');
  readonly #blockedTitle = h('p');
  readonly #blockedList = h('ul');
  readonly #policyText = h('p');
  readonly #reload = button(strings.policy.reload, () => location.reload(), { class: 'plain' });
  /** Whether the page works offline. */
  readonly offline = h('p');
  readonly #panel = h(
    'div',
    { id: 'ledger', popover: 'auto', class: 'ledger', role: 'dialog', 'aria-labelledby': 'ledger-title' },
    h('h2', { id: 'ledger-title' }, strings.ledger.title),
    this.#otherTitle,
    this.#otherList,
    this.#relayedTitle,
    this.#relayedList,
    this.#localTitle,
    this.#localList,
    this.#blockedTitle,
    this.#blockedList,
    this.#policyText,
    this.#reload,
    this.offline,
    h('p', {}, strings.policy.limits(proxy !== null && !root.startsWith(proxy))),
    !sealed
      ? h('p', {}, h('a', { href: 'sealed/', target: '_blank', rel: 'noopener' }, strings.policy.toSealed))
      : h('p', {}, strings.policy.sealed),
    this.#ownTitle,
    this.#ownList,
  );
  readonly element = h(
    'div',
    {},
    sealed ? h('strong', { class: 'sealed-badge', title: strings.policy.sealed }, strings.policy.badge) : null,
    h('button', { type: 'button', class: 'seal', popovertarget: 'ledger' }, h('b'), this.#text),
    this.#panel,
  );

  constructor() {
    document.body.classList.toggle('sealed', sealed); // a frame in each state: see styles/sealed.css
    new PerformanceObserver((list) => {
      for (const { name } of list.getEntries()) this.add(name);
    }).observe({ type: 'resource', buffered: true });
    addEventListener('securitypolicyviolation', (event) => this.block(event.effectiveDirective, event.blockedURI));
    this.#update();
  }

  /** Adds a request of the page or of a worker. */
  add(url: string): void {
    if (url.startsWith('blob:')) return; // memory of this browser
    if (local && url.startsWith(`${root}${LOCAL}`)) this.#localOne(url);
    else if (proxy && url.replace(/^ws/, 'http').startsWith(`${proxy}/v1/`))
      this.#relayed.set(url, (this.#relayed.get(url) ?? 0) + 1);
    else if (url.startsWith(root)) this.#own.add(url.slice(root.length));
    else this.#other.push(url);
    this.#update();
  }

  /** Adds requests that the server of this page has made to find models. */
  asked(requests: readonly string[]): void {
    for (const each of requests) this.#localOne(strings.ledger.asked(each));
    this.#update();
  }

  /** Adds a request that only has a model on this machine loaded. */
  warmed(model: string): void {
    this.#localOne(strings.ledger.warmed(model));
    this.#update();
  }

  #localOne(row: string): void {
    this.#local.set(row, (this.#local.get(row) ?? 0) + 1);
  }

  /** Adds a request that the policy refused, in the page or in a worker. */
  block(directive: string, url: string): void {
    if (!/^(https?|wss?):/.test(url)) return; // no request: markup, or code from a string
    this.#blocked.push({ directive, url });
    this.#update();
  }

  set policy(state: PolicyState) {
    this.#policy = state;
    this.#update();
  }

  /**
   * Returns the requests without the blocked ones, because browsers list most of those too.
   * Each is subtracted once.
   */
  #sent(): string[] {
    const refused = this.#blocked.map(({ url }) => url);
    return this.#other.filter((url) => {
      // For a frame, browsers report only the origin.
      const at = Math.max(refused.indexOf(url), refused.indexOf(new URL(url).origin));
      if (at >= 0) refused.splice(at, 1);
      return at < 0;
    });
  }

  #update(): void {
    const others = this.#sent();
    const relayed = sum(this.#relayed);
    const found = sum(this.#local);
    const sent = others.length;
    const loose = this.#policy === 'pending' || this.#policy === 'never';
    const counts = [
      sent > 0 && strings.ledger.some(sent),
      relayed > 0 && strings.ledger.relayedShort(relayed),
      found > 0 && strings.ledger.localShort(found),
    ]
      .filter(Boolean)
      .join(' · ');
    const count = counts || (loose ? '' : strings.ledger.none); // a phone has no room for both
    setText(
      this.#text,
      [count, strings.policy.short[this.#policy], strings.ledger.blockedShort(this.#blocked.length)]
        .filter(Boolean)
        .join(' · '),
    );
    this.element.classList.toggle('relayed', relayed > 0);
    this.element.classList.toggle('sent', sent > 0 || loose);
    setText(this.#policyText, strings.policy.long[this.#policy]);
    this.#reload.hidden = this.#policy !== 'pending';
    setText(this.#otherTitle, strings.ledger.other(sent, proxy !== null));
    setText(this.#relayedTitle, strings.ledger.relayed(relayed, host));
    this.#relayedList.replaceChildren(...listed(this.#relayed));
    this.#localTitle.hidden = found === 0;
    setText(this.#localTitle, strings.ledger.local(found));
    this.#localList.replaceChildren(...listed(this.#local));
    setText(this.#ownTitle, strings.ledger.own(this.#own.size));
    setText(this.#blockedTitle, strings.ledger.blocked(this.#blocked.length));
    this.#otherList.replaceChildren(...others.map((url) => h('li', {}, url)));
    this.#blockedList.replaceChildren(
      ...this.#blocked.map(({ directive, url }) => h('li', {}, strings.ledger.blockedOne(directive, url))),
    );
    this.#ownList.replaceChildren(...[...this.#own].sort().map((file) => h('li', {}, file || './')));
  }
}

const sum = (all: ReadonlyMap<string, number>): number => [...all.values()].reduce((total, n) => total + n, 0);

const listed = (all: ReadonlyMap<string, number>): HTMLElement[] =>
  [...all].map(([text, n]) => h('li', {}, n > 1 ? `${n} × ${text}` : text));
