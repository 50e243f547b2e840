// The words of the grid: many settings compared by a document's questions. They are part of
// its bundle.

import type { ScoreName, SearchMode } from '../../../lib/api.ts';
import { language, words } from '../language.ts';
import { count, number, unitWords } from './page.ts';

const percent = new Intl.NumberFormat(language, { style: 'percent', maximumFractionDigits: 1 });
const mean = new Intl.NumberFormat(language, { minimumFractionDigits: 2, maximumFractionDigits: 2 });
const share = (value: number): string => percent.format(value);

/** The basis of a ranking. */
const modes: Record<SearchMode, string> = { hybrid: 'words and similarity', dense: 'similarity', keyword: 'words' };

export const grid = words('grid', {
  title: 'Which setting finds the answers?',
  intro: (questions: number, judged: boolean) =>
    `Each method cuts the document in each size, and a search looks for ${questions === 1 ? 'the answer of its question' : `the answers of its ${number.format(questions)} questions`}. Nothing is sent${judged ? ' before you press Send' : ''}, and what is shown stays as it is.`,
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
  tokensHint:
    'As many of the best chunks are judged as fit, so that long ones have no advantage. The first number orders the settings.',
  settings: (n: number) => count(n, 'setting'),
  tooMany: (n: number, most: number) =>
    `${number.format(n)} settings are too many at once; ${number.format(most)} are the most.`,
  badList: (label: string) => `${label}: type whole numbers with commas between them.`,
  badOverlap: 'The overlap has to be smaller than the smallest chunk.',
  nothing: 'Choose at least one method, one way to search and one kind of embeddings.',
  noBudget: 'Type how many of the first chunks are judged, or how many tokens.',
  run: 'Run',
  stop: 'Stop',
  close: 'Close',
  progress: (done: number, of: number, name: string) =>
    `Setting ${number.format(done + 1)} of ${number.format(of)}: ${name}`,
  stopped: (done: number, of: number) =>
    `Stopped after ${number.format(done)} of ${number.format(of)}. Run goes on from there.`,
  changed: 'The document has changed meanwhile. Run measures it anew.',
  failed: (name: string, why: string) => `${name}: ${why}`,
  /** Parts that all settings share are omitted. */
  setting: (method: string, size: number, unit: string, embedder: string, mode: SearchMode | null) =>
    [method, size > 0 ? `up to ${count(size, ...unitWords(unit))}` : '', mode ? modes[mode] : '', embedder]
      .filter(Boolean)
      .join(' · '),
  best: (name: string, goal: string, value: number) => `Best: ${name}, with ${share(value)} of the answers ${goal}.`,
  /** `needed` of 0 means that the number is not known. */
  undecided: (questions: number, needed: number) =>
    `No difference can be told with ${count(questions, 'question')}${needed > 0 ? `; about ${number.format(needed)} would tell it` : ''}.`,
  /** Names one of several settings with the same value. */
  withEqual: (name: string, equal: number) => (equal > 0 ? `${name} and ${count(equal, 'other')}` : name),
  first: (name: string, goal: string, value: number) =>
    `Highest: ${name}, with ${share(value)} of the answers ${goal}.`,
  inTokens: (n: number, unit: string) => `in ${count(n, ...unitWords(unit))}`,
  among: (k: number) => (k === 1 ? 'in the first chunk' : `in the first ${number.format(k)} chunks`),
  ties: (n: number) =>
    `${count(n, 'other setting')} tied with it on these questions: choose the one with fewer or shorter chunks, or ask more questions.`,
  halves: (unseen: number, seen: number) =>
    `Chosen on one half of the questions and scored on the other it is ${share(unseen)}; the highest looks like ${share(seen)}, because the same questions chose it.`,
  table: 'Settings, the highest share first',
  columns: {
    setting: 'Setting',
    against: 'To the highest',
    chunks: 'Chunks',
    median: 'Median',
    mrr: 'MRR',
    acts: 'Use or compare',
  },
  inTokensShort: (n: number, unit: string) => `In ${count(n, ...unitWords(unit))}`,
  recall: (k: number) => `Recall at ${number.format(k)}`,
  success: (k: number) => `Found at ${number.format(k)}`,
  isBest: 'best',
  isFirst: 'highest',
  inUse: 'in use',
  tie: 'tie',
  share,
  mean: (value: number): string => mean.format(value),
  points: (value: number) => number.format(Math.round(1000 * value) / 10),
  interval: (low: number, high: number) =>
    `${number.format(Math.round(1000 * low) / 10)} to ${number.format(Math.round(1000 * high) / 10)}`,
  use: 'Use',
  useNamed: (name: string) => `Use ${name}`,
  used: (name: string) => `In use: ${name}`,
  compare: 'Compare',
  compareNamed: (name: string) => `Compare ${name} with what is in use`,
  plot: (goal: string, unit: string) =>
    `Share of the answers ${goal}, by the median length of the chunks in ${unitWords(unit)[1]}`,
  plotSaid: (first: string) =>
    `Share of the answers by the length of chunks; the highest is ${first}. The table below has all figures.`,
  saveCsv: 'Save as CSV',
  saveJson: 'Save as JSON',
  saved: 'As seam eval grid prints it',
});

/** A cost in dollars, with the significant digits only. */
function cost(dollars: number | null): string {
  if (dollars === null) return 'at a price that the proxy does not know';
  if (dollars === 0) return 'free of charge';
  return dollars < 0.0001
    ? 'for less than $0.0001'
    : `for about $${dollars >= 0.01 ? dollars.toFixed(2) : Number(dollars.toPrecision(1))}`;
}

const scoreNames: Record<ScoreName, string> = { faithfulness: 'Faithful', relevancy: 'Relevant' };

/** Answers by one model, judged by another. */
export const judged = words('judged', {
  legend: 'Answers',
  offer: 'Answers, judged by a model',
  about: (settings: number, questions: number, unanswerable: number, passages: number, times: number) =>
    `A model answers each question from the ${passages === 1 ? 'best chunk' : `${number.format(passages)} best chunks`} of each setting, and a model judges how far the known answer bears it out, and how far it answers the question.${
      settings * questions > 0
        ? ` At most ${count(settings * times * (3 * questions + unanswerable), 'request')}: ${count(settings, 'setting')} × ${count(questions, 'question')} × (an answer + two judgements)${unanswerable > 0 ? `, and an answer for each of ${number.format(unanswerable)} more` : ''}${times > 1 ? `, ${number.format(times)} times` : ''}. What they cost is told before anything is sent.`
        : ''
    }`,
  model: 'Model that answers',
  judge: 'Model that judges',
  times: 'Answers to each question',
  timesHint: 'Several tell how far a model agrees with itself.',
  unanswerable: 'Questions without an answer in the document',
  unanswerableHint: 'One a line, if you like: there a refusal is right.',
  noModel: (host: string) => `${host} has no model that answers questions.`,
  closed: (host: string) =>
    `${host} answers with its own prompt only, so that answers cannot be judged here. The command line can: seam eval grid --model.`,
  consentTitle: 'Nothing is sent yet',
  consent: (
    answers: number,
    judgements: number,
    tokens: number,
    dollars: number | null,
    model: string,
    judge: string,
    host: string,
  ) => {
    const asked = answers > 0 ? `${count(answers, 'question')} with ${answers === 1 ? 'its' : 'their'} passages` : '';
    const judging = judgements > 0 ? `${count(judgements, 'judgement')} of ${answers > 0 ? 'the ' : ''}answers` : '';
    const whom =
      model === judge || !asked || !judging
        ? `${[asked, judging].filter(Boolean).join(' and ')} to ${asked ? model : judge}`
        : `${asked} to ${model}, and ${judging} to ${judge}`;
    return `${count(answers + judgements, 'request')} will be sent through ${host}: ${whom}. That is about ${count(Number(tokens.toPrecision(2)), 'token')}, ${cost(dollars)}.`;
  },
  same: 'What several settings have found alike is sent once.',
  send: 'Send',
  sendRest: 'Send the rest',
  notNow: 'Not now',
  looking: 'Looks what is to be asked…',
  progress: (done: number, of: number) => `${number.format(done)} of ${count(of, 'answer')}`,
  kept: (done: number, of: number) =>
    `${number.format(done)} of ${count(of, 'answer')} ${done === 1 ? 'is' : 'are'} here and kept. Run asks only for the rest.`,
  stopped: 'Stopped.',
  flaws: ({ unscored, cut }: { unscored: number; cut: number }) =>
    [
      unscored > 0
        ? `${count(unscored, 'judgement')} ${unscored === 1 ? 'was no score and counts' : 'were no scores and count'} as 0.`
        : '',
      cut > 0 ? `${count(cut, 'answer')} ${cut === 1 ? 'was' : 'were'} cut off or could not be used.` : '',
    ]
      .filter(Boolean)
      .join(' '),
  best: (name: string, quality: number) =>
    `Best answers: ${name}, with ${share(quality)} for faithfulness and relevancy together.`,
  first: (name: string, quality: number) =>
    `Highest quality of answers: ${name}, with ${share(quality)} for faithfulness and relevancy together.`,
  ties: (n: number) => `${count(n, 'other setting')} tied with it on these answers.`,
  halves: (unseen: number, seen: number) =>
    `Chosen by the answers to one half of the questions and scored on the other it is ${share(unseen)}; the highest looks like ${share(seen)}.`,
  columns: {
    faithfulness: 'Faithful',
    relevancy: 'Relevant',
    against: 'To the highest quality',
    refused: 'Refused',
    rightly: 'Rightly refused',
    spread: 'Spread',
    cost: '1,000 answers',
    read: 'Tokens an answer',
  },
  money: (dollars: number): string =>
    `$${dollars >= 0.01 || dollars === 0 ? dollars.toFixed(2) : String(Number(dollars.toPrecision(1)))}`,
  of: (n: number, all: number) => `${number.format(n)} of ${number.format(all)}`,
  nth: (question: string, n: number) => `${question} (${number.format(n)})`,
  open: 'Answers',
  openNamed: (name: string) => `Answers of ${name}`,
  score: (name: ScoreName, value: number) => `${scoreNames[name]}: ${number.format(value)}`,
  refusedHere: 'Refused: counts as 0',
  refusedRightly: 'Refused, rightly: the document has no answer',
  answeredWrongly: 'Answered, though the document has no answer',
  empty: 'No answer came.',
  unread: (name: ScoreName, said: string) =>
    `${scoreNames[name]} counts as 0, because this is not a score: “${said.length > 80 ? `${said.slice(0, 80)}…` : said}”`,
  passages: (n: number) => count(n, 'passage'),
  noPassage: 'No passage was found: the question went alone.',
});
