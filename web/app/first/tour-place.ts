// Places a note next to its subject.

interface Box {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

interface Size {
  width: number;
  height: number;
}

/**
 * The distance between the note and its subject, and the least distance to the edge of the
 * window.
 */
const GAP = 14;
const EDGE = 8;

/**
 * Returns a place below, above, left or right of the first box that is within the window
 * and covers none of the boxes; null if there is none. With `aside`, left and right are
 * tried first.
 */
export function beside(
  boxes: readonly Box[],
  note: Size,
  window: Size,
  aside = false,
): { left: number; top: number } | null {
  const [subject] = boxes;
  if (!subject) return null;
  const inside = (at: number, size: number, most: number) => Math.max(EDGE, Math.min(at, most - size - EDGE));
  const x = inside(
    subject.right - subject.left > note.width * 2 ? (subject.left + subject.right - note.width) / 2 : subject.left,
    note.width,
    window.width,
  );
  const y = inside(subject.top, note.height, window.height);
  const across = [
    { left: x, top: subject.bottom + GAP },
    { left: x, top: subject.top - GAP - note.height },
  ];
  const along = [
    { left: subject.left - GAP - note.width, top: y },
    { left: subject.right + GAP, top: y },
  ];
  return (
    (aside ? [...along, ...across] : [...across, ...along]).find(({ left, top }) => {
      const right = left + note.width;
      const bottom = top + note.height;
      return (
        left >= EDGE &&
        top >= EDGE &&
        right <= window.width - EDGE &&
        bottom <= window.height - EDGE &&
        boxes.every((box) => right <= box.left || left >= box.right || bottom <= box.top || top >= box.bottom)
      );
    }) ?? null
  );
}
