// The limits and embedder of a compared method that differ from the settings in use.

import type { Embedder, Hello, Method } from '../../lib/api.ts';
import type { Limits, Settings } from '../../lib/cut.ts';
import { isHosted } from './choices.ts';

/** The limits in use and the unit of lengths. */
export type Given = Required<Limits> & { unit: string };

/** The embedder that is chosen by the language. */
const AUTO = 'auto';

/** Returns the embedders that send nothing, without the automatic choice. */
export const embeddersHere = ({ embedders }: Hello): Embedder[] =>
  embedders.filter(({ name }) => name !== AUTO && !isHosted(name));

/** Applies limits to settings. Drops a minimum that is not below the maximum. */
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

/**
 * Encodes the limits for the next visit, to append to the method's number: each begins with
 * a comma.
 */
export function remembering({ maxTokens, overlap, embedder = '' }: Limits): string {
  return `,${maxTokens ?? ''},${overlap ?? ''},${encodeURIComponent(embedder)}`.replace(/,+$/, '');
}

/** Decodes remembered limits, without invalid ones. */
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
