// German: the use of each method, shown with its picture.

import type { Words } from '../words.ts';
import { goodFor } from '../german/engine.ts';

export const methods: Words['methods'] = {
  title: 'Was jedes Verfahren tut',
  legend: 'Jede Farbe ist ein Abschnitt. Die Zahlen sind die, mit denen die Verfahren beginnen.',
  good: 'Gut für:',
  vectors: 'Vergleicht Bedeutungen: braucht Embeddings',
  none: 'Braucht keine Embeddings',
  use: 'Verwenden',
  useNamed: (label) => `Verwenden: ${label}`,
  current: 'Gewählt',
  used: (label) => `Verfahren: ${label}`,
  close: 'Schließen',
  goodFor,
};
