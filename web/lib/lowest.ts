/** The lowest index for which `is` holds, where it holds for all above it; `count` if for none. */
export function lowest(count: number, is: (index: number) => boolean): number {
  let low = 0;
  let high = count;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (is(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}
