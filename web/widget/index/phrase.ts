// Phrases of a query: shared/site/shards/phrase.go in TypeScript.

/** What stands between quotation marks, as `plain` has it. */
export function quoted(query: string): string[] {
  return query
    .split(/["“”„«»]/)
    .filter((_, i, all) => i % 2 && i < all.length - 1)
    .map(plain)
    .filter((p) => p !== '  ');
}

/** The letters and digits of a text in lower case, with a blank for all that is between them, and around. */
export function plain(text: string): string {
  return ` ${text} `
    .replace(/[^\p{L}\p{Nd}\p{M}_]+/gu, ' ')
    .toLowerCase()
    .padEnd(2);
}
