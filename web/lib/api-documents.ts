// A document that a worker has read, and its texts. See api.ts.

import type { View } from './api-chunks.ts';

export interface Opened {
  doc: number;
  name: string;
  title: string;
  pages: number;
  /** Sentences such as "pages 3, 7–9 hold images without text (scanned)". */
  notes: string[];
  /**
   * For another version of a document: how many changes by hand have no place in it. Null
   * for a new document.
   */
  lost: number | null;
}

export interface PageSpan {
  number: number;
  /** The printed number, if the file has one. */
  label?: string;
  start: number;
  end: number;
}

/** Blobs: the text as UTF-8; its elements (see element-marks.ts); its marks (see marks.ts). */
export interface ViewPages {
  view: View;
  pages: PageSpan[];
  /**
   * Levels count from 1 at the top. Empty for a content view with another text than the
   * reading view.
   */
  headings: { level: number; start: number; end: number }[];
  /** Ascending by start. Empty in the same cases as the headings. */
  links: Link[];
  /** Absent without any. The size is as the file states it. */
  attachments?: { name: string; type?: string; bytes?: number }[];
}

/** A link of a document: to a URL, which may have any scheme, or to a page. Its part of the text may be empty. */
export interface Link {
  url?: string;
  page?: number;
  /** The place in the text to which the URL leads. */
  to?: number;
  start: number;
  end: number;
}

export interface ViewText extends ViewPages {
  text: string;
  /**
   * Kind, start and end of each, outer ones first. Empty in the same cases as the headings,
   * or if the format has no elements.
   */
  elements: Int32Array;
  /** Look, start and end of each, ascending. Only Markdown texts have any. */
  marks: Int32Array;
}

/** Blob 0 of the answer is the encoded document, to be passed to the engine unchanged. */
export interface Extracted {
  pages: number;
  title: string;
  notes: string[];
  milliseconds: Record<string, number>;
}
