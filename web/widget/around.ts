// What the search has to do with the page around it: its address, its colours, and the element's filters.

/** A page of its own keeps the query in its address, so that it can be sent and gone back to. */
export function address(query: string): void {
  const url = new URL(location.href);
  if (query.trim()) url.searchParams.set('q', query);
  else url.searchParams.delete('q');
  try {
    if (url.href !== location.href) history.replaceState(history.state, '', url);
  } catch {
    /* Safari and Firefox allow some hundred changes in ten seconds: the address lags behind what is typed */
  }
}

/** Themes that switch by a class or an attribute, and not by color-scheme, are followed. */
export function schemeOf(host: HTMLElement): string {
  const root = document.documentElement;
  const told = host.getAttribute('theme');
  const names = `${root.className} ${root.dataset['theme'] ?? ''} ${root.dataset['mdColorScheme'] ?? ''} ${document.body.dataset['mdColorScheme'] ?? ''}`;
  const dark = told ? told === 'dark' : /\b(dark|slate)\b/.test(names);
  const light = told ? told === 'light' : /\b(light|default)\b/.test(names);
  return dark ? 'dark' : light ? 'light' : getComputedStyle(root).colorScheme === 'normal' ? 'light dark' : '';
}

/** filter="version:v2, kind:API" of the element. */
export function filtersOf(host: HTMLElement): Record<string, string[]> {
  const out: Record<string, string[]> = {};
  for (const part of (host.getAttribute('filter') ?? '').split(',')) {
    const [name, value] = part.split(':').map((s) => s.trim());
    if (name && value) (out[name] ??= []).push(value);
  }
  return out;
}

/** The facets that the metas of generators tell: those of Docusaurus, and those of DocSearch. */
const told: Record<string, string> = {
  docusaurus_version: 'version',
  'docsearch:version': 'version',
  docusaurus_locale: 'language',
  'docsearch:language': 'language',
};

/** What the page that the reader is on says of its version and its language, unless the owner has narrow="none". */
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
