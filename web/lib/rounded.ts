/** Enough extra digits to distinguish a number halfway between two from its neighbours. */
const BEHIND = 25;
const MIDDLE = `5${'0'.repeat(BEHIND - 1)}`;

/** Rounds to a number of decimals, halves to even, as Go does. */
export function rounded(value: number, decimals: number): number {
  const digits = value.toFixed(decimals + BEHIND);
  const down = digits.slice(0, -BEHIND);
  const even = digits.endsWith(MIDDLE) && /[02468]\.?$/.test(down);
  return Number(even ? down : value.toFixed(decimals)) || 0; // no −0
}
