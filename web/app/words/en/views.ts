// The words of the views of an open document, loaded with them (see lazy.ts).

import type { CurveKind, HandChange, Reason, ScorePart, SearchMode } from '../../../lib/api.ts';
import type { Agreement } from '../../../lib/compare.ts';
import type { CutKind } from '../../../lib/cut-kinds.ts';
import type { Limits, Settings } from '../../../lib/cut.ts';
import type { GapState } from '../../../lib/gaps.ts';
import type { TopicPart } from '../../../lib/topic-parts.ts';
import { words } from '../language.ts';
import { count, length, number, unitWords, value } from './page.ts';

export const bars: Record<CurveKind, string> = {
  distance: 'Distance between neighbouring sentences',
  similarity: 'Similarity of neighbouring sentences',
  gradient: 'Change of distance from sentence to sentence',
  strength: 'Strength of topic boundaries',
  '': 'This method has no curve',
};

/** Short names, for a part of the curve. */
const kinds: Record<CurveKind, string> = {
  distance: 'Distance',
  similarity: 'Similarity',
  gradient: 'Change of distance',
  strength: 'Strength',
  '': '',
};

/** A value of a curve. A strength curve has logarithms. */
const at = (kind: CurveKind, v: number): string => value(kind === 'strength' ? 2 ** v : v);

/** Writes two numbers with as many digits as show their difference, at least two. */
function compared(what: string, { value: a = 0, threshold: b = 0 }: Reason): string {
  for (let digits = 2; ; digits++) {
    const [x, y] = [Math.fround(a).toFixed(digits), b.toFixed(digits)];
    if (x !== y || digits === 17) return `${what} ${x}, line at ${y}`;
  }
}

/** Returns why a chunk ends, in the words of the page and of its report. */
export function reasonWords(reason: Reason): string {
  return needed(reason) ?? plainReason(reason);
}

/**
 * The words for a value that did not pass the threshold, where only the maximum needed a
 * cut. Undefined for other reasons: a heading explains a cut without more words.
 */
function needed(reason: Reason): string | undefined {
  const { kind, value: v = 0 } = reason;
  if (reason.for === undefined) return undefined;
  const after = ', needed for the maximum';
  switch (kind) {
    case 'distance':
    case 'largest':
      return `distance ${v.toFixed(2)}${after}`;
    case 'gradient':
      return `rise ${v.toFixed(2)}${after}`;
    case 'similarity':
      return `similarity ${v.toFixed(2)}${after}`;
    case 'strength':
      return `${plainReason(reason)}${after}`;
    default:
      return undefined;
  }
}

function plainReason(reason: Reason): string {
  const { kind, value: v = 0, of = 1 } = reason;
  switch (kind) {
    case 'distance':
      return compared('distance', reason);
    case 'gradient':
      return compared('rise', reason);
    case 'similarity':
      return compared('similarity', reason);
    case 'strength':
      return `topic ${Number((2 ** v).toPrecision(2))}`;
    case 'largest':
      return `distance ${v.toFixed(2)}, ${of > 1 ? `one of the ${number.format(of)} largest` : 'the largest'}`;
    case 'max':
      return 'max tokens';
    case 'manual':
      return 'by hand';
    default:
      return kind;
  }
}

/** The same for the page, where lengths may have another unit than tokens. */
export const shownReason = words('shownReason', (reason: Reason): string =>
  reason.kind === 'max' ? 'maximum' : reasonWords(reason),
);

const percent = (share: number): string => `${Math.round(100 * share)}\u00a0%`;

/** The state of a gap, and why it differs from the threshold's. */
const states: Record<GapState, string> = {
  none: '',
  made: ' · cut made',
  inner: ' · cut at an inner boundary, for the maximum',
  forced: ' · cut forced by the maximum',
  hand: ' · cut by hand',
  joined: ' · joined: a chunk would be shorter than the minimum',
};

const cutAt: Record<CutKind, string> = {
  heading: 'at a heading',
  page: 'at the top of a page',
  subject: 'where the subject changes',
  inside: 'inside a long subject',
  full: 'where a chunk was full',
  hand: 'by hand',
};

const sentence = (parts: string[]): string => `${parts.filter(Boolean).join(', ')}.`;

/** The least share of a language to say that the text is mostly in it. */
const MOSTLY = 0.8;

export const shown = words('views', {
  /** The reason for a cut, without numbers. */
  cutBy: {
    heading: 'a heading',
    page: 'a page',
    subject: 'the subject changes',
    inside: 'inside a long subject',
    full: 'the chunk was full',
    hand: 'by hand',
  } satisfies Record<CutKind, string>,
  outline: {
    title: 'Outline',
    chunks: 'chunks',
    count: (n: number) => count(n, 'chunk'),
    rest: (n: number) => `and ${count(n, 'more heading', 'more headings')}`,
  },
  search: {
    modes: { hybrid: 'similar text and words', dense: 'similar text', keyword: 'words' } satisfies Record<
      SearchMode,
      string
    >,
    mode: 'Find by',
    only: 'Search in',
    all: 'All documents',
    chosen: (n: number) => `${count(n, 'chosen document')}`,
    /** The choices of a part of the list. */
    parts: {
      tag: (name: string) => `Tag: ${name}`,
      folder: (name: string) => `Folder: ${name}`,
    },
    /** The same within a sentence. */
    partOf: {
      tag: (name: string) => `documents with the tag “${name}”`,
      folder: (name: string) => `documents in ${name}`,
    },
    /** `n` of the chosen documents, or of a `part` of the list, can be searched so far. */
    onlyChosen: (n: number, chosen: number, part: string | null) =>
      part
        ? `Searched: only ${part}, ${n === chosen ? number.format(n) : `${number.format(n)} of ${number.format(chosen)} so far`}.`
        : n === chosen
          ? `Searched: only the ${number.format(n)} chosen documents.`
          : `Searched: only the chosen documents, ${number.format(n)} of ${number.format(chosen)} so far.`,
    start:
      'Type a question above. The best passages of your documents appear here; words in “quotation marks” must stand together.',
    busy: 'Searching…',
    goOn: (word: string) => `Type on, or press Enter to search for “${word}”.`,
    none: (query: string, mode: SearchMode) =>
      `Nothing found for “${query}”. ${mode === 'keyword' ? 'Other words may help.' : 'Other words may help, or “Find by: words”.'}`,
    /** `more` means that there may be more passages than the n best that are shown. */
    found: (n: number, more: boolean, query: string) =>
      `${more ? `The ${number.format(n)} best passages` : count(n, 'passage')} for “${query}”.`,
    early: (n: number, more: boolean, query: string) =>
      `${more ? `The ${number.format(n)} best passages` : count(n, 'passage')} for “${query}” by words alone; the hosted model is being asked…`,
    /** `whole` means that the search covered every text of the list. */
    unknown: (words: string[], whole: boolean) =>
      words.length === 0
        ? ''
        : `${whole ? 'No document has' : 'No text read so far has'} ${words.map((word) => `“${word}”`).join(' or ')}.`,
    aside: (word: string, names: string[], hidden: boolean) =>
      `“${word}” is only ${hidden ? 'in text that nobody sees on the page' : 'outside the passages, such as in a running head'}: ${names.join(', ')}.`,
    /** Names the parts of the list that the search did not cover; empty if there are none. */
    apart: (reading: number, failed: number) =>
      [
        reading > 0 ? `${count(reading, 'document is', 'documents are')} still being read; results follow.` : '',
        failed > 0 ? `${count(failed, 'document')} could not be read.` : '',
      ]
        .filter(Boolean)
        .join(' '),
    /** Names a document of which parts could not be read, and its notes about them, or none if it is not open. */
    unread: (name: string, notes: string[]) =>
      `Text of ${name} may be missing${notes.length > 0 ? `: ${notes.join('; ')}` : ''}.`,
    unreadMore: (n: number) => `So may text of ${count(n, 'other document')}.`,
    missing: (embedder: string, reason: string) =>
      `What ${embedder} has embedded was searched by words alone: ${reason.replace(/\.$/, '')}.`,
    taken: (word: string, taken: string, begins: boolean, whole: boolean) =>
      begins
        ? `“${word}” also stands for words that begin with it.`
        : `“${word}” is in ${whole ? 'no document' : 'no text read so far'}: “${taken}” was looked for.`,
    hit: (name: string, page: string) => [name, page].filter(Boolean).join(' · '),
    by: (text: string) => `Found by: “${text}”`,
    why: {
      words: (matched: string[]) => (matched.length === 0 ? 'the same words' : `has ${matched.join(', ')}`),
      section: () => 'words in its heading',
      document: () => 'words all over its document',
      proximity: () => 'words close together',
      meaning: () => 'near in meaning',
    } satisfies Record<ScorePart['name'], (matched: string[]) => string>,
  },
  columns: {
    side: 'Width of documents and settings',
    rail: 'Width of the results',
    how: 'Pull to resize; press twice, or Enter, to hide or show',
    hidden: 'hidden',
    width: (pixels: number) => count(pixels, 'pixel'),
  },
  add: {
    open: 'Add',
    title: 'Add documents',
    also: 'Or drop files anywhere on the page, or press Ctrl+V.',
    removeAll: 'Remove all',
    examples: 'Example documents…',
    tour: 'Take the tour',
  },
  pages: {
    label: 'Text or page',
    choices: { text: 'Text', both: 'Text and page', page: 'Page' },
    lost: 'The page viewer could not be loaded. Try again when this page can reach its host.',
  },
  unknown: {
    says: (language: string, share: number) =>
      `${Math.round(100 * share)} % of this text seems to be in ${language}, and the built-in model knows English alone: its boundaries and its search are weaker here.`,
    settled: (language: string, share: number) =>
      `${share < MOSTLY ? `${Math.round(100 * share)} % of this text seems` : 'This text seems'} to be in ${language}, which the built-in model does not know: it is compared by its own words.`,
    lexical: 'Go by the text’s own words instead',
  },
  model: {
    open: 'Use a model of your own…',
    reading: 'Reading the model…',
    ready: (name: string) => `${name} is used now, until this page is closed. It stays in this browser.`,
    missing: (name: string, files: string[]) => `${name || 'That folder'} has no ${files.join(' and no ')}`,
    tooLarge: 'This model is larger than 1 GB',
    hint: 'Choose the folder of a Model2Vec model or of a sentence encoder of the BERT family, with model.safetensors, tokenizer.json and config.json in it.',
  },
  local: {
    open: 'Use a model on this machine…',
    before:
      'The server of this page asks once where Ollama, llama.cpp and LM Studio usually listen. Nothing of your documents is sent.',
    apart:
      'A model can answer questions from passages of your documents. One that runs on this machine needs no account.',
    looking: 'Looking for models on this machine…',
    found: (n: number) => (n === 0 ? 'No model was found.' : `${count(n, 'model')} found.`),
    server: (program: string, address: string) => `${program || 'Server'} · ${address}`,
    answers: 'Answer questions',
    embeds: 'Embed: compare by meaning',
    unknown: 'Abilities unknown',
    use: 'Use',
    useFor: { chat: 'For answers', embed: 'To embed' },
    useOf: (name: string, kind: 'chat' | 'embed') => `Use ${name} ${{ chat: 'for answers', embed: 'to embed' }[kind]}`,
    taken: 'In use',
    until: (model: string) => `Until seam serve stops, it passes requests on to ${model}.`,
    keep: 'To have it next time, too, start:',
    then: 'Load the page again to have it among the models.',
    lost: 'Documents or changes that are not kept would be lost. Press once more to load the page all the same.',
    busy: 'Documents are still being read or kept. Press again when that is done.',
    load: 'Load again',
    away: (program: string, names: readonly string[]) =>
      `Left out, because ${program} has them run on other machines: ${names.join(', ')}.`,
    silent: (addresses: readonly string[]) =>
      `Nothing listens on ${addresses.join(', ')}: start Ollama with “ollama serve”, or the server of llama.cpp or LM Studio, and press again. For another address, start seam serve with --base-url.`,
    why: {
      empty: (program: string, address: string, away: readonly string[]) =>
        `The program at ${address} has no model of this machine${away.length > 0 ? `, only some that run elsewhere (${away.join(', ')})` : ''}: get one${program === 'Ollama' ? ', for example with “ollama pull llama3.2”' : ' there'}, and press again.`,
      loading: (_program: string, address: string) =>
        `The program at ${address} is still loading its model: press again soon.`,
      locked: (_program: string, address: string) =>
        `The program at ${address} asks for a key: start seam serve with --base-url http://${address}/v1 and the key in OPENAI_API_KEY.`,
      slow: (_program: string, address: string) => `The program at ${address} did not answer in time: press again.`,
      other: (program: string, address: string) =>
        `The program at ${address} does not list models: if ${program} listens on another port, start seam serve with --base-url and its address.`,
    },
    gone: 'The server of this page does not answer.',
    goneHint: 'Start seam serve again, and open the address that it prints.',
    refused: {
      unauthorized:
        'The server needs its token: open the page at the full address that seam serve printed, which ends in #token= and the token.',
      forbidden: 'The server looks for models only for its own page, and only while it serves this machine alone.',
      gone: 'This model was not in the last search: press again to look for models.',
      'in-use': 'Another seam serve uses the state folder: stop it, or start this one with --state and another folder.',
    },
  },
  meaning: {
    offer: (bytes: number) =>
      `Find by meaning, too? The model is fetched once, ${Math.max(1, Math.round(bytes / 1e6))} MB, and kept here.`,
    accept: 'Get it',
    decline: 'No, thanks',
    off: 'Passages are found by their words.',
    turnOn: 'Find by meaning, too',
    turnOff: 'Turn off',
    loading: (bytes: number) => `Getting the model: ${Math.max(1, Math.round(bytes / 1e6))} MB…`,
    reading: (done: number, total: number) => `Reading for meaning: ${number.format(done)} of ${number.format(total)}`,
    progress: 'Read for meaning',
    stop: 'Stop',
    stopped: (done: number, total: number) =>
      `Stopped after ${number.format(done)} of ${number.format(total)}; words find all of it.`,
    goOn: 'Go on',
    again: 'Try again',
    ready: 'Found by meaning, too.',
  },
  statements: {
    open: (n: number) =>
      n === 0 ? 'Have a model write statements or titles…' : `${number.format(n)} written by a model…`,
    title: 'A model writes statements or titles of the chunks, by which a search finds them, too',
    gone: (n: number) =>
      `${count(n, 'statement or title', 'statements and titles')} of a model went with the text that ${n === 1 ? 'it was' : 'they were'} of.`,
  },
  bestFirst: 'Best first',
  skip: 'Skip to the text',
  searchTab: 'Search',
  askTab: 'Ask',
  curve: {
    title: (kind: CurveKind) => bars[kind],
    chunks: (n: number) => count(n, 'chunk'),
    /** Goes on after the number of chunks; `cuts` counts the kinds of cuts. */
    cut: (typical: number, unit: string, chunks: number, cuts: readonly [CutKind, number][]) =>
      chunks < 2
        ? `, ${length(typical, unit)}.`
        : `, typically ${length(typical, unit)}. Cut ${cuts.map(([kind, n]) => `${number.format(n)} ${n === 1 ? 'time' : 'times'} ${cutAt[kind]}`).join(', ')}.`,
    other: 'new subject',
    same: 'same subject',
    titleOf: (kind: CurveKind, from: number, to: number) => `${kinds[kind]} · ${shown.curve.part(from, to)}`,
    made: (n: number) => `${count(n, 'cut')} made`,
    inner: (n: number) => count(n, 'inner boundary', 'inner boundaries'),
    forced: (n: number) => `${number.format(n)} forced by the maximum`,
    hand: (n: number) => `${number.format(n)} by hand`,
    joined: (n: number) => `${number.format(n)} joined for the minimum`,
    typical: (n: number, unit: string) => `typically ${length(n, unit)}`,
    drag: 'drag the line',
    gap: (i: number, kind: CurveKind, v: number, state: GapState = 'none') =>
      `sentence ${number.format(i + 1)}→${number.format(i + 2)}: ${at(kind, v)}${states[state]}`,
    ofMany: (cuts: number) => `one of ${count(cuts, 'cut')} here`,
    extreme: (kind: CurveKind, gaps: number) =>
      `${kind === 'similarity' ? 'lowest' : 'highest'} of ${number.format(gaps)} here`,
    label: (kind: CurveKind, gaps: number, cuts: number, threshold: number) =>
      `${bars[kind]}: ${count(gaps, 'gap')}, ${count(cuts, 'cut')}, line at ${at(kind, threshold)}`,
    at,
    number: 'Where the line is',
    walk: 'Walk along the curve; Enter goes to the place in the text',
    in: 'Zoom in on the curve',
    out: 'Zoom out of the curve',
    part: (from: number, to: number): string => `sentences ${number.format(from + 1)}–${number.format(to + 1)}`,
    table: {
      open: 'Table',
      openTitle: 'The boundaries as a table',
      title: (kind: CurveKind) => `Boundaries${kind ? ` · ${bars[kind]}` : ''}`,
      count: (n: number) => `${count(n, 'boundary', 'boundaries')}, in the order of the text.`,
      line: (value: string) => `The line is at ${value}.`,
      first: (n: number) => `The first ${number.format(n)} are listed.`,
      none: 'The text is cut nowhere between two sentences.',
      heads: ['Sentence', 'Page', 'Before the boundary', 'Behind it', 'Value', 'What became of it'],
      states: {
        made: 'cut made',
        inner: 'cut at an inner boundary, for the maximum',
        forced: 'cut forced by the maximum',
        hand: 'cut by hand',
        joined: 'joined for the minimum',
      },
      close: 'Close',
    },
    none: 'This method does not compare neighbours; there is no curve to show.',
  },
  text: {
    page: (n: number, of: number, printed = '') => {
      const place = `${number.format(n)} of ${number.format(of)}`;
      return printed && printed !== String(n) ? `p. ${printed} (sheet ${place})` : `p. ${place}`;
    },
    label: 'Text of the document with its chunks',
    tab: 'Text',
    shared: (n: number) => `Underlined: ${count(n, 'passage')} in two chunks each, as they overlap.`,
  },
  history: {
    title: 'All changes by hand',
    what: ({ action, undone }: HandChange) =>
      `${{ split: 'Split', merge: 'Merged', move: 'Moved', clear: 'Cleared all' }[action]}${undone ? ' (undone)' : ''}`,
    place: (text: string) => `before “${text.length > 34 ? `${text.slice(0, 32).trim()}…` : text}”`,
    when: ({ when, by }: HandChange) =>
      [by, when > 0 ? new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'short' }).format(when) : '']
        .filter(Boolean)
        .join(' · '),
    redo: 'Do again',
    back: 'Back to here',
    compare: 'Compare with',
    times: { none: '–', hour: 'an hour ago', yesterday: 'yesterday', beginning: 'before all changes' },
    compared: (came: number, gone: number) =>
      came + gone === 0
        ? 'The boundaries are as they were then.'
        : [
            came > 0 ? `${count(came, 'boundary is', 'boundaries are')} new` : '',
            gone > 0 ? `${count(gone, 'boundary is', 'boundaries are')} gone` : '',
          ]
            .filter(Boolean)
            .join(', ') + ' since then:',
    author: 'Your name, for changes from now on',
    came: 'New',
    gone: 'Gone',
  },
  edits: {
    tools: (n: number) => `Chunk ${number.format(n)}`,
    copy: 'Copy this chunk',
    merge: 'Merge with next',
    mergeShort: 'Merge',
    earlier: 'Earlier',
    later: 'Later',
    up: 'End one sentence earlier',
    down: 'End one sentence later',
    split: 'Split',
    splitWhy: (reason: boolean): string => (reason ? 'Split where it comes apart most' : 'Split in the middle'),
    splitHere: 'Split here',
    mergeHere: 'Merge with the chunk above',
    count: (n: number) => (n === 0 ? 'No changes by hand' : `${count(n, 'change')} by hand`),
    full: (most: number, unit: string) => `Over the maximum of ${length(most, unit)}`,
    long: 'Longer than the default maximum, by hand.',
    held: (n: number) => (n === 0 ? '' : `${count(n, 'boundary stays', 'boundaries stay')} because of the maximum.`),
    /** `reread` means that the same file was read in another way. */
    version: (reread: boolean, embedded: number, total: number, lost: number) =>
      [
        reread ? 'The same file was read again.' : 'A new version of this file took the place of the old one.',
        total > 0 ? `${number.format(embedded)} of ${count(total, 'sentence')} embedded again.` : '',
        lost > 0 ? `${count(lost, 'change')} by hand had no place in it.` : '',
      ]
        .filter(Boolean)
        .join(' '),
    undo: 'Undo',
    redo: 'Redo',
    clear: 'Clear',
    endsNow: (n: number, words: string) => `Chunk ${number.format(n)} now ends: ${words}`,
  },
  attached: {
    files: (n: number) => `${count(n, 'file is', 'files are')} attached:`,
    more: (n: number) => `${number.format(n)} more`,
    name: (file: string, pdf: string) => `${pdf} › ${file}`,
    again: (pdf: string) => `Open ${pdf} again to read them.`,
    failed: (file: string, why: string) => `${file}: ${why}`,
  },
  links: {
    open: (name: string) => `Open ${name} in a new tab`,
    confined: (address: string) => `${address} · The policy of this page keeps the browser from opening it.`,
    copy: (name: string) => `Copy the address of ${name}`,
    copyShort: 'Copy address',
    goTo: (place: string) => `Go to ${place}`,
    of: (n: number) => count(n, 'link'),
    list: (chunk: number) => `Links of chunk ${number.format(chunk)}`,
    more: (n: number) => `${count(n, 'link')} more`,
  },
  bundles: {
    save: 'Save as .seam',
    saved: 'Download started.',
    collecting: (n: number, all: number) => `Collecting document ${number.format(n + 1)} of ${number.format(all)}…`,
    writing: 'Writing the bundle…',
    tooLarge: 'These documents are larger than 512 MB with their vectors',
    tooLargeHint: 'Save them one by one, or fewer at a time.',
    notOpen: (name: string) => `${name} is not open, so it cannot be saved`,
    mine: 'Use my settings',
    given: (
      method: string,
      { setting, threshold, count: chunks = 0, maxTokens = 0, unit = '', embedder = '' }: Settings,
    ) =>
      `Cut as in the bundle: ${[
        method,
        setting !== undefined ? number.format(setting) : '',
        threshold !== undefined ? `line at ${number.format(threshold)}` : '',
        chunks > 0 ? count(chunks, 'chunk') : '',
        maxTokens > 0 ? `at most ${length(maxTokens, unit)}` : '',
        embedder,
      ]
        .filter(Boolean)
        .join(', ')}.`,
  },
  compare: {
    tab: 'Compare',
    /** The compared methods. */
    letters: ['A', 'B', 'C', 'D'],
    empty: 'Open a document, and see here how other methods cut it.',
    row: (letter: string) => `Method ${letter}`,
    number: (letter: string, label: string) => `${label} of ${letter}`,
    max: (unit: string) => `Up to ${unitWords(unit)[1]}`,
    /** For an empty field. */
    asInUse: (letter: string, label: string) => `Method ${letter}: ${label} (empty: as in use)`,
    noMax: 'none',
    overlap: 'Overlap',
    sameEmbedder: 'embeddings as in use',
    embedderOf: (letter: string) => `Embeddings of ${letter}`,
    /** A method with its limits. */
    with: (method: string, { maxTokens = 0, overlap = 0, embedder = '' }: Limits, unit: string) =>
      [
        method,
        maxTokens > 0 ? `up to ${length(maxTokens, unit)}` : '',
        overlap > 0 ? `overlap ${number.format(overlap)}` : '',
        embedder,
      ]
        .filter(Boolean)
        .join(', '),
    grid: 'Compare many…',
    gridTitle: 'Which of many methods, sizes and ways to search finds the answers of the questions',
    inUse: 'in use',
    use: 'Use',
    useNamed: (letter: string) => `Use method ${letter}`,
    remove: (letter: string) => `Leave out method ${letter}`,
    add: 'Another method',
    busy: 'cutting…',
    stopped: 'Stopped.',
    unsent: 'by the built-in model, as nothing is sent to compare',
    sizes: (n: number, low: number, middle: number, high: number, unit: string) =>
      `${count(n, 'chunk')} · ${number.format(low)} to ${length(high, unit)}, median ${number.format(middle)}`,
    /** The difference from the method in use. */
    pk: (value: number, letter: string) =>
      `unlike ${letter} in ${percent(value)} of sentence pairs (Pk ${value.toFixed(2)})`,
    /** Cosine similarities. */
    alike: (inside: number | null, between: number | null) =>
      inside === null && between === null
        ? ''
        : `similarity ${[inside === null ? '' : `${value(inside)} inside`, between === null ? '' : `${value(between)} to the next`].filter(Boolean).join(', ')}`,
    alikeNote:
      'Similarity of two sentences, at most 1: good cuts have much of it inside a chunk and little to the next.',
    agreement: ({ same, near, some }: Agreement) => {
      if (same + near + some === 0) return 'None of them cuts this text.';
      if (near + some === 0) return `They cut alike: ${count(same, 'cut')} at the same places.`;
      const what = [
        same > 0 ? `${number.format(same)} the same` : '',
        near > 0 ? `${number.format(near)} moved by a sentence or two` : '',
        some > 0 ? `${number.format(some)} not made by all` : '',
      ];
      return `${count(same + near + some, 'cut')}: ${what.filter(Boolean).join(', ')}.`;
    },
    picture: (methods: string[]) =>
      `The text from top to bottom, cut by ${methods.join(', by ')}; the list below says where they differ`,
    legend:
      'Threads join cuts at the same place, or moved by a sentence or two; an end without a thread is a cut that the other does not make.',
    page: (n: string) => `p. ${n}`,
    chunk: (letter: string, n: number, size: string, page: string) =>
      [`${letter} · chunk ${number.format(n)}`, size, page].filter(Boolean).join(' · '),
    differ: 'Where they differ',
    before: (page: string, text: string) => [page, `“${text}”`].filter(Boolean).join(' · '),
    cutsHere: (letters: string[]) => `cut by ${letters.join(' and ')}`,
    moved: 'moved',
    more: (n: number) => `… and ${count(n, 'more', 'more')}.`,
    /** On a wide screen, the comparison takes the place of the text. */
    place: {
      close: 'Close comparison',
      /** The choice of the text next to the first. */
      against: 'Text next to A',
      text: (letter: string) => `Text in the chunks of ${letter}`,
      strip: (letter: string, n: number) =>
        `${count(n, 'chunk')} of ${letter}, from the beginning of the text to its end`,
      only: (letters: string[]) => `in ${letters.join(' and ')} only`,
      moved: 'moved by a sentence or two',
      ask: 'Add a question',
      askHow: 'Select the passage that answers your question, then press “Add a question” or Q.',
      alone: 'Add a method to compare with.',
      noCuts: (letters: readonly string[]) => `${letters.join(' and ')} make no cut in this text.`,
      alike: (letters: readonly string[], n: number) =>
        `${letters.join(' and ')} cut at the same ${n === 1 ? 'place' : `${number.format(n)} places`}.`,
      two: ({ same, near }: Agreement, only: { letter: string; n: number }[]) =>
        sentence([
          same === 0 ? 'No cut is the same' : `${count(same, 'cut is', 'cuts are')} the same`,
          near > 0 ? `${count(near, 'is', 'are')} moved by a sentence or two` : '',
          ...only.map(({ letter, n }) => (n > 0 ? `${count(n, 'is', 'are')} in ${letter} only` : '')),
        ]),
      many: ({ same, near, some }: Agreement) =>
        sentence([
          same === 0 ? 'No cut is the same in all' : `${count(same, 'cut is', 'cuts are')} the same in all`,
          near > 0 ? `${count(near, 'is', 'are')} moved by a sentence or two` : '',
          some > 0 ? `${count(some, 'is', 'are')} not in all` : '',
        ]),
      firsts: (counts: { letter: string; n: number }[], of: number) =>
        sentence(
          counts.map(({ letter, n }, i) =>
            i === 0
              ? `${letter} finds ${number.format(n)} of ${count(of, 'answer')} first`
              : `${letter} ${number.format(n)} of ${number.format(of)}`,
          ),
        ),
      won: (best: string, others: readonly string[]) =>
        `${best} finds answers first more often than ${others.join(' and ')}.`,
      sure: (best: string) => `${best} stays ahead in at least 90\u00a0% of resamples of these questions.`,
      /** `needed` of 0 means that the number is not known. */
      undecided: (questions: number, needed: number) =>
        `No difference can be told with ${count(questions, 'question')}${needed > 0 ? `; about ${number.format(needed)} would tell it` : ''}.`,
      chance: 'That can be chance.',
    },
  },
  questions: {
    heading: (n: number) => (n === 0 ? 'Questions' : `Questions (${number.format(n)})`),
    none: 'Select what answers a question in the text and press Q. Each method compared is then judged by how well a search finds the answer in its chunks.',
    ask: 'Question…',
    askTitle: 'Ask what this answers (Q)',
    title: 'What question does this answer?',
    label: 'Question',
    again: 'The same question asked of another passage adds to its answer.',
    empty: 'Type a question.',
    keep: 'Keep',
    cancel: 'Cancel',
    close: 'Close',
    kept: (n: number) => `Question kept; there ${n === 1 ? 'is' : 'are'} ${number.format(n)} now, under Compare`,
    keptShow: 'Kept. Show under Compare',
    tooLong: (length: number, most: number) =>
      `${count(length, 'character')} are too long for an answer. Select at most ${number.format(most)}.`,
    tooMany: (most: number) => `This document has ${count(most, 'question')}, and no more are kept. Remove some first.`,
    remove: (question: string) => `Remove: ${question}`,
    removed: (question: string) => `Removed “${question.length > 40 ? `${question.slice(0, 38).trim()}…` : question}”.`,
    undo: 'Undo',
    back: 'The question is back.',
    gone: 'Its answer does not stand in this text any more.',
    rank: (n: number, share: number): string => (n === 0 ? 'not found' : `no. ${number.format(n)} · ${percent(share)}`),
    rankNamed: (letter: string, n: number, share: number) =>
      n === 0
        ? `${letter}: not among the first 20 chunks found`
        : `${letter}: chunk number ${number.format(n)} of those found is the first with a part of the answer; the first five have ${percent(share)} of it`,
    sum: (found: number, of: number, share: number, first: number) =>
      of === 0
        ? 'no answer stands in this text'
        : `found ${number.format(found)} of ${number.format(of)} · ${percent(share)} of the answers in the first ${number.format(first)}`,
    byWords: 'searched by words alone, as nothing is sent to compare',
    save: 'Save as JSON Lines',
    saveTitle: 'As seam eval retrieval --questions reads them',
    open: 'Add from a file…',
    openTitle: 'JSON Lines of {"question", "file", "excerpts"}',
    read: (added: number, left: number, unanswerable: number) =>
      [
        added > 0 ? `${count(added, 'question')} added.` : 'No question was added.',
        left > 0
          ? `${count(left, 'was', 'were')} left out: there already, of another file, or its answer does not stand in this text.`
          : '',
        unanswerable > 0
          ? `${count(unanswerable, 'question')} without an answer ${unanswerable === 1 ? 'is' : 'are'} for “Compare many…”, where answers are judged.`
          : '',
      ]
        .filter(Boolean)
        .join(' '),
    foreign: (name: string) =>
      `${name} holds no questions: a line is {"question", "file", "excerpts": ["verbatim text"]}.`,
  },
  chunks: {
    tab: 'Chunks',
    title: (n: number) => count(n, 'chunk'),
    some: (n: number, of: number) => `${number.format(n)} of ${count(of, 'chunk')}`,
    show: 'Which chunks are listed',
    kinds: {
      all: 'all',
      short: 'short ones',
      forced: 'cut by the maximum',
      hand: 'cut by hand',
      pages: 'across pages',
      block: 'that cut a table or code',
    },
    order: 'In which order chunks are listed',
    orders: { text: 'as in the text', short: 'shortest first', long: 'longest first' },
    empty: 'Chunks appear here once a document is open.',
    meta: (n: number, pages: string, size: string, reason: Reason, topic: TopicPart | null) =>
      [String(n), pages, size, shownReason(reason), topic ? `chunk ${topic.part} of ${topic.parts} on one topic` : '']
        .filter(Boolean)
        .join(' · '),
    plain: (n: number, pages: string, size: string, cut: string) =>
      [String(n), pages, size, cut].filter(Boolean).join(' · '),
    /** A warning with its remedy. */
    block: 'Cuts a table or code: raise the maximum, or merge it with the next.',
    /** The innermost section of a chunk, and its parent. */
    section: (path: string) => path.split(' › ').slice(-2).join(' › '),
    copy: 'Copy',
    copied: 'Copied',
    copyFailed: 'Not allowed here',
    save: 'Save',
    saveTitle: 'Save the chunks',
    report: 'Report, one HTML file to read and print',
    formats: {
      json: 'JSON, with the settings and the curve',
      jsonl: 'JSON Lines (JSONL)',
      langchain: 'JSON Lines for LangChain and LlamaIndex',
      csv: 'CSV for programs',
      spreadsheet: 'CSV for a spreadsheet, without formulas',
    },
    settings: 'Settings of JSON Lines or CSV, in a file of their own',
    offsets: 'Count start and end in',
    units: { bytes: 'bytes (UTF-8)', utf16: 'UTF-16 units (JavaScript, Java)', codepoints: 'characters (Python)' },
    more: (n: number) => `… and ${count(n, 'more', 'more')}. Save JSON has them all.`,
    sizes: (low: number, high: number, middle: number, unit: string) =>
      `Chunk sizes: ${number.format(low)} to ${length(high, unit)}, median ${number.format(middle)}`,
    bin: (from: number, to: number, n: number, unit: string) =>
      `${number.format(from)}–${number.format(to - 1)} ${unitWords(unit)[1]}: ${count(n, 'chunk')}`,
  },
});
