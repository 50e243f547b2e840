// The methods by group, from ../../shared/chunk. The build inserts them.

declare const __GROUPS__: string;

/** The names of each group's methods, in display order. */
export const groups: Readonly<Record<'meaning' | 'structure' | 'size' | 'published', string[]>> =
  JSON.parse(__GROUPS__);
