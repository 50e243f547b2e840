export interface Bin {
  /** Values in [from, to) fall into this bin; the last bin includes `to`. */
  from: number;
  to: number;
  count: number;
}

/**
 * Returns bins of equal width between two values, by default the smallest and the largest;
 * none if there are no values.
 */
export function histogram(values: number[], bins: number, [low, high] = extent(values)): Bin[] {
  if (values.length === 0) return [];
  const width = Math.max(1, Math.ceil((high - low + 1) / bins));
  const result: Bin[] = [];
  for (let from = low; from <= high; from += width) result.push({ from, to: from + width, count: 0 });
  for (const value of values) {
    const bin = result[Math.floor((value - low) / width)];
    if (bin) bin.count++;
  }
  return result;
}

/**
 * Returns the lowest and the highest value. Math.min would overflow the stack with an
 * argument for each chunk of a large document.
 */
export function extent(values: Iterable<number>): [low: number, high: number] {
  let low = Infinity;
  let high = -Infinity;
  for (const value of values) {
    if (value < low) low = value;
    if (value > high) high = value;
  }
  return [low, high];
}

export function median(values: number[]): number {
  if (values.length === 0) return 0;
  const sorted = Float64Array.from(values).sort(); // three times as fast as an array with a comparison
  const middle = sorted.length >> 1;
  const high = sorted[middle] ?? 0;
  return sorted.length % 2 ? high : Math.round(((sorted[middle - 1] ?? 0) + high) / 2);
}
