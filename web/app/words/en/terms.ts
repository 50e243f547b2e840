// Explanations of terms that the page cannot avoid: a name and a few plain sentences each.
// terms.ts says where each is used.

import { words } from '../language.ts';

export interface Explained {
  name: string;
  text: string;
}

export const terms = words('terms', {
  /** The label of the button that explains, for screen readers. */
  ask: (name: string) => `Explain: ${name}`,
  tokens: {
    name: 'Tokens',
    text: 'Pieces of words that a model reads. Long and rare words are made of several. Each model has its own pieces, so the same text has other numbers in another model. Estimated tokens are for an embedder without pieces of its own: words in Latin letters, and in other scripts about as many as cl100k of GPT-4 would have.',
  },
  overlap: {
    name: 'Overlap',
    text: 'How much of the end of a chunk is said again at the beginning of the next, so that what stands at the boundary is whole in one of the two.',
  },
  embedder: {
    name: 'Embeddings',
    text: 'An embedding is the meaning of a sentence as a row of numbers. Sentences that say something similar have numbers that are close. The model chosen here makes them.',
  },
  setting: {
    name: 'The number of a method',
    text: 'What this method goes by when it decides how large a change between sentences has to be. The slider above sets the same number: pull it and watch the chunks.',
  },
  percentile: {
    name: 'Percentile',
    text: 'Put all distances in order, smallest first. The 95th percentile is the value that 95 of 100 are below, so that a cut is made at the highest 5 of 100.',
  },
  deviation: {
    name: 'Standard deviations',
    text: 'How far distances usually are from their mean. At 2, a distance has to be twice as far above the mean as usual to make a cut.',
  },
  quartiles: {
    name: 'Interquartile range',
    text: 'The span that the middle half of all distances lies in. At 1.5, a distance has to be one and a half such spans above the mean to make a cut.',
  },
  coarseness: {
    name: 'Coarseness',
    text: 'How broad a topic is to be. More of it makes fewer, longer chunks; less of it makes more, shorter ones. The method begins at 1.',
  },
  distance: {
    name: 'Distance',
    text: 'How little a sentence has to do with the one before it: 0 for the same meaning, 1 and more for nothing in common. Where a bar is above the line, the text is cut. At a dashed bar it is cut because a chunk would pass the maximum; a zigzag is such a cut where nothing begins.',
  },
  similarity: {
    name: 'Similarity',
    text: 'How much a sentence has to do with the one before it: 1 for the same meaning, 0 for nothing in common. Where a bar is below the line, the text is cut.',
  },
  gradient: {
    name: 'Change of distance',
    text: 'How fast the distance grows from one gap to the next. A steep rise is a change of subject, even where the distance itself is small.',
  },
  strength: {
    name: 'Strength',
    text: 'Up to which coarseness a boundary between two topics stays. Small ones part details, large ones part subjects. Where a bar is above the line, the text is cut. At a dashed bar it is cut because a chunk would pass the maximum; a zigzag is such a cut where nothing begins.',
  },
  boundaries: {
    name: 'Boundaries',
    text: 'This method compares no neighbours, so there is no curve. The table has each boundary, with the sentences on both sides of it.',
  },
  pk: {
    name: 'Pk',
    text: 'How often two sentences that lie half a chunk apart are together in one method and apart in the other. 0: they cut alike. About 0.5: they have as little in common as chance.',
  },
  reason: {
    name: 'Why a chunk ends',
    text: 'The end of a card’s first line. “topic 4.8”: a topic begins, at a boundary of strength 4.8. “distance 0.98, line at 0.95”: the next sentence is that different. “heading”, “page”, “paragraph”: one begins there. “needed for the maximum”: the line is above, but the chunk would be too long. “maximum”: the chunk was full. “chunk 1 of 3 on one topic”: one was too short for it.',
  },
});

export type Term = Exclude<keyof typeof terms, 'ask'>;
