// Types of messages about bundles, a part of api.ts.

import type { Chunk, Plan, View } from './api-chunks.ts';
import type { HandLog } from './api-edits.ts';

/** The file a document was read from. `sha256` is in hex. Absent fields are unknown. */
export interface Source {
  format?: string;
  size?: number;
  sha256?: string;
}

/** A question about a document, and the parts of its text that answer it. */
export interface Question {
  question: string;
  /** Verbatim. */
  excerpts: string[];
  /** Their starts, one for each excerpt, or absent. */
  places?: QuestionPlace[];
  /** The author if it is not a person: `model:NAME`. */
  made?: string;
}

/** A place in the text of a view. */
export interface QuestionPlace {
  view: View;
  start: number;
}

/** A text about a part of a document, by a model or a person. A search finds the part by it. */
export interface Statement {
  view: View;
  start: number;
  end: number;
  text: string;
  /**
   * Whether the part has most of its words and all its numbers. Other statements are not
   * searched.
   */
  grounded: boolean;
  /** Whether it is a title of the whole part. */
  title?: boolean;
  /** The author if it is not a person: `model:NAME`. */
  made?: string;
}

/** A document of a bundle. */
export interface Bundled {
  name: string;
  source: Source;
  log: HandLog | null;
  plan: Plan;
  /** A hash of the document, its changes by hand, questions and statements. */
  digest: string;
  /** Given by the user, each once. */
  tags: string[];
  questions: Question[];
  statements: Statement[];
}

/** A document for a bundle. */
export interface ToBundle {
  name: string;
  source: Source;
  plan: Plan;
  log: HandLog | null;
  tags: string[];
  questions: Question[];
  statements: Statement[];
  chunks: Chunk[];
}
