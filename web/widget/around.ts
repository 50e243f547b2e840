// Connects the search with its page: the address, the colour scheme, and the element's
// filters.

/**
 * Keeps the query in the address if the search has its own page, so that it can be
 * shared and returned to.
 */
export function address(query: string): void {
  const url = new URL(location.href);
  if (query.trim()) url.searchParams.set('q', query);
  else url.searchParams.delete('q');
  try {
    if (url.href !== location.href) history.replaceState(history.state, '', url);
  } catch {
    /* Safari and Firefox allow some hundred changes in ten seconds, so the address may lag behind
       the typing */
  }
}

/**
 * Returns the colour scheme. Themes that switch by a class or an attribute instead of
 * color-scheme are detected too.
 */
export function schemeOf(host: HTMLElement): string {
  const root = document.documentElement;
  const told = host.getAttribute('theme');
  const names = `${root.className} ${root.dataset['theme'] ?? ''} ${root.dataset['mdColorScheme'] ?? ''} ${document.body.dataset['mdColorScheme'] ?? ''}`;
  const dark = told ? told === 'dark' : /\b(dark|slate)\b/.test(names);
  const light = told ? told === 'light' : /\b(light|default)\b/.test(names);
  return dark ? 'dark' : light ? 'light' : getComputedStyle(root).colorScheme === 'normal' ? 'light dark' : '';
}

/** Parses the element's filter="version:v2, kind:API". */
export function filtersOf(host: HTMLElement): Record<string, string[]> {
  const out: Record<string, string[]> = {};
  for (const part of (host.getAttribute('filter') ?? '').split(',')) {
    const [name, value] = part.split(':').map((s) => s.trim());
    if (name && value) (out[name] ??= []).push(value);
  }
  return out;
}

/** The facets in meta elements of Docusaurus and of DocSearch. */
const told: Record<string, string> = {
  docusaurus_version: 'version',
  'docsearch:version': 'version',
  docusaurus_locale: 'language',
  'docsearch:language': 'language',
};

/**
 * Returns the version and the language of the current page, unless the owner has set
 * narrow="none".
 */
export function facetsOfPage(host: HTMLElement): Record<string, string[]> {
  const out: Record<string, string[]> = {};
  if (host.getAttribute('narrow') === 'none') return out;
  for (const { name, content } of document.head.querySelectorAll('meta')) {
    const values = content
      .split(',')
      .map((v) => v.trim())
      .filter(Boolean);
    if (told[name] && values.length) out[told[name]] = values;
  }
  return out;
}
