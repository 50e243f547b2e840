// Phrases of a query: shared/site/shards/phrase.go in TypeScript.

/** Returns the phrases in quotation marks, in the form of `plain`. */
export function quoted(query: string): string[] {
  return query
    .split(/["“”„«»]/)
    .filter((_, i, all) => i % 2 && i < all.length - 1)
    .map(plain)
    .filter((p) => p !== '  ');
}

/**
 * Returns the letters and digits of a text in lower case. All other characters become
 * single blanks, and a blank is added at both ends.
 */
export function plain(text: string): string {
  return ` ${text} `
    .replace(/[^\p{L}\p{Nd}\p{M}_]+/gu, ' ')
    .toLowerCase()
    .padEnd(2);
}
