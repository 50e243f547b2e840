/** To the other tabs: a document has come, has changed or has gone; or all have. */
export type News = { what: 'changed' | 'removed'; id: string } | { what: 'cleared' };
