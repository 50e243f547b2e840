// Answers to questions that a document was asked by itself. They are kept with it.

/** The answer of a model that had passages of this document alone. */
export interface OwnAnswer {
  /** Identifies the model, its prompt and the passages. */
  key: string;
  /** Milliseconds since 1970. */
  at: number;
  text: string;
  /** stop, length or filter. */
  finish: string;
  refused: boolean;
  /** How many passages were sent. */
  passages: number;
  tokens: number;
  tokensOut: number;
}

/** Answers kept with a document; the oldest go first. */
const MOST = 200;

/** Returns the answers of two lists, each once, oldest first. */
export function joined(some: readonly OwnAnswer[] = [], others: readonly OwnAnswer[] = []): OwnAnswer[] {
  const all = new Map([...some, ...others].map((answer) => [answer.key, answer]));
  return [...all.values()].sort((a, b) => a.at - b.at).slice(-MOST);
}
