// The messages between the page and a worker, their progress and their errors.

/** The version that both sides must agree on, sent in the `ready` event. */
export const PROTOCOL = 1;

export interface Progress {
  stage: 'documents' | 'pages' | 'sentences' | 'vectors' | 'curve' | 'chunks' | 'index';
  done: number;
  total: number;
}

/**
 * The engine's codes, and the page's own: an empty file, a worker that died or has
 * another version.
 */
export type ErrorCode =
  | 'cancelled'
  | 'password'
  | 'not-pdf'
  | 'damaged'
  | 'not-text'
  | 'no-language'
  | 'encoding'
  | 'empty'
  | 'unknown-document'
  | 'bad-request'
  | 'too-large'
  | 'internal'
  | 'gone'
  | 'storage'
  | 'bad-model'
  | 'offline'
  | 'refused'
  | 'budget'
  | 'busy'
  | 'upstream'
  | 'no-bytes'
  | 'died'
  | 'version';

export interface ErrorData {
  code: string;
  message: string;
  hint?: string;
}

/** A message through postMessage, in either direction. */
export interface Envelope {
  json: string;
  blobs?: ArrayBuffer[];
}

/** The JSON of a message from a worker. Without an id it is about the worker itself. */
export interface Incoming {
  id?: number;
  event?: string;
  data?: unknown;
  result?: unknown;
  error?: ErrorData;
}
