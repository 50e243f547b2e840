/** How many chunk colours there are (styles/tokens.css). */
export const COLOURS = 5;

/**
 * A colour for each chunk, never that of the chunk before it. A chunk that was
 * there before (same start) keeps its colour where it can, so that moving the
 * threshold changes colours only around the cuts that moved.
 */
export function assignColours(starts: number[], before: ReadonlyMap<number, number>): number[] {
  const colours: number[] = [];
  let previous = -1;
  starts.forEach((start, i) => {
    const kept = before.get(start);
    const next = before.get(starts[i + 1] ?? -1);
    previous = kept !== undefined && kept !== previous ? kept : inTurn(previous, next);
    colours.push(previous);
  });
  return colours;
}

/** The colour after `previous`, leaving out the one that the next chunk would like to keep. */
function inTurn(previous: number, next: number | undefined): number {
  const colour = (previous + 1) % COLOURS;
  return colour === next ? (colour + 1) % COLOURS : colour;
}
