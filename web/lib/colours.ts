/** The number of chunk colours (styles/tokens.css). */
export const COLOURS = 5;

/**
 * Assigns a colour to each chunk, different from its predecessor's. A chunk that existed
 * before (same start) keeps its colour if possible. Moving the threshold thus changes
 * colours only around the moved cuts.
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

/** Returns the colour after `previous`, skipping the colour that the next chunk would keep. */
function inTurn(previous: number, next: number | undefined): number {
  const colour = (previous + 1) % COLOURS;
  return colour === next ? (colour + 1) % COLOURS : colour;
}
