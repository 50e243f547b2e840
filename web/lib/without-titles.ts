// The beginning of a chunk without its headings, which its card shows above.

/**
 * Returns `text` without the titles of `section` at its start. `section` is a path of titles
 * with › between them; it may also name the first and the last title of a range, with – between
 * them. A text that is only titles stays.
 */
export function withoutTitles(text: string, section: string): string {
  const titles = [...section.split(' › '), ...section.split(/ [›–] /)].filter(Boolean);
  let rest = text;
  for (;;) {
    const title = titles.find((each) => rest.startsWith(each) && /^[\s\p{P}]/u.test(rest.slice(each.length)));
    if (title === undefined) return rest || text;
    rest = rest.slice(title.length).trimStart();
  }
}
