/** A number as somebody types it, with a comma or a point before its decimals; NaN where it is none. */
export function typedNumber(text: string): number {
  const plain = text.trim().replace(',', '.');
  return plain ? Number(plain) : NaN;
}
