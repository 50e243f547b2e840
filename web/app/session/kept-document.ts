// The record of a document kept between visits: see database.ts.

import type { HandLog, Question, Source, Statement, View } from '../../lib/api.ts';
import type { Settings } from '../../lib/cut.ts';
import type { OwnAnswer } from './own-answers.ts';

export interface KeptFile {
  file: string;
  key: string;
  bytes: number;
}

export interface KeptDocument {
  id: string;
  name: string;
  /** Size of the file it was read from, and SHA-256 of its bytes in hex. */
  size: number;
  digest: string;
  /** The day on which that file was written, if known. */
  saved?: string;
  /** Milliseconds since 1970. */
  added: number;
  pages: number;
  chunks: number;
  /** The stored file of the document, and its size in bytes. */
  file: string;
  bytes: number;
  /** The file of its sentence vectors, or null. `key` identifies the model and sentences. */
  vectors: KeptFile | null;
  /** The file of other results that took long to compute, so that the document opens quickly. */
  seen?: KeptFile | null;
  /**
   * The file by which searches cover it without opening it, from its last cut: the size of
   * the file's head, the view that was cut, and the notes about parts of the document that
   * could not be read. Earlier versions wrote `partly`, whether there are any.
   */
  index?: (KeptFile & { head: number; view: View; unread?: readonly string[]; partly?: boolean }) | null;
  /** The file it was read from, if the user wants it kept. */
  original?: { file: string; bytes: number } | null;
  /** Raised for each file to keep names unique. */
  last: number;
  /** The changes by hand, as in the engine's `history`. */
  log: HandLog | null;
  /** The user's tags; absent if there never were any. Any tab may change them. */
  tags?: readonly string[];
  /** Questions about it; absent if there never were any. */
  questions?: readonly Question[];
  /** Statements about it; absent if there never were any. */
  statements?: readonly Statement[];
  /** Answers to questions that it was asked by itself; absent without any. Any tab may add some. */
  asked?: readonly OwnAnswer[];
  /** The embedder chosen for this document alone. */
  own: string;
  /**
   * For a document from a bundle: its `digest` there, the file it was read from, and its
   * settings.
   */
  packed?: string;
  source?: Source;
  given?: Settings | null;
  /** When it was removed, or 0. It is deleted for good unless that is undone. */
  removed: number;
  /** The ID of the tab that makes the changes. A tab that made them before stops writing. */
  leader?: string;
}
