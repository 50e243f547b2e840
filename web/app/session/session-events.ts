// What the session tells those who listen to it.

import type { HandLog } from '../../lib/api.ts';
import type { Turn } from '../../lib/thread.ts';
import type { SeamError } from '../../lib/seam-error.ts';
import type { Doc, Passage } from './doc.ts';

export interface Events extends Record<string, unknown> {
  /** The engine has said what it can do, or cannot be loaded. */
  hello: SeamError | null;
  /** A document came, went, or changed its state. */
  documents: Doc[];
  /** Another document is shown. */
  selected: Doc | null;
  /** A document has new chunks. */
  chunked: Doc;
  /** The selected one has chunks in a hurry, as its line is being moved: show what is in view. A `chunked` follows. */
  moved: Doc;
  /** The settings are about to be changed; once for a slider that is held. */
  changing: void;
  settings: void;
  /** It is known which settings differ for a document. */
  steps: Doc;
  /** The engine would not follow the settings; null when it does again. */
  refused: SeamError | null;
  passage: Passage | null;
  /** Other questions are asked of a document. */
  questions: Doc;
  /** Something else was written of a document. */
  statements: Doc;
  removed: Doc;
  /** A person has removed it; what was done to it by hand, where nobody keeps that. */
  discarded: { doc: Doc; byHand: Promise<HandLog | null> | null };
  /** A chat model has answered a question. */
  answered: Turn;
  /** Files that were there already, and are selected instead. */
  twins: Doc[];
  /** The proxy has told of its models. */
  hosted: void;
  /** A hosted model has not had all of a document: stopped, or it failed. The chunks stay as they were. */
  unsent: { doc: Doc; error: SeamError };
}
