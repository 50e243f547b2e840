// The visible and spoken words of the page. Those about hosted models are in
// words/en/hosted.ts.

import type { CurveKind, ErrorCode, Hello, Progress, View } from '../../../lib/api.ts';
import { ESTIMATED } from '../../../lib/cut.ts';
import { fromTo } from '../../../lib/from-to.ts';
import { groups } from '../../../lib/method-groups.ts';
import type { LeftOut } from '../../../lib/named-blob.ts';
import type { PolicyState } from '../../../lib/place.ts';
import type { PageCode, SeamError } from '../../../lib/seam-error.ts';
import { language, words } from '../language.ts';

export const number = new Intl.NumberFormat(language, { maximumFractionDigits: 2 });

export function count(n: number, one: string, many = `${one}s`): string {
  return `${number.format(n)}\u00a0${n === 1 ? one : many}`; // a number does not wrap apart from its noun
}

/** A file size in whole megabytes, at least one. */
function megabytes(bytes: number): string {
  return count(Math.max(1, Math.round(bytes / 2 ** 20)), 'MB', 'MB');
}

/** A value on the curve. */
export function value(v: number): string {
  return v.toFixed(2);
}

/** The words for a unit of lengths, by its name. */
export const unitWords = (unit: string): [one: string, many: string] =>
  unit === 'words'
    ? ['word', 'words']
    : unit === 'chars'
      ? ['character', 'characters']
      : unit === ESTIMATED
        ? ['estimated token', 'estimated tokens']
        : ['token', 'tokens'];

/** A length with its unit. */
export const length = words('length', (n: number, unit: string): string => count(n, ...unitWords(unit)));

const list = (type: 'conjunction' | 'disjunction') => new Intl.ListFormat('en-GB', { type });

const stages: Record<Progress['stage'], string> = {
  documents: 'reading document',
  pages: 'reading page',
  sentences: 'finding sentences',
  vectors: 'embedding sentence',
  curve: 'measuring distances',
  chunks: 'cutting chunks',
  index: 'indexing',
};

/** The kind of request that a directive of the policy refuses. */
const refused: Record<string, string> = {
  'connect-src': 'fetch',
  'img-src': 'image',
  'script-src-elem': 'script',
  'worker-src': 'worker',
  'frame-src': 'frame',
  'form-action': 'form',
};

export const strings = words('strings', {
  name: 'Seam',
  /** The kinds of files that Seam reads, in a sentence. */
  and: (kinds: string[]) => list('conjunction').format(kinds),
  or: (kinds: string[]) => list('disjunction').format(kinds),
  /** The choices offered by the engine, in the engine's own words. */
  offered: (hello: Hello): Hello => hello,
  search: {
    label: 'Search all documents',
    placeholder: 'Search your documents',
    within: (scope: string) => `Search ${scope}`,
    empty: 'Open a document first; then search it here.',
  },
  ledger: {
    none: 'nothing sent · 0 requests',
    some: (n: number) => `${count(n, 'request')} to other hosts`,
    blockedShort: (n: number) => (n === 0 ? '' : `${count(n, 'request')} blocked`),
    blocked: (n: number) => (n === 0 ? '' : `${count(n, 'request')} blocked by the policy, not sent:`),
    blockedOne: (directive: string, url: string) => `${refused[directive] ?? directive} to ${url}`,
    title: 'Requests since this page was opened',
    own: (n: number) => `${count(n, 'file')} of the page itself, fetched from its own host:`,
    other: (n: number, proxy: boolean) =>
      n > 0
        ? `${count(n, 'request')} to anything else:`
        : `Requests to anything else: none.${proxy ? '' : ' Your documents stay in this browser.'}`,
    relayedShort: (n: number) => `${count(n, 'request')} to the proxy`,
    localShort: (n: number) => `${count(n, 'request')} on this machine`,
    local: (n: number) =>
      `${count(n, 'request')} to find, take or load a model on this machine, as you chose; nothing of your documents is in them:`,
    warmed: (model: string) => `the word “Hello” to ${model}, so that it is loaded`,
    asked: (request: string) => `${request}, from the server of this page`,
    relayed: (n: number, host: string) =>
      [
        'Your documents stay in this browser until you choose a hosted model and press Send. Then the sentences of that document and what',
        `you search for, or your question and the passages that fit it, go to the proxy at ${host} and from there to the model’s provider. If you search its collection, what you search for goes there.`,
        n === 0 ? 'Requests to the proxy: none.' : `${count(n, 'request')} to the proxy:`,
      ].join(' '),
  },
  policy: {
    short: {
      server: '',
      worker: '',
      pending: 'policy: not enforced yet',
      never: 'policy: not enforced',
    } satisfies Record<PolicyState, string>,
    long: {
      server: 'Policy: enforced by the server.',
      worker: 'Policy: enforced by this page’s service worker, as its host sends none.',
      pending: 'Policy: not enforced yet. This host sends none; the page brings its own once it is loaded again.',
      never:
        'Policy: not enforced. This host sends none, and at this address or in this browser the page cannot bring its own.',
    } satisfies Record<PolicyState, string>,
    reload: 'Reload',
    limits: (proxy: boolean) =>
      `The policy keeps the page and its workers from asking anything of another host${proxy ? ' but the proxy' : ''}. A browser that does not know the header Connection-Allowlist can still not be kept from: leaving this page for another address (navigation by a script or a link, here or in a new window, or to save a file), WebRTC, and connections opened ahead of a request.`,
    badge: 'Sealed',
    toSealed: 'Open the sealed page, which may fetch its own files and nothing else',
    sealed: 'This is the sealed page: it may fetch its own files and nothing else, and cannot open windows.',
  },
  password: {
    title: 'This PDF is locked',
    ask: (name: string) => `${name} needs its password to be opened. The password stays in this browser.`,
    wrong: 'That password does not open it. Try again.',
    label: 'Password',
    open: 'Open',
    cancel: 'Cancel',
  },
  pasteDialog: {
    title: 'Paste text',
    label: 'Text or Markdown',
    open: 'Chunk it',
    cancel: 'Cancel',
  },
  documents: {
    title: 'Documents',
    all: (n: number) => `All ${count(n, 'document')}`,
    choose: 'Choose files',
    folder: 'Folder',
    paste: 'Paste text',
    sample: 'Try the sample',
    dropHere: 'Drop to open. The files stay in this browser.',
    remove: (name: string) => `Remove ${name}`,
    stop: 'Stop',
    stopNamed: (name: string) => `Stop reading ${name}`,
    retry: 'Try again',
    retryNamed: (name: string) => `Try ${name} again`,
    encodingFound: 'Encoding: automatic',
    encodingOf: (name: string) => `Encoding of ${name}`,
    hiddenText: 'Hidden text, too',
    hiddenTextOf: (name: string) => `Hidden text of ${name}, too`,
    fileGone: 'Its file is gone: open it again to choose.',
    readAnyway: 'Read it anyway',
    readAnywayNamed: (name: string) => `Read ${name} anyway`,
    pasted: (n: number) => `Pasted text ${n}.txt`,
    sampleName: (extension: string) => `Sample – eight short essays.${extension}`,
    queued: 'waiting its turn',
    starting: 'starting the reader…',
    progressOf: (name: string) => `Progress of ${name}`,
    progress: ({ stage, done, total }: Progress) => {
      const what = stages[stage] ?? stage;
      const counted = (stage === 'documents' || stage === 'pages' || stage === 'vectors') && total > 0;
      return counted ? `${what} ${number.format(done)} of ${number.format(total)}` : `${what}…`;
    },
    ready: (pages: number, sentences: number, chunks: number) =>
      [count(chunks, 'chunk'), pages > 1 ? count(pages, 'page') : '', count(sentences, 'sentence')]
        .filter(Boolean)
        .join(' · '),
    stopped: 'Stopped before it was ready.',
    locked: (wrong: boolean): string =>
      wrong ? 'locked: that password does not open it' : 'locked: enter the password',
    passwordOf: (name: string) => `Password of ${name}`,
    unlock: 'Open',
    unlockNamed: (name: string) => `Open ${name} with this password`,
    notice: 'Dismiss this note',
    cutOtherwise: (how: string) =>
      `cut by your settings, because its bundle’s settings (${how}) are not available here`,
    twin: (name: string, selected: boolean) =>
      `${name} is open already${selected ? ' and is selected now' : ''}; there is no second copy.`,
    twins: (n: number) => `${count(n, 'file')} are open already; there are no second copies.`,
    opened: (n: number, { unread, broken, hidden, beyond, most, unseen }: LeftOut, kinds: string) =>
      [
        n > 0
          ? `${count(n, 'file')} of the folder ${n === 1 ? 'is' : 'are'} added.`
          : unseen || hidden || broken > 0
            ? `No ${kinds} file was found.`
            : `No ${kinds} file in this folder.`,
        broken > 0 ? `${count(broken, 'file or folder', 'files or folders')} could not be read.` : '',
        hidden ? 'Hidden folders were not looked into.' : '',
        unread > 0 ? `Left out: ${count(unread, 'file')} of kinds that Seam does not read.` : '',
        beyond > 0
          ? `Left out: ${count(beyond, 'file')} beyond the first ${number.format(most)}; drop them by themselves.`
          : '',
        unseen ? 'Some folders inside were too many or too deep and were not looked into.' : '',
      ]
        .filter(Boolean)
        .join(' '),
    safe: 'Your other documents are as they were.',
    kept: { saving: 'saving…', saved: 'saved', failed: 'not saved' },
    keptReady: (pages: number, chunks: number) =>
      [count(chunks, 'chunk'), pages > 1 ? count(pages, 'page') : ''].filter(Boolean).join(' · '),
  },
  knob: {
    label: 'Finer or coarser',
    /** The method's number, until the methods are loaded. */
    number: 'Setting',
    finer: 'finer',
    coarser: 'coarser',
    says: (chunks: number, typical: number, unit: string) =>
      `${count(chunks, 'chunk')}, typically ${length(typical, unit)}`,
    step: (n: number, of: number) => `${number.format(n)} of ${number.format(of)}`,
    where: (curve: CurveKind, threshold: number | null, byHand: boolean) =>
      [
        byHand ? 'Line set by hand.' : '',
        threshold === null || curve === '' || curve === 'strength'
          ? ''
          : `Cut where the ${curve} is ${curve === 'similarity' ? 'below' : 'above'} ${value(threshold)}.`,
      ]
        .filter(Boolean)
        .join(' '),
  },
  settings: {
    title: 'Chunking',
    method: 'Method',
    groups: [
      { label: 'By meaning', methods: groups.meaning },
      { label: 'By structure', methods: groups.structure },
      { label: 'By size', methods: groups.size },
      { label: 'As published, to compare with', methods: groups.published },
    ],
    min: (unit: string) => `Min ${unitWords(unit)[1]}`,
    max: (unit: string) => `Max ${unitWords(unit)[1]}`,
    overlap: 'Overlap',
    unit: 'Lengths in',
    units: {
      '': 'tokens of the embedder',
      cl100k: 'tokens of GPT-4 (cl100k)',
      o200k: 'tokens of GPT-4o and later (o200k)',
      words: 'words',
      chars: 'characters',
    },
    view: 'Order of the text',
    views: (own: View) => [
      { name: '', label: `as the method has it: ${own === 'reading' ? 'reading order' : 'order of the file'}` },
      { name: 'reading', label: 'reading order, as a person reads' },
      { name: 'content', label: 'order of the file, as programs extract it' },
    ],
    unset: 'none',
    impossible: (typed: string) =>
      `${typed ? `${typed} is not a length` : 'That is not a length'}: enter a whole number, 0 or more. Nothing was changed.`,
    refused: (why: string) => `${why} Until that is changed, the text is cut without limits.`,
    embedder: 'Embeddings',
    hosted: (host: string) => `Hosted models · ${host}`,
    connect: (host: string) => `Connect to ${host}…`,
    reset: 'Reset settings',
    all: 'More settings',
    fewer: 'Fewer settings',
    loading: 'loading…',
  },
  panels: 'Results',
  /** Names pages by their printed numbers, with the numbers of the sheets if those differ. */
  pagesOf: (pages: number[], labels?: string[]) => {
    const sheets = fromTo(pages);
    const printed = labels ? fromTo(labels) : sheets;
    if (printed === sheets) return sheets && `p. ${sheets}`;
    return `p. ${printed} (${pages.length > 1 ? 'sheets' : 'sheet'} ${sheets})`;
  },
  aside: 'Documents and settings',
  sheet: { open: 'Documents and settings', close: 'Close documents and settings', tab: 'Settings' },
  empty: {
    title: 'Split a document where its subject changes',
    chunks: 'chunks',
    why: (chunks: string) =>
      `Seam cuts it into ${chunks}, short parts that each hold one subject, so that you can find a passage, ask about it, or feed it to a model.`,
    what: (kinds: string) => `Or drop them anywhere: ${kinds}.`,
    private: (proxy: boolean) =>
      `Everything happens in this browser; nothing leaves it${proxy ? ' unless you choose a hosted model or collection' : ''}.`,
  },
  trouble: {
    foreign: (one: string) => `This is ${one}, which Seam does not read.`,
    reads: (kinds: string) => `Seam reads ${kinds}: save or export it as one of these.`,
    tooLarge: (one: string, size: number, most: number) =>
      `This file is ${megabytes(size)}; Seam reads ${one} of up to ${megabytes(most)}.`,
    tooLargeHint: 'It was not loaded. Split it, and open the parts.',
    unreadable: 'This file cannot be read: it was moved, changed, or may not be opened.',
    unreadableHint: 'Nothing was changed. Choose it again from where it is now.',
    gone: 'The browser has deleted what was kept of this document.',
    followed: 'Another tab has this document open and makes its changes; this one follows.',
    followedHint: 'Make the change there, or close it there.',
  },
  menu: 'Menu',
  said: {
    chunks: (n: number) => count(n, 'chunk'),
    failed: (name: string, message: string) => `${name}: ${message}`,
    failures: (n: number) => `${count(n, 'file')} could not be read`,
    shown: (page: string) => (page ? `Passage on ${page} shown` : 'Passage shown'),
    hits: (n: number) => count(n, 'passage'),
    removed: (name: string) => `${name} removed`,
    locked: (name: string) => `${name} is locked. The list of documents has a field for its password.`,
    lockedMany: (n: number) => `${count(n, 'file')} are locked. The list of documents has a field for each password.`,
    wrong: (name: string) => `That password does not open ${name}.`,
  },
  partLost:
    'A part of this page could not be loaded: the page is older than its host, or the host does not answer. Reload.',
  engineLost: 'The engine could not be loaded',
  engineLostHint: 'Check the connection to this page’s own host and reload; nothing was sent.',
});

type Trouble = { message: string; hint: string };

export const troubles: Partial<Record<ErrorCode | PageCode | 'altered' | 'old', Trouble>> = words('troubles', {
  'no-bytes': {
    message: 'This file is empty.',
    hint: 'Get another copy of it.',
  },
  died: {
    message: 'The program that reads this file stopped unexpectedly.',
    hint: 'Your other documents are safe. Try again, or try a smaller file.',
  },
  gone: {
    message: 'The browser has deleted what was kept of this document.',
    hint: 'Open its file again.',
  },
  version: {
    message: 'The page and its engine are of different versions.',
    hint: 'Your files are untouched. Reload the page.',
  },
  /** From a worker, when a program is not the one the page was built with. */
  altered: {
    message: 'A program of this page has changed on its way here and was not run.',
    hint: 'Your files are untouched. Reload; if that does not help, whoever runs this host has to put the page there again.',
  },
  /** Another version has replaced it. */
  old: {
    message: 'This page is older than its host, which no longer has this part of it.',
    hint: 'Your files are untouched. Reload.',
  },
});

/**
 * Returns a sentence about an error and a hint: the engine's words, unless the page has
 * better ones.
 */
export function explain(error: SeamError): { message: string; hint: string } {
  if (error.cancelled) return { message: strings.documents.stopped, hint: '' };
  const [, what] = /^(damaged|gone):/.exec(error.message) ?? [];
  const own = troubles[error.code !== 'died' || !what ? error.code : what === 'gone' ? 'old' : 'altered'];
  if (own) return own;
  return { message: sentence(error.message), hint: sentence(error.hint) };
}

/** Returns both in one line. */
export function explained(error: SeamError): string {
  const { message, hint } = explain(error);
  return [message, hint].filter(Boolean).join(' ');
}

/** Translates the engine's English into the language of the page. */
export const say = words('say', (text: string): string => text);

/** Makes a sentence of a Go error text, which is lower case and has no full stop. */
export function sentence(engine: string): string {
  const text = say(engine);
  if (!text) return '';
  const first = text.charAt(0).toUpperCase() + text.slice(1);
  return /[.!?…]$/.test(first) ? first : `${first}.`;
}
