// Parses passage numbers in an answer that arrives in pieces: "[2]" or "[1, 3]".

const CITED = /\[(\d{1,2}(?:, ?\d{1,2})*)\]/g;
/** The possible beginning of a citation. */
const BEGUN = /\[[\d, ]{0,30}$/;

export class Citations {
  #held = '';

  /** Returns the next piece as texts and numbers. An incomplete citation waits for more. */
  push(piece: string): (string | number)[] {
    const text = this.#held + piece;
    const begun = BEGUN.exec(text)?.index ?? text.length;
    this.#held = text.slice(begun);
    return split(text.slice(0, begun));
  }

  /** Returns the rest after the last piece. */
  end(): (string | number)[] {
    const text = this.#held;
    this.#held = '';
    return split(text);
  }
}

function split(text: string): (string | number)[] {
  const parts: (string | number)[] = [];
  let at = 0;
  for (const match of text.matchAll(CITED)) {
    parts.push(text.slice(at, match.index), ...(match[1] ?? '').split(',').map(Number));
    at = match.index + match[0].length;
  }
  parts.push(text.slice(at));
  return parts.filter((part) => part !== '');
}
