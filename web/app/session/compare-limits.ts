// What a method compared is given that differs from the settings in use.

import type { Embedder, Hello, Method } from '../../lib/api.ts';
import type { Limits, Settings } from '../../lib/cut.ts';
import { isHosted } from './choices.ts';

/** What is in use, and what lengths are counted in. */
export type Given = Required<Limits> & { unit: string };

/** The embedder that is another one for each language. */
const AUTO = 'auto';

/** Those that send nothing, each by itself. */
export const embeddersHere = ({ embedders }: Hello): Embedder[] =>
  embedders.filter(({ name }) => name !== AUTO && !isHosted(name));

/** A minimum that the maximum leaves no room for is left out. */
export function withLimits(
  settings: Settings,
  { maxTokens, overlap, embedder }: Limits,
  { takesOverlap }: Method,
): Settings {
  const { minTokens = 0, ...rest } = settings;
  const most = maxTokens ?? settings.maxTokens ?? 0;
  return {
    ...rest,
    ...(minTokens > 0 && (most === 0 || minTokens < most) && { minTokens }),
    ...(maxTokens !== undefined && { maxTokens }),
    ...(overlap !== undefined && takesOverlap && { overlap }),
    ...(embedder && { embedder }),
  };
}

/** Behind the number of a method, for the next visit: a comma before each. */
export function remembering({ maxTokens, overlap, embedder = '' }: Limits): string {
  return `,${maxTokens ?? ''},${overlap ?? ''},${encodeURIComponent(embedder)}`.replace(/,+$/, '');
}

/** What was remembered, without what cannot be. */
export function limitsOf([most = '', over = '', embedder = '']: readonly string[]): Limits {
  const whole = (part: string) => (/^\d{1,9}$/.test(part) ? Number(part) : undefined);
  const [maxTokens, overlap] = [whole(most), whole(over)];
  const name = decoded(embedder);
  return {
    ...(maxTokens !== undefined && { maxTokens }),
    ...(overlap !== undefined && { overlap }),
    ...(name && { embedder: name }),
  };
}

function decoded(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    return '';
  }
}
