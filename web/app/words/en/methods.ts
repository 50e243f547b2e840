// The words of the methods' pictures, and the use of each method. A separate bundle: see
// methods/methods-view.ts.

import { words } from '../language.ts';

/** The use of each method by its name. The build takes it from ../../../../shared/chunk. */
declare const __GOOD__: string;

export const methods = words('methods', {
  title: 'What each method does',
  legend: 'Each colour is a chunk. The numbers are those that the methods begin with.',
  good: 'Good for:',
  vectors: 'Compares meanings: needs embeddings',
  none: 'Needs no embeddings',
  use: 'Use this',
  useNamed: (label: string) => `Use this: ${label}`,
  current: 'In use',
  used: (label: string) => `Method: ${label}`,
  close: 'Close',
  goodFor: JSON.parse(__GOOD__) as Record<string, string>,
});
