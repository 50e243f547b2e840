/** A message to the other tabs: one document was added, changed or removed, or all were deleted. */
export type News = { what: 'changed' | 'removed'; id: string } | { what: 'cleared' };
