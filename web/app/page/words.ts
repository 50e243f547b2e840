// The positions of a text's words on the pages.

/** The size of a page as displayed, after rotation and cropping, in points. */
export interface PageSize {
  width: number;
  height: number;
}

/** A rectangle in points from the upper left corner of a page. */
export interface Box {
  x0: number;
  y0: number;
  x1: number;
  y1: number;
}

/** The words of one view in the order of its text. A word may be there only in part. */
export interface Words {
  pages: PageSize[];
  count: number;
  /** Offsets into the view's text, in UTF-16 units; starts ascend. */
  starts: Int32Array;
  ends: Int32Array;
  /** Indexes into `pages`. */
  page: Int32Array;
  /** Four numbers per word. */
  boxes: Float32Array;
  /** The indexes of the words on each page. */
  onPage: number[][];
}

/** Builds Words from the engine's answer to `words`. */
export function wordsOf(pages: PageSize[], places: Int32Array, boxes: Float32Array): Words {
  const count = places.length / 3;
  const column = (at: number) => Int32Array.from({ length: count }, (_, i) => places[3 * i + at] ?? 0);
  const page = column(2);
  const onPage = pages.map((): number[] => []);
  for (const [i, of] of page.entries()) onPage[of]?.push(i);
  return { pages, count, starts: column(0), ends: column(1), page, boxes, onPage };
}

export function boxOf({ boxes }: Words, i: number): Box {
  return { x0: boxes[4 * i] ?? 0, y0: boxes[4 * i + 1] ?? 0, x1: boxes[4 * i + 2] ?? 0, y1: boxes[4 * i + 3] ?? 0 };
}
