// The methods in groups, as ../../shared/chunk has them: the build puts them in.

declare const __GROUPS__: string;

/** The names of the methods of each group, in the order to show them. */
export const groups: Readonly<Record<'meaning' | 'structure' | 'size' | 'published', string[]>> =
  JSON.parse(__GROUPS__);
