// The words of the table of answers by document. They are part of its bundle.

import { words } from '../language.ts';
import { forCost } from './hosted.ts';
import { count, number } from './page.ts';

export const each = words('each', {
  title: 'Ask each document by itself',
  intro: (documents: number, apart: number) =>
    `Each question is asked of each of ${count(documents, 'document')}, from passages of that document alone.${apart > 0 ? ` ${count(apart, 'document')} of the list could not be read and ${apart === 1 ? 'is' : 'are'} left out.` : ''}`,
  none: 'Open documents first.',
  questions: 'Questions, one in each line',
  questionsHint: 'Each question is a column of the table.',
  byWords: 'Passages are found by words alone, because the question would have to be sent to find them by similarity.',
  model: (model: string, host: string) => `${model} through ${host} answers.`,
  look: 'Find passages',
  looking: (done: number, all: number) => `Passages of ${number.format(done)} of ${count(all, 'cell')} found`,
  empty: 'Write a question.',
  tooMany: (cells: number, most: number) =>
    `${number.format(cells)} cells are too many: at most ${number.format(most)}. Choose fewer documents or questions.`,
  offer: (requests: number, cells: number, tokens: number, dollars: number | null, model: string, host: string) =>
    `${count(requests, 'request')} for ${count(cells, 'cell')}, each with its question and passages, about ${count(Number(tokens.toPrecision(2)), 'token')} in all, will be sent to ${model} through ${host}, ${forCost(dollars)}.`,
  named: 'A line above each passage names its document or file, section, page and date.',
  unnamed: 'The line that says where a passage comes from is left out; names inside a passage stay.',
  around: 'Text of the same section next to a passage may go with it.',
  known: (cells: number) =>
    cells === 0
      ? ''
      : `${count(cells, 'cell')} ${cells === 1 ? 'was' : 'were'} answered before, and nothing is sent for ${cells === 1 ? 'it' : 'them'}.`,
  nothing: (cells: number) =>
    cells === 0 ? '' : `For ${count(cells, 'cell')} no passage has anything of the question, and nothing is sent.`,
  send: 'Send',
  rest: 'Send the rest',
  left: (n: number) => `${count(n, 'request')} ${n === 1 ? 'is' : 'are'} left`,
  notNow: 'Not now',
  stop: 'Stop',
  close: 'Close',
  progress: (done: number, all: number) => `${number.format(done)} of ${count(all, 'request')} answered`,
  stopped: (left: number) =>
    left === 0
      ? ''
      : `Stopped. The answers that came stay; ${count(left, 'request')} ${left === 1 ? 'is' : 'are'} left.`,
  done: (answered: number, absent: number, failed: number) =>
    [
      `${count(answered, 'cell')} answered`,
      `${number.format(absent)} not in the document’s passages`,
      failed > 0 ? `${number.format(failed)} failed` : '',
    ]
      .filter(Boolean)
      .join(' · '),
  table: 'Answers by document',
  document: 'Document',
  open: '…',
  absent: 'Not in it',
  unsent: 'Not in it (nothing sent)',
  failed: (why: string) => `Error: ${why}`,
  cutOff: { length: ' (cut off: the answer is too long)', filter: ' (cut off by the provider’s filter)' } as Record<
    string,
    string
  >,
  evidence: (n: number) => `Evidence (${number.format(n)})`,
  sent: (n: number) => `Sent, none cited (${number.format(n)})`,
  column: (question: string) => `evidence: ${question}`,
  save: 'Save as CSV',
  file: 'answers',
});
