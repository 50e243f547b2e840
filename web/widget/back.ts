// Keeps a search in the history of its page, so that Back from a result finds it again.

const key = 'seamSearch';

export interface Back {
  query: string;
  /** The address of the result that was followed. */
  url: string;
}

type State = Record<string, unknown> | null;

/** The number of the element among the searches of its page. */
const numberOf = (host: Element) => [...document.querySelectorAll(host.tagName)].indexOf(host);

/** Notes a followed result in the history of this page, or removes the note. */
export function noteBack(host: Element, back?: Back): void {
  const state = history.state as State;
  if (state !== null && typeof state !== 'object') return; // a script of the site has its own
  if (!back && !state?.[key]) return;
  const { [key]: _, ...rest } = state ?? {};
  try {
    history.replaceState(back ? { ...rest, [key]: { ...back, n: numberOf(host) } } : rest, '');
  } catch {
    /* a browser allows some hundred changes in ten seconds */
  }
}

/** Returns the note in the history of this page for an element. */
export function backOf(host: Element): Back | undefined {
  const note = (history.state as State)?.[key] as (Back & { n: number }) | undefined;
  return typeof note?.query === 'string' && note.n === numberOf(host) ? note : undefined;
}
