// What the page knows of one document.

import type {
  Chunked,
  HandLog,
  Opened,
  Progress,
  Question,
  Source,
  Statement,
  Step,
  View,
  ViewText,
} from '../../lib/api.ts';
import type { Settings } from '../../lib/cut.ts';
import type { SeamError } from '../../lib/seam-error.ts';
import type { KeptDocument } from './kept-document.ts';

/** `kept`: from an earlier visit, and not open yet. */
export type DocState = 'kept' | 'queued' | 'reading' | 'ready' | 'failed';

/** How a document is kept for later visits. */
export interface Kept {
  /** Null until it is there. */
  record: KeptDocument | null;
  state: 'saving' | 'saved' | 'failed';
  /** Why it is not saved: a sentence. */
  reason: string;
}

/** One way of chunking a document, with the text that all its offsets belong to. */
export interface Chunking {
  result: Chunked;
  text: ViewText;
  /** Values between neighbouring sentences; empty when the method has none. */
  curve: Float32Array;
  /** Starts and ends in turn. */
  sentences: Int32Array;
  boundaries: Int32Array;
  /** Why the method's own number was not used: it cuts nothing, and nobody has set one. Empty: it was, or somebody has. */
  eased: string;
  /** The settings it was made with, to see when it is out of date. */
  settings: string;
  embedder: string;
  /** What lengths are counted in; empty: the embedder's tokens. */
  unit: string;
  /** While the line moves: the sections of the chunks before, by their start and end. */
  sections?: ReadonlyMap<string, string>;
}

/** A document as it was in its bundle. */
export interface Packed {
  /** The two files that the engine opens. */
  document: Blob;
  vectors: Blob;
  log: HandLog | null;
  digest: string;
  source: Source;
  /** How it was cut there, where that is not possible here. */
  note: string;
}

export interface Doc {
  /** The session's number for it; 0 before it is in its list. */
  key: number;
  name: string;
  /** To read it again: after a wrong password, a stop, or the death of a worker. Null: it is from an earlier visit. */
  source: Blob | null;
  /** Where it comes from instead, until its file is read. */
  packed: Packed | null;
  /** The settings of its bundle, until others are chosen for it. */
  given: Settings | null;
  /** Bytes of its file. */
  readonly size: number;
  /** Null: nobody keeps it. */
  kept: Kept | null;
  /** Its source is another version of what is kept. */
  renewed: boolean;
  /** Another tab makes the changes by hand. */
  following: boolean;
  state: DocState;
  progress: Progress | null;
  error: SeamError | null;
  /** The engine's number for it, also while another version is being read; 0 while it is not open there. */
  id: number;
  opened: Opened | null;
  readonly texts: Map<View, ViewText>;
  chunking: Chunking | null;
  /** Settings of its method that differ in what they make of it, finer ones first; empty: not known. And what that holds for. */
  steps: readonly Step[];
  stepsOf: string;
  /** Set while there is something to stop. */
  stop: AbortController | null;
  /** When it was handed to the page (performance.now). */
  since: number;
  /** Which worker has it: what Stop must do depends on it. */
  worker: 'pdf' | 'engine' | null;
  /** That opened it; asked for once, also if it has to be read again. */
  password: string;
  /** How often it was opened again because the engine died. */
  reopened: number;
  /** Hosted embedders that it may be cut with, each with the view of its sentences: nothing of it is missing, or the person has pressed Send. */
  readonly allowed: Set<string>;
  /** Hosted embedders that the person would rather not have for it. */
  readonly declined: Set<string>;
  /** The embedder that was chosen for this document alone; empty: none was. */
  own: string;
  /** What is asked of it, and what of its text answers that. */
  questions: readonly Question[];
  /** What was written of its parts. */
  statements: readonly Statement[];
}

/** A passage to show and mark; `marks`, the best sentence and `focus`, the best place in it, are offsets from its start. */
export interface Passage {
  doc: Doc;
  start: number;
  end: number;
  page: string;
  marks: [number, number][];
  passage: [number, number] | null;
  focus: number;
}

/** What the engine opens a kept document from. */
export const keptFiles = ({ file, vectors, seen, log }: KeptDocument) => ({
  file,
  vectors: vectors?.file ?? '',
  seen: seen?.file ?? '',
  log,
});

export function newDoc(name: string, source: Blob | null, record: KeptDocument | null = null): Doc {
  return {
    key: 0,
    name,
    source,
    packed: null,
    given: record?.given ?? null,
    size: source?.size ?? record?.size ?? 0,
    state: source ? 'queued' : 'kept',
    kept: record && { record, state: 'saved', reason: '' },
    renewed: false,
    following: false,
    progress: null,
    error: null,
    id: 0,
    opened: null,
    texts: new Map(),
    chunking: null,
    steps: [],
    stepsOf: '',
    stop: null,
    since: performance.now(),
    worker: null,
    password: '',
    reopened: 0,
    allowed: new Set(),
    declined: new Set(),
    own: record?.own ?? '',
    questions: record?.questions ?? [],
    statements: record?.statements ?? [],
  };
}

/** Back to the queue, as if it had just been handed over. */
export function resetDoc(doc: Doc): void {
  Object.assign(doc, {
    state: 'queued',
    progress: null,
    error: null,
    id: 0,
    opened: null,
    chunking: null,
    steps: [],
    stepsOf: '',
    stop: null,
    worker: null,
    since: performance.now(),
  });
  doc.texts.clear();
  doc.allowed.clear(); // the engine that had its vectors may be gone
}
