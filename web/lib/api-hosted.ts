// The messages about hosted models, as types: a part of api.ts.

import type { Found, SearchMode } from './api-search.ts';

/** Before the name of an embedder or a chat model that the proxy relays to. */
export const HOSTED = 'openai:';

/** A model that the proxy relays to; prices in US dollars for a million tokens, null where they are not known. */
export interface HostedModel {
  /** What `chunk` and `ask` take: HOSTED and the id. */
  name: string;
  id: string;
  kind: 'embed' | 'chat';
  label: string;
  /** Numbers of a vector and tokens of a text; 0 where that is not known. */
  dimensions: number;
  input: number;
  price: number | null;
  priceOut: number | null;
}

export interface Connected {
  /** Who writes the prompts of `ask`; empty: nobody was asked. */
  prompts: 'client' | 'server' | '';
  models: HostedModel[];
  /** Earlier questions, each with its answer, that go with a new one, and their bytes; 0: the proxy takes none. */
  turns: number;
  history: number;
  /** What the proxy's prompt has the system say; empty: it is not told. */
  system: string;
  /** Passages that can be searched in the place of documents, null where there are none; `hits` of one search, and the ID of what made their vectors, empty where it is not known. */
  collection: { name: string; hits: number; embedder: string } | null;
}

/** A message that a chat model reads. */
export interface ChatMessage {
  role: 'system' | 'user' | 'assistant';
  content: string;
}

/** What `chunk` with the same parameters would send: nothing where `missing` is 0. */
export interface Preview {
  embedder: string;
  texts: number;
  missing: number;
  /** Of the missing texts, estimated. */
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
  /** What the system is to say in the place of the proxy's words; empty: those. */
  system?: string;
  /** Only to tell what would be sent. */
  show?: boolean;
  /** As that of a search, for the question, or a blob for each of its parts. */
  encoder?: string;
  /** The questions that it is made of, each of which is searched for; absent: it is as a whole, with what it follows. */
  parts?: readonly string[];
}

/** `hits` come first, in the order in which the answer numbers them from 1. */
export interface AskEvents {
  hits: Found;
  delta: { text: string };
}

export interface Answered {
  /** stop, length or filter. */
  finish: string;
  tokens: number;
  tokensOut: number;
  /** The model has said that the passages do not hold the answer. */
  refused: boolean;
  /** How many were sent. */
  passages: number;
  /** What was searched for: a question that follows another is joined with it. */
  query: string;
  /** What the model read, or would read; null: nothing was sent. */
  messages: ChatMessage[] | null;
}

/** Messages for a chat model as they are; `temperature` null: the model's own; `json`: the answer is to be an object. */
export interface ChatParams {
  model: string;
  messages: ChatMessage[];
  temperature: number | null;
  json?: boolean;
}

export interface ChatReply {
  text: string;
  finish: string;
  tokens: number;
  tokensOut: number;
  /** Why what came is no answer, though it is paid for; empty: it is one. */
  unusable: string;
}
