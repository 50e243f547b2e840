/** Parses a typed number with a decimal comma or point; NaN if it is invalid. */
export function typedNumber(text: string): number {
  const plain = text.trim().replace(',', '.');
  return plain ? Number(plain) : NaN;
}
