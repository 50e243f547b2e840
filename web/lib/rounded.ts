/** Digits behind those that are kept that tell a number in the middle from one beside it. */
const BEHIND = 25;
const MIDDLE = `5${'0'.repeat(BEHIND - 1)}`;

/** The nearest number of so many decimals, of two that are as near the even one: as Go rounds. */
export function rounded(value: number, decimals: number): number {
  const digits = value.toFixed(decimals + BEHIND);
  const down = digits.slice(0, -BEHIND);
  const even = digits.endsWith(MIDDLE) && /[02468]\.?$/.test(down);
  return Number(even ? down : value.toFixed(decimals)) || 0; // no −0
}
