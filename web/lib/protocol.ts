// The messages between the engine's worker and the proxy (seam.v1), as types.
//
// The Go code in ../../shared/protocol is what speaks it; the page speaks to its
// workers alone. These types are for those who read the protocol from this side,
// and tests hold them to the same fixtures as the Go code. A field that may be
// absent there is optional here.

export interface Init {
  type: 'init';
  token?: string;
  client: string;
}

/** A client keeps them; the server does not rely on that. */
export interface Limits {
  texts: number;
  text_bytes: number;
  /** 0: no limit. */
  tokens: number;
  in_flight: number;
  answer: number;
  context: number;
  credits: number;
}

/** Prices are US dollars for a million tokens; absent where they are not known. */
export interface Model {
  id: string;
  kind: 'embed' | 'chat';
  label?: string;
  dimensions?: number;
  input?: number;
  price?: number;
  price_out?: number;
}

export interface Ack {
  type: 'ack';
  session: string;
  limits: Limits;
  models: Model[];
  prompts: 'client' | 'server';
  /** The server's clock, milliseconds since 1970. */
  time: number;
}

export interface Embed {
  type: 'embed';
  id: number;
  model: string;
  texts: string[];
  dimensions?: number;
}

export interface ChatMessage {
  role: 'system' | 'user' | 'assistant';
  content: string;
}

/** With messages, or with a template of the server's: a question and passages go with that. */
export type Chat = { type: 'chat'; id: number; model: string; params: Params } & (
  | { messages: ChatMessage[]; template?: never; question?: never; passages?: never }
  | { template: string; question?: string; passages?: string[]; messages?: never });

export interface Params {
  temperature?: number;
  max_tokens?: number;
  json?: boolean;
}

export interface Search {
  type: 'search';
  id: number;
  text: string;
  /** float32, little-endian, in base64. */
  vector?: string;
  k?: number;
}

export interface Cancel {
  type: 'cancel';
  id: number;
}

export interface Credit {
  type: 'credit';
  id: number;
  n: number;
}

export interface Ping {
  type: 'ping';
}

export interface Pong {
  type: 'pong';
}

export interface Delta {
  type: 'd';
  id: number;
  seq: number;
  delta: string;
}

export interface Passage {
  id: string;
  text: string;
  source?: string;
  page?: number;
  score: number;
}

export interface Hits {
  type: 'hits';
  id: number;
  hits: Passage[];
}

export interface Usage {
  tokens: number;
  tokens_out?: number;
  cached?: number;
}

export interface End {
  type: 'end';
  id: number;
  usage: Usage;
  finish?: string;
}

export type Code =
  | 'bad_request' | 'unauthorized' | 'forbidden' | 'unknown_model' | 'prompts_only' | 'too_large'
  | 'rate_limited' | 'budget_spent' | 'busy' | 'slow_consumer' | 'cancelled' | 'not_found'
  | 'upstream_refused' | 'upstream_limited' | 'upstream_failed' | 'upstream_timeout' | 'upstream_truncated'
  | 'shutting_down' | 'internal';

/** Without an id it is about the session, which is about to close. */
export interface Err {
  type: 'err';
  id?: number;
  code: Code;
  message: string;
  retry_after_ms?: number;
  whose: 'proxy' | 'upstream';
}

/** Message by type, as in `Messages['ack']`; from the client, from the server, or from either. */
export interface Messages {
  init: Init;
  embed: Embed;
  chat: Chat;
  search: Search;
  cancel: Cancel;
  credit: Credit;
  ping: Ping;
  pong: Pong;
  ack: Ack;
  d: Delta;
  hits: Hits;
  end: End;
  err: Err;
}

/** A token is asked for twice where a puzzle stands before it: see Puzzle in ../../shared/protocol/http.go. */
export interface SessionRequest {
  challenge?: string;
  n?: number;
}

export interface SessionReply {
  token?: string;
  expires?: number;
  puzzle?: Puzzle;
}

export interface Puzzle {
  challenge: string;
  bits: number;
  expires: number;
}
