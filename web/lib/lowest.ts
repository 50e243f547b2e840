/**
 * Returns the lowest index for which `is` holds, or `count`. It must hold for all higher
 * indexes too.
 */
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
