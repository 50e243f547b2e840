// The words of a model's statements about a document. They are part of their bundle.

import { words } from '../language.ts';
import { count, number } from './page.ts';
import { forCost } from './hosted.ts';

export const statements = words('statements', {
  title: 'Written by a model',
  intro:
    'A language model takes each chunk apart into statements that can be understood by themselves, or writes a title for it. A search then finds the chunk by that, too, and shows the chunk: the text stays as it is.',
  have: (statements: number, titles: number, parts: number) =>
    parts === 0
      ? 'Nothing is written yet.'
      : `${[statements > 0 ? count(statements, 'statement') : '', titles > 0 ? count(titles, 'title') : ''].filter(Boolean).join(' and ')} of ${count(parts, 'part')} of the text.`,
  doubtful: (n: number) =>
    n === 0
      ? ''
      : `${count(n, 'statement')} ${n === 1 ? 'is' : 'are'} not borne out by the text, and ${n === 1 ? 'is' : 'are'} not searched.`,
  what: 'Write',
  kinds: { statements: 'statements of each chunk', titles: 'a title for each chunk' },
  model: 'Model',
  noModel: (host: string) => `${host} has no model that writes.`,
  closed: (host: string) =>
    `${host} answers with its own prompt only, so that nothing can be written here. The command line can: seam enrich.`,
  alone:
    'To have a model write, open this page at a proxy, or use the command line: seam enrich. What a bundle has of it is searched here.',
  looking: 'Looks what is to be asked…',
  offer: (requests: number, parts: number, tokens: number, dollars: number | null, model: string, host: string) =>
    `${parts === requests ? count(requests, 'chunk') : `${count(parts, 'chunk')} in ${count(requests, 'request')}`} will be sent to ${model} through ${host}: about ${count(Number(tokens.toPrecision(2)), 'token')}, ${forCost(dollars)}. Nothing is sent before.`,
  there: 'What the model has written in this visit is still here: nothing is sent.',
  takeBack: 'Take it back',
  complete: (titles: boolean): string => (titles ? 'Each chunk has its title.' : 'Each chunk has its statements.'),
  send: 'Send',
  sendRest: 'Send the rest',
  stop: 'Stop',
  close: 'Close',
  progress: (done: number, of: number) => `${number.format(done)} of ${count(of, 'chunk')}`,
  stopped: (left: number) =>
    left === 0 ? '' : `Stopped. What has come is kept; ${count(left, 'chunk')} ${left === 1 ? 'is' : 'are'} left.`,
  unusable: (n: number) => (n === 0 ? '' : `For ${count(n, 'chunk')}, the model’s answer was unusable twice:`),
  failed: (words: string, why: string) => `“${words}”: ${why}`,
  list: 'What is written, by the parts that it is of',
  part: (words: string) => `“${words}”`,
  show: (words: string) => `Show in the text: ${words}`,
  unborne: 'not borne out by the text',
  remove: 'Remove all',
  removed: (n: number) => `${count(n, 'statement or title', 'statements and titles')} removed.`,
  undo: 'Undo',
  more: (n: number) => `Show ${number.format(n)} more`,
});
