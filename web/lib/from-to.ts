/** Returns the first and the last item as text, such as "3–5", or the only one. */
export function fromTo(all: readonly (string | number)[]): string {
  const first = String(all[0] ?? '');
  const last = String(all.at(-1) ?? '');
  return first === last ? first : `${first}–${last}`;
}
