// What is kept of a document between visits: see database.ts.

import type { HandLog, Question, Source, Statement } from '../../lib/api.ts';
import type { Settings } from '../../lib/cut.ts';

export interface KeptFile {
  file: string;
  key: string;
  bytes: number;
}

export interface KeptDocument {
  id: string;
  name: string;
  /** Of the file that it was read from, and SHA-256 of its bytes in hex. */
  size: number;
  digest: string;
  /** Milliseconds since 1970. */
  added: number;
  pages: number;
  chunks: number;
  /** The file of the document, and its bytes. */
  file: string;
  bytes: number;
  /** The file of the vectors of its sentences; null: there is none. `key` says what they are of. */
  vectors: KeptFile | null;
  /** The file of what else took long to compute of it, so that it is cut up at once. */
  seen?: KeptFile | null;
  /** The file that it was read from, where the person wants it to be kept. */
  original?: { file: string; bytes: number } | null;
  /** Raised for each file, so that no two have one name. */
  last: number;
  /** What was done by hand, as the engine's `history` has it. */
  log: HandLog | null;
  /** What is asked of it; absent: nothing ever was. */
  questions?: readonly Question[];
  /** What was written of it; absent: nothing ever was. */
  statements?: readonly Statement[];
  /** The embedder that was chosen for this document alone. */
  own: string;
  /** Of a document from a bundle: its `digest` there, the file that it was read from, and the settings that it is cut with. */
  packed?: string;
  source?: Source;
  given?: Settings | null;
  /** When it was removed: it goes for good unless that is undone. 0: it was not. */
  removed: number;
  /** The tab that makes the changes, by a name of its own: one that has made them before writes no more. */
  leader?: string;
}
