// A link to the site's owner for a reader who found nothing suitable.

import type { Strings } from './strings.ts';

const longest = 300; // longest query in an address

/**
 * Returns the link of the attribute `feedback` with the query inserted. Links to anything
 * but a page or a mailbox are reported to the owner and not shown.
 */
export function missing(host: HTMLElement, strings: Strings, query: string, count: number): HTMLElement[] {
  const told = host.getAttribute('feedback');
  if (!told) return [];
  const asked = query
    .trim()
    .slice(0, longest)
    .replace(/\p{Surrogate}/gu, '\uFFFD'); // unpaired surrogates cannot be encoded
  const link = document.createElement('a');
  link.href = told.replaceAll('{query}', encodeURIComponent(asked));
  if (!/^(https?|mailto):$/.test(link.protocol)) {
    console.warn(`seam-search: feedback="${told}" is shown to nobody: it has to begin with https:, http: or mailto:`);
    return [];
  }
  link.className = 'tell';
  link.textContent = strings.tell;
  if (link.protocol !== 'mailto:') link.target = '_blank';
  link.rel = 'noopener';
  link.addEventListener('click', (e) => {
    const event = new CustomEvent('seam:missing', {
      bubbles: true,
      composed: true,
      cancelable: true,
      detail: { query, count },
    });
    if (!host.dispatchEvent(event)) e.preventDefault();
  });
  return [link];
}
