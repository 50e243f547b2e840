// The words of the pictures of the methods, and what each method is good for. A bundle of its
// own: see methods/methods-view.ts.

import { words } from '../language.ts';

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
  goodFor: {
    semantic:
      'articles, reports and talks in which one topic follows another, with headings or without. The one to begin with.',
    percentile: 'a text of which a fixed share of all gaps is to be cut, however large or small its changes are.',
    stddev: 'the few changes that stand out far from all others. An even text stays whole.',
    iqr: 'the same, where a few very large changes are not to hide the others.',
    gradient:
      'texts of one field, such as law or medicine, whose distances are alike: the rise counts and not the height.',
    cluster: 'chunks of which each becomes one vector: their sentences belong together.',
    sections: 'manuals, laws and documentation, whose headings can be trusted.',
    page: 'slides and forms, and answers that have to name a page.',
    sentences: 'a very fine search; with a minimum, small groups of sentences.',
    recursive: 'any text in any language, at once and without a model. What most programs do.',
    fixed: 'a baseline: what any other method has to beat.',
    'notebook-percentile': 'seeing what the published notebook does: at 90 it cuts nearly everywhere.',
    'notebook-stddev': 'a comparison with the notebook where it cuts at what is unusually unlike.',
    'notebook-iqr': 'a comparison with the notebook where it cuts at outliers alone, of which there may be none.',
  } as Record<string, string>,
});
