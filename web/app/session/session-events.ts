// The events of the session.

import type { HandLog } from '../../lib/api.ts';
import type { Turn } from '../../lib/thread.ts';
import type { SeamError } from '../../lib/seam-error.ts';
import type { Doc, Passage } from './doc.ts';

export interface Events extends Record<string, unknown> {
  /** The engine has listed its features, or failed to load. */
  hello: SeamError | null;
  /** A document came, went, or changed its state. */
  documents: Doc[];
  /** Searches cover more kept documents without opening them. */
  shelved: void;
  /** Another document is shown. */
  selected: Doc | null;
  /** A document has new chunks. */
  chunked: Doc;
  /**
   * The selected document has provisional chunks because its line is being moved. Show
   * those in view. A `chunked` follows.
   */
  moved: Doc;
  /** The settings are about to change. Sent once while a slider is held. */
  changing: void;
  settings: void;
  /** The distinct settings of a document are known. */
  steps: Doc;
  /** The engine refused the settings; null when it accepts them again. */
  refused: SeamError | null;
  passage: Passage | null;
  /** The questions about a document changed. */
  questions: Doc;
  /** The statements about a document changed. */
  statements: Doc;
  /** Documents have other tags. */
  tagged: readonly Doc[];
  /** A document has an answer to a question that it was asked by itself. `kept` takes the work of keeping it. */
  asked: { doc: Doc; kept: Promise<void>[] };
  removed: Doc;
  /** The user removed a document. `byHand` has its changes by hand if they are not kept. */
  discarded: { doc: Doc; byHand: Promise<HandLog | null> | null };
  /** A chat model has answered a question. */
  answered: Turn;
  /** Added files that were in the list already; they are selected instead. */
  twins: Doc[];
  /** The proxy has listed its models. */
  hosted: void;
  /**
   * A hosted model has not received all of a document because that was stopped or failed.
   * The chunks stay unchanged.
   */
  unsent: { doc: Doc; error: SeamError };
}
