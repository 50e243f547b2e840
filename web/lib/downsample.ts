// From many gaps to few pixels without losing the ones that matter.

export interface Bar {
  /** Gaps [first, last) stand behind this bar. */
  first: number;
  last: number;
  /** The gap whose value is shown. */
  gap: number;
  value: number;
  /** Least and greatest of all behind it. */
  min: number;
  max: number;
}

/**
 * At most `columns` bars over `values`, the first of which is of the gap `from`.
 * A bar shows the most extreme gap behind it: the highest, or with `lowest` (for
 * similarities) the lowest.
 */
export function downsample(values: Float32Array, columns: number, lowest = false, from = 0): Bar[] {
  const count = Math.min(values.length, Math.max(1, Math.floor(columns)));
  const bars: Bar[] = [];
  for (let column = 0; column < count; column++) {
    const first = Math.floor((column * values.length) / count);
    const last = Math.floor(((column + 1) * values.length) / count);
    let least = first;
    let most = first;
    for (let i = first + 1; i < last; i++) {
      const v = values[i] ?? 0;
      if (v < (values[least] ?? 0)) least = i;
      if (v > (values[most] ?? 0)) most = i;
    }
    const [min, max] = [values[least] ?? 0, values[most] ?? 0];
    bars.push({
      first: from + first,
      last: from + last,
      gap: from + (lowest ? least : most),
      value: lowest ? min : max,
      min,
      max,
    });
  }
  return bars;
}
