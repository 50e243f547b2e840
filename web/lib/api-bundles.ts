// What messages say of bundles, as types: a part of api.ts.

import type { Chunk, Plan, View } from './api-chunks.ts';
import type { HandLog } from './api-edits.ts';

/** The file that a document was read from, `sha256` in hex; what is absent is not known. */
export interface Source {
  format?: string;
  size?: number;
  sha256?: string;
}

/** What somebody asks of a document, and the parts of its text that answer it. */
export interface Question {
  question: string;
  /** Word for word. */
  excerpts: string[];
  /** Where they begin, one each, or none. */
  places?: QuestionPlace[];
  /** By whom, where that is no person: `model:NAME`. */
  made?: string;
}

/** A place in the text of a view. */
export interface QuestionPlace {
  view: View;
  start: number;
}

/** What a model, or somebody, has written of a part of a document: a search finds the part by it. */
export interface Statement {
  view: View;
  start: number;
  end: number;
  text: string;
  /** The part has most of its words, and all of its numbers; another one is not searched. */
  grounded: boolean;
  /** It is a title of the part as a whole. */
  title?: boolean;
  /** By whom, where that is no person: `model:NAME`. */
  made?: string;
}

/** A document of a bundle. */
export interface Bundled {
  name: string;
  source: Source;
  log: HandLog | null;
  plan: Plan;
  /** Of the document, what was done by hand, asked and written. */
  digest: string;
  questions: Question[];
  statements: Statement[];
}

/** A document for a bundle. */
export interface ToBundle {
  name: string;
  source: Source;
  plan: Plan;
  log: HandLog | null;
  questions: Question[];
  statements: Statement[];
  chunks: Chunk[];
}
