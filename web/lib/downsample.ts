// Reduces many gaps to few bars without losing the important ones.

export interface Bar {
  /** The bar covers the gaps [first, last). */
  first: number;
  last: number;
  /** The gap with the value shown. */
  gap: number;
  value: number;
  /** The least and the greatest value of its gaps. */
  min: number;
  max: number;
}

/**
 * Returns at most `columns` bars over `values`, which start at the gap `from`. A bar shows
 * its most extreme gap: the highest, or with `lowest` (for similarities) the lowest.
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
