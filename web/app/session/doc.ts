// The page's state of one document.

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
import type { OwnAnswer } from './own-answers.ts';

/**
 * `kept` means from an earlier visit, and not opened so far. `locked` means that it waits for
 * its password.
 */
export type DocState = 'kept' | 'queued' | 'reading' | 'ready' | 'locked' | 'failed';

/** Whether nothing of a document can be read until the user does something. */
export const needsUser = ({ state }: Doc): boolean => state === 'failed' || state === 'locked';

/** How a document is kept for later visits. */
export interface Kept {
  /** Null until it has been written. */
  record: KeptDocument | null;
  state: 'saving' | 'saved' | 'failed';
  /** Why it is not saved, as a sentence. */
  reason: string;
}

/** One chunking of a document, with the text that its offsets refer to. */
export interface Chunking {
  result: Chunked;
  text: ViewText;
  /** Values between neighbouring sentences; empty if the method has no curve. */
  curve: Float32Array;
  /** Start and end of each sentence in turn. */
  sentences: Int32Array;
  boundaries: Int32Array;
  /**
   * Why another number than the method's default was used: the default cuts nothing, and
   * the user has not set one. Empty otherwise.
   */
  eased: string;
  /** The settings of this cut, to notice when it is out of date. */
  settings: string;
  /** The settings that the engine followed: with the number that replaced the method's default. */
  followed: Settings;
  embedder: string;
  /** The unit of lengths: a setting, where empty means the embedder's tokens, or ESTIMATED. */
  unit: string;
  /** While the line moves: the sections of the previous chunks, by start and end. */
  sections?: ReadonlyMap<string, string>;
}

/** A document as stored in its bundle. */
export interface Packed {
  /** The two files that the engine opens. */
  document: Blob;
  vectors: Blob;
  log: HandLog | null;
  digest: string;
  source: Source;
  /** How it was cut in the bundle, if that is not possible here. */
  note: string;
}

export interface Doc {
  /** The session's number for it; 0 before it is listed. */
  key: number;
  name: string;
  /**
   * The file, to read it again after a password, a stop, or the death of a worker.
   * Null if it is from an earlier visit.
   */
  source: Blob | null;
  /** The day on which its file was written, such as 2024-03-05; empty if unknown. */
  saved: string;
  /** The bundle it comes from, until its file is read. */
  packed: Packed | null;
  /** The settings from its bundle, until the user chooses others. */
  given: Settings | null;
  /** The size of its file in bytes. */
  readonly size: number;
  /** Null if it is not kept. */
  kept: Kept | null;
  /** Whether `source` is another version than the one kept. */
  renewed: boolean;
  /** Whether a search opened it from an earlier visit, and the user has not selected it since. */
  searched: boolean;
  /** Whether another tab makes the changes by hand. */
  following: boolean;
  state: DocState;
  progress: Progress | null;
  error: SeamError | null;
  /**
   * The engine's number for it, also while another version is being read; 0 while it is not
   * open in the engine.
   */
  id: number;
  /** The engine's number for its index while it is not open: see shelf.ts. Otherwise 0. */
  shelf: number;
  opened: Opened | null;
  readonly texts: Map<View, ViewText>;
  chunking: Chunking | null;
  /**
   * Settings of its method that give different cuts, finer ones first; empty if not known.
   * `stepsOf` says which cut they apply to.
   */
  steps: readonly Step[];
  stepsOf: string;
  /** Set while there is work to stop. */
  stop: AbortController | null;
  /** When the user added it (performance.now). */
  since: number;
  /** The worker that has it. Stop depends on it. */
  worker: 'pdf' | 'engine' | null;
  /**
   * The password given in this visit, until it proves wrong. The user is asked once, even if
   * the document has to be read again. It is never stored.
   */
  password: string;
  /** Whether a password was given and has not been tried so far. */
  trying: boolean;
  /** Whether the password given last did not open it. */
  wrong: boolean;
  /** Whether the user wants it read although it looks like no language. */
  anyText: boolean;
  /** The encoding that the user chose for its text; '' if it is to be found out. */
  encoding: string;
  /** Whether the user wants the text that nobody sees on its pages in the reading view. */
  hiddenText: boolean;
  /** Whether it was read in another way than the text that is kept of the same file. */
  otherwise: boolean;
  /** Whether the same file was read again, not another version of it. */
  reread: boolean;
  /** How often it was opened again because the engine died. */
  reopened: number;
  /**
   * Permissions for hosted embedders, each with the view of its sentences: either nothing
   * remains to be sent, or the user has pressed Send.
   */
  readonly allowed: Set<string>;
  /** Hosted embedders that the user declined for it. */
  readonly declined: Set<string>;
  /** The embedder chosen for this document alone, or empty. */
  own: string;
  /** The user's tags, in their order. */
  tags: readonly string[];
  /** Questions about it, with the passages of its text that answer them. */
  questions: readonly Question[];
  /** Statements written about its parts. */
  statements: readonly Statement[];
  /** Answers to questions that it was asked by itself. */
  asked: readonly OwnAnswer[];
}

/**
 * A passage to show and mark. `marks`, `passage` (the best sentence) and `focus` (the best
 * place) are offsets from its start.
 */
export interface Passage {
  doc: Doc;
  start: number;
  end: number;
  page: string;
  marks: [number, number][];
  passage: [number, number] | null;
  focus: number;
}

/** Returns the files that the engine opens a kept document from. */
export const keptFiles = ({ file, vectors, seen, log, saved }: KeptDocument) => ({
  file,
  saved: saved ?? '',
  vectors: vectors?.file ?? '',
  seen: seen?.file ?? '',
  log,
});

/** Returns the day on which a file was written, by the local clock, or '' if it is not known. */
export function savedOn(source: Blob | null): string {
  if (!(source instanceof File)) return '';
  const at = new Date(source.lastModified);
  return [at.getFullYear(), at.getMonth() + 1, at.getDate()].map((n) => String(n).padStart(2, '0')).join('-');
}

export function newDoc(name: string, source: Blob | null, record: KeptDocument | null = null): Doc {
  return {
    key: 0,
    name,
    source,
    saved: savedOn(source) || (record?.saved ?? ''),
    packed: null,
    given: record?.given ?? null,
    size: source?.size ?? record?.size ?? 0,
    state: source ? 'queued' : 'kept',
    kept: record && { record, state: 'saved', reason: '' },
    renewed: false,
    searched: false,
    following: false,
    progress: null,
    error: null,
    id: 0,
    shelf: 0,
    opened: null,
    texts: new Map(),
    chunking: null,
    steps: [],
    stepsOf: '',
    stop: null,
    since: performance.now(),
    worker: null,
    password: '',
    trying: false,
    wrong: false,
    anyText: false,
    encoding: '',
    hiddenText: false,
    otherwise: false,
    reread: false,
    reopened: 0,
    allowed: new Set(),
    declined: new Set(),
    own: record?.own ?? '',
    tags: record?.tags ?? [],
    questions: record?.questions ?? [],
    statements: record?.statements ?? [],
    asked: record?.asked ?? [],
  };
}

/** Returns a document to the queue, as if the user had added it again. */
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
    trying: false,
    wrong: false,
    since: performance.now(),
  });
  doc.texts.clear();
  doc.allowed.clear(); // the engine that had its vectors may be gone
}
