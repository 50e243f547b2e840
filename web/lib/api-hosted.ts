// Types of messages about hosted models, a part of api.ts.

import type { Found, SearchMode } from './api-search.ts';

/** The prefix of embedders and chat models that the proxy relays to. */
export const HOSTED = 'openai:';

/**
 * A model that the proxy relays to. Prices are in US dollars for a million tokens, or null
 * if unknown.
 */
/** A model of an earlier visit, in the words of the proxy. */
export interface KnownModel {
  id: string;
  kind: 'embed';
  query_prefix: string;
  passage_prefix: string;
}

export interface HostedModel {
  /** The name for `chunk` and `ask`: HOSTED and the id. */
  name: string;
  id: string;
  kind: 'embed' | 'chat';
  label: string;
  /** The dimensions of a vector and the token limit of a text; 0 if unknown. */
  dimensions: number;
  input: number;
  price: number | null;
  priceOut: number | null;
  /** Whether it runs on the proxy's machine. */
  here: boolean;
  /** The texts before each query and passage to embed; empty for none. */
  query: string;
  passage: string;
}

export interface Connected {
  /** Who writes the prompts of `ask`; empty if no proxy was asked. */
  prompts: 'client' | 'server' | '';
  models: HostedModel[];
  /** How many earlier turns may go with a question, and their bytes; 0 means none. */
  turns: number;
  history: number;
  /** The proxy's system prompt; empty if it is not disclosed. */
  system: string;
  /**
   * The proxy's collection of passages, or null. `hits` is the limit of one search, and
   * `embedder` the ID of its encoder, empty if unknown.
   */
  collection: { name: string; hits: number; embedder: string } | null;
}

/** A message to a chat model. */
export interface ChatMessage {
  role: 'system' | 'user' | 'assistant';
  content: string;
}

/** The amount that `chunk` with the same parameters would send; nothing if `missing` is 0. */
export interface Preview {
  embedder: string;
  texts: number;
  missing: number;
  /** The estimated tokens of the missing texts. */
  tokens: number;
  calls: number;
  dollars: number | null;
}

export interface AskParams {
  question: string;
  model: string;
  docs?: number[];
  k?: number;
  mode?: SearchMode;
  /** Earlier questions and answers in turn. */
  history?: ChatMessage[];
  /** The system prompt; empty means the proxy's. */
  system?: string;
  /** Only returns the messages, without sending them. */
  show?: boolean;
  /** As in a search: the encoder of the question's vector, or of one blob for each of its parts. */
  encoder?: string;
  /**
   * The parts of the question, each searched separately. If absent, the question is
   * searched as a whole, joined with the one it follows.
   */
  parts?: readonly string[];
  /** The first chunk and the one after the last, of the only document, sent in place of passages that a search finds. */
  chunks?: readonly [number, number];
  /** Sent in place of the passages that a search finds. Then there is no event `hits`. */
  passages?: readonly string[];
  /** The lines to send above `passages`. */
  sources?: readonly string[];
  /** Sends passages that a search finds without a line above them. */
  unnamed?: boolean;
}

/** `hits` comes first, in the order of the answer's citations from 1. */
export interface AskEvents {
  hits: Found;
  /** A part of the answer, or of the model's reasoning. `moved`: everything before was reasoning, too. */
  delta: { text: string; reasoning: boolean; moved: boolean };
}

export interface Answered {
  /** stop, length or filter. */
  finish: string;
  tokens: number;
  tokensOut: number;
  /** Whether the model said that the passages do not contain the answer. */
  refused: boolean;
  /** How many passages were sent. */
  passages: number;
  /** The part sent of the only passage, if the whole is too long; otherwise empty. */
  shortened: string;
  /** The query used. A question that follows another is joined with it, if its passages are searched for. */
  query: string;
  /** The messages that the model received or would receive; null if nothing was sent. */
  messages: ChatMessage[] | null;
  /** How many tokens the model read, in the provider's word; 0 if it gives none. */
  read: number;
  /** About how many tokens were sent, if the model certainly read less; otherwise 0. */
  whole: number;
  /** Tokens of the model's context, if it is known and does not hold all passages; otherwise 0. */
  context: number;
  /** Whether `tokens` is an estimate, because the provider gives no number. */
  estimated: boolean;
  /** Set by the page: how many requests it took, if there were several. */
  requests?: number;
}

/**
 * Messages for a chat model, unchanged. A null `temperature` means the model's default;
 * `json` requests a JSON object.
 */
export interface ChatParams {
  model: string;
  messages: ChatMessage[];
  temperature: number | null;
  json?: boolean;
  /** The most tokens of the answer; absent for the proxy's own limit. */
  maxTokens?: number;
}

export interface ChatReply {
  text: string;
  finish: string;
  tokens: number;
  tokensOut: number;
  /** Why the reply is unusable, although it is paid for; empty if it is usable. */
  unusable: string;
}
