// The words about hosted models, which are part of their bundle.

import type { Preview } from '../../../lib/api.ts';
import type { SeamError } from '../../../lib/seam-error.ts';
import { words } from '../language.ts';
import { count, explain, number } from './page.ts';

/** A price or a cost, with the significant digits only. */
function money(dollars: number): string {
  if (dollars > 0 && dollars < 0.0001) return 'less than $0.0001';
  return `$${dollars >= 0.01 || dollars === 0 ? dollars.toFixed(2) : Number(dollars.toPrecision(1))}`;
}

function about(n: number, one: string): string {
  return `about ${count(Number(n.toPrecision(2)), one)}`;
}

/** An estimated cost. */
function cost(dollars: number): string {
  return dollars === 0 ? 'free of charge' : dollars < 0.0001 ? money(dollars) : `about ${money(dollars)}`;
}

export function forCost(dollars: number | null): string {
  if (dollars === null) return 'at a price that the proxy does not know';
  return dollars === 0 ? cost(dollars) : `for ${cost(dollars)}`;
}

const earlier = (turns: number): string =>
  turns === 1
    ? 'the question before with its answer'
    : `the ${number.format(turns)} questions before with their answers`;

/** The amount that a question sends. */
export interface Consented {
  /** How many passages are sent, of how many found. */
  passages: number;
  of: number;
  /** Earlier questions sent with it. */
  turns: number;
  tokens: number;
  dollars: number | null;
  model: string;
  host: string;
}

/** The amount that a question about all of a document or section sends. */
export interface Whole {
  title: string;
  chunks: number;
  /** Requests for parts, and those not answered before. */
  parts: number;
  open: number;
  tokens: number;
  dollars: number | null;
  model: string;
  host: string;
}

export const hosted = words('hosted', {
  model: (label: string, price: number | null) =>
    `${label} · ${price === null ? 'price unknown' : price === 0 ? 'free' : `${money(price)} / 1M tokens`}`,
  help: (host: string) =>
    `Once you press Send, the sentences of a document go through ${host} to the provider of the model; the file stays here.`,
  connecting: (host: string) => `Connecting to ${host}…`,
  choose: (embedders: number, host: string) =>
    embedders > 0
      ? `Connected; nothing was sent. Choose one of the ${count(embedders, 'model')} of ${host} above.`
      : `Connected; nothing was sent. ${host} has no model for embeddings.`,
  nothingYet: 'Nothing is sent yet',
  preview: ({ texts, missing, tokens, calls, dollars }: Preview, name: string, model: string, host: string) =>
    `${missing < texts ? `${number.format(missing)} of ${count(texts, 'sentence')}` : count(texts, 'sentence')} of ${name}, ${about(tokens, 'token')} in ${count(calls, 'call')}, will be sent to ${model} through ${host}, ${forCost(dollars)}. So will be what you then search for by similarity.`,
  prefixes: (passage: string, query: string) =>
    [passage && `“${passage.trim()}” goes before each sentence.`, query && `“${query.trim()}” goes before each search.`]
      .filter(Boolean)
      .join(' '),
  nothingMissing: 'All of its vectors are here: nothing more of this document is sent.',
  kept: (n: number) => (n === 0 ? '' : `${count(n, 'sentence')} came and ${n === 1 ? 'is' : 'are'} kept.`),
  storedVectors: (vectors: number, bytes: number) =>
    `${count(vectors, 'vector')} of hosted models (${count(Math.max(1, Math.round(bytes / 1e6)), 'MB', 'MB')}) kept in this browser, so that nothing is paid twice. No text is among them.`,
  clearVectors: 'Forget them',
  send: 'Send',
  sendRest: 'Send the rest',
  notNow: 'Not now',
  always: 'Do not ask again until this page is closed',
  stop: 'Stop',
  stopped: 'Stopped',
  retry: 'Try again',
  /** Leaves out the advice that the button beside it gives. */
  withoutRetry: (text: string) => text.replace(/(?:^| )Try again(?: later)?\.$/, ''),
  sendingTo: (host: string) => `Sending to ${host}`,
  sentOf: (done: number, total: number) => `${number.format(done)} of ${count(total, 'sentence')}`,
  progressLabel: 'Progress of sending',
  unsent: 'The chunks are as they were.',
  noDocument: 'Open a document first; then ask about it.',
  near: {
    asks: (host: string) =>
      `${host} is on this machine or its network: your browser will ask whether this page may reach it.`,
    blocked: (host: string) => `Your browser keeps this page from ${host}, which is on this machine or its network`,
    blockedHint: (proxy: string) =>
      `Allow it in the browser’s settings of this site (left of its address), then connect again; or open ${proxy} itself.`,
  },
  collection: {
    label: (name: string, host: string) => (name ? `${name}, at ${host}` : `the collection at ${host}`),
    hint: (host: string) =>
      `What you search for is sent to ${host} when you press Enter; nothing of your documents is.`,
    none: (host: string) => `${host} has no collection for this page.`,
  },
  ask: {
    apart: (host: string) =>
      `A hosted model can answer questions from passages of your documents. To see which models there are, connect to ${host}: nothing of your documents is sent by that. Without a model you see the passages that fit a question best.`,
    connect: (host: string) => `Connect to ${host}`,
    away: (why: string) => `${why}: until it does, passages are found and nothing is answered.`,
    onlyIn: (names: readonly string[], part: { kind: 'tag' | 'folder'; name: string } | null) =>
      `The passages come only from ${part ? { tag: `documents with the tag “${part.name}”`, folder: `documents in ${part.name}` }[part.kind] : names.length === 1 ? (names[0] ?? '') : `the ${number.format(names.length)} chosen documents`}.`,
    notIn: (collection: string) => `The passages come from your documents, not from ${collection}.`,
    label: 'Question',
    followUp: 'Next question of this thread',
    placeholder: 'Ask your documents',
    placeholderNext: 'Ask on',
    earlier: 'Earlier in this thread',
    begin: 'New thread',
    beginTitle: 'Forget this thread: the next question goes alone',
    begun: 'A new thread: the next question goes alone.',
    send: 'Ask',
    find: 'Find passages',
    found: (n: number) =>
      n === 0
        ? 'No passage has anything of this question. Nothing was sent.'
        : `${n === 1 ? 'The passage that fits' : `The ${count(n, 'passage')} that fit`} best. No model has read ${n === 1 ? 'it' : 'them'}; nothing was sent.`,
    model: 'Model',
    start: 'Enter asks',
    noModel: (host: string) => `${host} has no model that answers questions: the passages that fit one best are shown.`,
    looking: 'Looking for passages…',
    answering: (model: string) => `${model} answers…`,
    thinking: (seconds: number) => `Thinking… ${number.format(seconds)} s`,
    reasoning: 'Reasoning',
    silent: (host: string, seconds: number) =>
      `Nothing has come from ${host} for ${number.format(seconds)} s. A model on your own machine may have to be loaded first. It is waited for, and asked again where the connection is lost; Stop ends it.`,
    consent: ({ passages, of, turns, tokens, dollars, model, host }: Consented) =>
      `Your question${turns > 0 ? `, ${earlier(turns)}` : ''} and ${passages < of ? `${number.format(passages)} of the ${count(of, 'passage')}` : `the ${count(passages, 'passage')}`} that fit it best, ${about(tokens, 'token')}, will be sent to ${model} through ${host}, ${forCost(dollars)}${dollars === null ? '' : ' a question'}.`,
    laterUnseen: 'Further questions are sent without asking again, each with the thread before it.',
    laterSeen:
      'You see the passages of each further question before they are sent, too. The thread before it goes with it.',
    unseen: 'You cannot see the passages before: to find them, the question itself is sent.',
    noneLeft: 'All passages are taken out, so nothing can be sent. Put one back, or choose “Not now”.',
    seesFirst: 'Show the passages before each question is sent',
    sendsNames: 'Send where each passage comes from: document, section, page, date',
    named: 'A line above each passage names its document or file, section, page and date.',
    unnamed: 'The line that says where a passage comes from is left out; names inside a passage stay.',
    begins: 'Begins with: ',
    around: 'Text of the same section next to a passage may go with it.',
    wide: 'With text next to it',
    takeOut: 'Take out',
    takeOutOf: (n: number, where: string) => `Take out passage ${n}: ${where}`,
    putBack: 'Put back',
    putBackOf: (n: number, where: string) => `Put back passage ${n}: ${where}`,
    out: 'Not sent:',
    shortened: (sent: number, all: number) =>
      `Only its first ${number.format(sent)} of ${count(all, 'character')} are sent: the whole is too long for one question.`,
    passagesOf: (n: number) => `Passages (${number.format(n)})`,
    readOf: (n: number) => `Passages without an answer (${number.format(n)})`,
    goes: (turns: number, dropped: number, history: number, tokens: number, dollars: number | null) =>
      [
        turns > 0 ? `Sent with it: ${earlier(turns)}, ${about(history, 'token')}.` : '',
        dropped > 0
          ? `Left out: the ${count(dropped, 'oldest question', 'oldest questions')}, as a thread may be only so long.`
          : '',
        `In all ${about(tokens, 'token')}${dollars === null ? '' : `, ${cost(dollars)}`}.`,
      ]
        .filter(Boolean)
        .join(' '),
    alone: (host: string) => `${host} takes no thread: the next question is sent alone.`,
    /** `lists` is not known of an earlier turn. */
    refused: (passages: number, lists?: number): string => {
      if (passages > 0) return 'Not in these passages';
      if (lists === undefined) return 'Nothing was sent';
      return lists > 0 ? 'Only in lists of your documents' : 'Not in your documents';
    },
    refusedHint: (passages: number, lists: number): string =>
      passages > 0
        ? 'The model found no answer in the passages below. Other words may find others; or your documents do not say.'
        : lists > 0
          ? 'No passage outside lists of references and contents has anything of this question. Nothing was sent.'
          : 'No passage has anything of this question. Nothing was sent. Other words may find some.',
    lists: (n: number) =>
      `${count(n, 'passage')} of lists of references or contents ${n === 1 ? 'is' : 'are'} left out: ask for the references or the contents to have ${n === 1 ? 'it' : 'them'} sent.`,
    finish: {
      length: 'The answer was cut off: it reached the longest that is allowed.',
      filter: 'The provider’s filter ended the answer.',
    } as Record<string, string>,
    table: 'Table',
    passages: 'Passages',
    passage: (n: number, where: string) => `Passage ${n}: ${where}`,
    hit: (n: number, where: string) => `[${n}] ${where}`,
    takeApart: 'Find passages for each part of a question',
    takeApartHint:
      'For questions that ask for several things: the model names the parts, and each part brings passages. One more request a question.',
    twice: 'Before that the question goes alone, to be taken apart.',
    lookedFor: (parts: readonly string[]) =>
      `Passages were looked for with ${parts.map((part) => `“${part}”`).join(', ')}.`,
    searched: (query: string) => `Passages were looked for with “${query}”.`,
    searchAlone: 'Ask again, and search for this question alone',
    sent: (
      passages: number,
      turns: number,
      model: string,
      host: string,
      used?: { tokens: number; tokensOut: number; estimated: boolean; dollars: number | null },
    ) =>
      [
        `Sent to ${model} through ${host}: the question${turns > 0 ? `, ${earlier(turns)}` : ''} and ${count(passages, 'passage')}`,
        used
          ? `${used.estimated ? about(used.tokens, 'token') : count(used.tokens, 'token')} read, ${number.format(used.tokensOut)} written`
          : '',
        used && used.dollars !== null ? cost(used.dollars) : '',
      ]
        .filter(Boolean)
        .join(' · '),
    cut: ({ read, whole, context }: { read: number; whole: number; context: number }) =>
      `The model read ${number.format(read)} of ${about(whole, 'token')}${context > 0 ? `; its context is ${number.format(context)}` : ''}.`,
    cutHint: (refused: boolean): string =>
      refused
        ? 'It found no answer in the part that it read. A larger context holds more passages: set it where the model runs.'
        : 'Its answer rests on a part of the passages and is not shown. A larger context holds more: set it where the model runs.',
    warms: (word: string) => `Load the model while a question is typed: the word “${word}” is sent to it`,
    loading: (model: string, seconds: number) => `${model} is being loaded, or reads… ${number.format(seconds)} s`,
    empty: 'The model’s answer is empty.',
    rangeGone: 'The document was cut again: choose again below the question.',
    answersTooLong: 'The answers of the parts are too long to be read together: choose a section.',
    reads: 'Read',
    best: 'the best passages',
    wholeDocument: (name: string, chunks: number) => `all of ${name} (${count(chunks, 'chunk')})`,
    wholeSection: (title: string, chunks: number) => `section “${title}” (${count(chunks, 'chunk')})`,
    part: (n: number, of: number) =>
      of === 1 ? 'Waiting for the answer…' : `Part ${number.format(n)} of ${number.format(of)}…`,
    whole: ({ title, chunks, parts, open, tokens, dollars, model, host }: Whole) =>
      open === 0
        ? `All of “${title}” was sent before: ${parts === 1 ? 'its answer is shown, and nothing is sent' : `at least one request over the answers of its ${number.format(parts)} parts goes to ${model} through ${host}, unless that was answered, too`}.`
        : `${open === parts ? `All of “${title}”, ${count(chunks, 'chunk')},` : `${count(chunks, 'chunk')} of “${title}”,`} ${about(tokens, 'token')}, will be sent to ${model} through ${host}, ${forCost(dollars)}: ${
            parts === 1
              ? 'one request'
              : `${count(open, 'request')} for the parts, each chunk once, then at least one over the answers of the parts`
          }.`,
    partsKnown: (n: number) =>
      `${count(n, 'part')} ${n === 1 ? 'was' : 'were'} answered before, and nothing is sent for ${n === 1 ? 'it' : 'them'}.`,
    partly: (n: number) =>
      `${count(n, 'chunk')} ${n === 1 ? 'is' : 'are'} too long for one request: only the beginning is sent.`,
    sentBefore: 'Nothing was sent: the model answered this before.',
    noThread: 'The thread before it does not go with it.',
    inRequests: (n: number) => (n === 1 ? 'In one request' : `In ${count(n, 'request')}`),
    each: 'Ask each document by itself…',
    eachTitle: 'A table: a row for each document, a column for each question',
    cutAgain: 'Ask with fewer passages',
    cutShow: 'Show the answer',
    fewer: (sent: number, found: number, context: number) =>
      `${found === sent + 1 ? `Passage ${found} was` : `Passages ${sent + 1} to ${found} were`} not sent: ${context > 0 ? `the model’s context, about ${number.format(context)} tokens,` : 'one request'} holds no more`,
    copy: 'Copy with sources',
    copyTitle: 'Copy the question, the answer and the passages that it names',
    copied: 'Copied',
    copyFailed: 'Not allowed here',
    invented: (n: number) =>
      n === 0 ? '' : `${count(n, 'number')} that named no passage ${n === 1 ? 'was' : 'were'} left out.`,
    prompt: {
      title: 'Prompt: what the model reads',
      own: 'your own',
      system: 'What the system says',
      added: 'Added to it',
      user: 'The question, with its passages',
      roles: { user: 'Question', assistant: 'Answer', system: 'System' } as Record<string, string>,
      open: 'You may change it: it is kept in this browser, and goes with each question.',
      closed: (host: string) =>
        `${host} answers with its own prompt only, so that nobody uses its account for something else.`,
      untold: (host: string) => `${host} does not tell its prompt.`,
      reset: 'Reset',
      start: 'Type a question to see the passages that go with it. Nothing is sent for that.',
      nextPart: (passages: number) =>
        `As the first of several requests will be sent: ${count(passages, 'passage')}. Nothing is sent yet.`,
      next: (passages: number) => `As it will be sent: ${count(passages, 'passage')}. Nothing is sent yet.`,
      byWords: (passages: number) =>
        `As it will be sent, but for the passages: these ${number.format(passages)} were found by words alone, because the question itself would have to be sent to find them by similarity.`,
      last: 'As it was sent with the last question.',
    },
    answered: (passages: number) => `Answer ready, from ${count(passages, 'passage')}`,
  },
});

/** For errors without words from the engine. */
export const hostedTroubles: Partial<Record<string, { message: string; hint: string }>> = words('hostedTroubles', {
  offline: {
    message: 'The proxy cannot be reached.',
    hint: 'Check the connection; everything else works without it.',
  },
  refused: {
    message: 'The proxy refused the request.',
    hint: 'Choose another model, or tell the operator of the proxy.',
  },
  budget: {
    message: 'The budget of the proxy is spent.',
    hint: 'Ask the operator of the proxy for more, or wait until the budget is renewed.',
  },
  busy: { message: 'The proxy or the model has too much to do.', hint: 'Wait a moment before the next attempt.' },
  upstream: {
    message: 'The provider of the model did not answer properly.',
    hint: 'If it goes on, choose another model.',
  },
});

/** Explains an error of hosted models, as `explain` does for others. */
export function explainHosted(error: SeamError): { message: string; hint: string } {
  if (error.cancelled) return { message: `${hosted.stopped}.`, hint: '' };
  const own = explain(error);
  const known = hostedTroubles[error.code];
  if (own.message.includes('#token=')) return own; // it says what to do
  return { message: own.message || known?.message || '', hint: own.hint || known?.hint || '' };
}
