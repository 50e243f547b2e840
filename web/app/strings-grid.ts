// The words of the grid: many settings compared by a document's questions. They come with
// a bundle of their own.

import type { SearchMode } from '../lib/api.ts';
import { language, words } from './language.ts';
import { count, number, unitWords } from './strings.ts';

const percent = new Intl.NumberFormat(language, { style: 'percent', maximumFractionDigits: 1 });
const share = (value: number): string => percent.format(value);

/** By what a search ranks. */
const modes: Record<SearchMode, string> = { hybrid: 'words and similarity', dense: 'similarity', keyword: 'words' };

export const grid = words('grid', {
  title: 'Which setting finds the answers?',
  intro: (questions: number) => `Each method cuts the document in each size, and a search looks for ${questions === 1 ? 'the answer of its question' : `the answers of its ${number.format(questions)} questions`}. Nothing is sent, and what is shown stays as it is.`,
  none: 'There is no question yet whose answer stands in this text. Select what answers one, press Q and type it, or add a file of questions under Compare. Ten or more tell settings apart.',
  sample: (n: number) => `Take ${number.format(n)} questions about the sample`,
  few: 'So few questions tell only large differences.',
  methods: 'Methods',
  sizes: (unit: string) => `Largest chunk, in ${unitWords(unit)[1]}`,
  sizesHint: 'Several with commas; 0 is what the method has by itself.',
  overlap: 'Overlap',
  embedders: 'Embeddings',
  modes: 'Search by',
  mode: modes,
  depths: 'First chunks that are judged',
  tokens: (unit: string) => `Room for passages, in ${unitWords(unit)[1]}`,
  tokensHint: 'As many of the best chunks are judged as fit, so that long ones have no advantage. The first number orders the settings.',
  settings: (n: number) => count(n, 'setting'),
  tooMany: (n: number, most: number) => `${number.format(n)} settings are too many at once; ${number.format(most)} are the most.`,
  badList: (label: string) => `${label}: type whole numbers with commas between them.`,
  badOverlap: 'The overlap has to be smaller than the smallest chunk.',
  nothing: 'Choose at least one method, one way to search and one kind of embeddings.',
  noBudget: 'Type how many of the first chunks are judged, or how many tokens.',
  run: 'Run',
  stop: 'Stop',
  close: 'Close',
  progress: (done: number, of: number, name: string) => `Setting ${number.format(done + 1)} of ${number.format(of)}: ${name}`,
  stopped: (done: number, of: number) => `Stopped after ${number.format(done)} of ${number.format(of)}. Run goes on from there.`,
  changed: 'The document has changed meanwhile. Run measures it anew.',
  failed: (name: string, why: string) => `${name}: ${why}`,
  /** What all settings have in common is left out. */
  setting: (method: string, size: number, unit: string, embedder: string, mode: SearchMode | null) =>
    [method, size > 0 ? `up to ${count(size, ...unitWords(unit))}` : '', mode ? modes[mode] : '', embedder].filter(Boolean).join(' · '),
  best: (name: string, goal: string, value: number) => `Best: ${name}, with ${share(value)} of the answers ${goal}.`,
  inTokens: (n: number, unit: string) => `in ${count(n, ...unitWords(unit))}`,
  among: (k: number) => (k === 1 ? 'in the first chunk' : `in the first ${number.format(k)} chunks`),
  ties: (n: number) => `${count(n, 'other setting')} cannot be told from it by these questions: take the one with fewer or shorter chunks, or ask more.`,
  halves: (unseen: number, seen: number) => `Chosen on one half of the questions and scored on the other it is ${share(unseen)}; the best of all looks like ${share(seen)}, as it was chosen by the same questions.`,
  table: 'Settings, the best first',
  columns: { setting: 'Setting', against: 'To the best', chunks: 'Chunks', median: 'Median', mrr: 'MRR', acts: 'Use or compare' },
  inTokensShort: (n: number, unit: string) => `In ${count(n, ...unitWords(unit))}`,
  recall: (k: number) => `Recall at ${number.format(k)}`,
  success: (k: number) => `Found at ${number.format(k)}`,
  isBest: 'best',
  tie: 'tie',
  share,
  points: (value: number) => number.format(Math.round(1000 * value) / 10),
  interval: (low: number, high: number) => `${number.format(Math.round(1000 * low) / 10)} to ${number.format(Math.round(1000 * high) / 10)}`,
  use: 'Use',
  useNamed: (name: string) => `Use ${name}`,
  used: (name: string) => `In use: ${name}`,
  compare: 'Compare',
  compareNamed: (name: string) => `Compare ${name} with what is in use`,
  plot: (goal: string, unit: string) => `Share of the answers ${goal}, by the median length of the chunks in ${unitWords(unit)[1]}`,
  plotSaid: (best: string) => `Share of the answers by the length of chunks; the best is ${best}. The table below has all figures.`,
  saveCsv: 'Save as CSV',
  saveJson: 'Save as JSON',
  saved: 'As seam eval grid prints it',
});
