// From many gaps to few pixels without losing the ones that matter.

export interface Bar {
  /** Gaps [first, last) stand behind this bar. */
  first: number;
  last: number;
  /** The gap whose value is shown. */
  gap: number;
  value: number;
}

/**
 * At most `columns` bars over `values`. A bar shows the most extreme gap behind
 * it: the highest, or with `lowest` (for similarities) the lowest.
 */
export function downsample(values: Float32Array, columns: number, lowest = false): Bar[] {
  const count = Math.min(values.length, Math.max(1, Math.floor(columns)));
  const bars: Bar[] = [];
  for (let column = 0; column < count; column++) {
    const first = Math.floor((column * values.length) / count);
    const last = Math.floor(((column + 1) * values.length) / count);
    bars.push(extreme(values, first, last, lowest));
  }
  return bars;
}

function extreme(values: Float32Array, first: number, last: number, lowest: boolean): Bar {
  let gap = first;
  let value = values[first] ?? 0;
  for (let i = first + 1; i < last; i++) {
    const v = values[i] ?? 0;
    if (lowest ? v < value : v > value) {
      gap = i;
      value = v;
    }
  }
  return { first, last, gap, value };
}
