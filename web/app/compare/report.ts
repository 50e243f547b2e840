// Writes a document and its chunking as one self-contained HTML file: settings, curve,
// sizes, compared methods, questions, chunks. In English, like all saved files.

import { ESTIMATED, type Settings } from '../../lib/cut.ts';
import style from '../../styles/report.css';
import { agreementOf, placesOf } from '../../lib/compare.ts';
import { downsample } from '../../lib/downsample.ts';
import { gapsOf, STATES } from '../../lib/gaps.ts';
import { extent, histogram, median } from '../../lib/histogram.ts';
import { partsOf } from '../../lib/overlap.ts';
import { sentenceAt } from '../../lib/sentence-at.ts';
import type { CurveKind } from '../../lib/api.ts';
import type { Chunking, Doc } from '../session/doc.ts';
import { h } from '../ground/dom.ts';
import type { Tried } from '../grid/tried.ts';
import { strings } from '../words/en/page.ts';
import { bars, reasonWords } from '../words/en/views.ts';
import { svg } from '../ground/svg.ts';

/** A compared method. */
export interface Compared {
  letter: string;
  label: string;
  setting: number | null;
  sizes: number[];
  /** The starts of its chunks. */
  starts: readonly number[];
  /** Pk against the first; null for the first itself. */
  pk: number | null;
  /** How a search finds the answers in its chunks; empty without questions. */
  found: string;
}

export interface ReportParts {
  doc: Doc;
  chunking: Chunking;
  /** The labels of its method and its embedder. */
  method: string;
  embedder: string;
  /** Empty without a comparison. */
  compared: readonly Compared[];
  /** Null if no grid was run. */
  tried: Tried | null;
  /** Milliseconds since 1970. */
  made: number;
}

const number = new Intl.NumberFormat('en');
const rounded = (value: number): string => String(Number(value.toPrecision(3)));
/** Formats a value of a curve. A strength curve has logarithms. */
const onCurve = (kind: CurveKind, value: number): string => rounded(kind === 'strength' ? 2 ** value : value);
/** Nothing in the file may run or be fetched, because the document is untrusted. */
const POLICY = "default-src 'none'; style-src 'unsafe-inline'";
const WIDTH = 1000;
const HEIGHT = 160;

export function reportOf(parts: ReportParts): string {
  const { doc, chunking, compared, tried } = parts;
  const body = document.createElement('body');
  body.append(
    h(
      'main',
      {},
      heading(parts),
      settingsOf(parts),
      ...curveOf(chunking),
      ...sizesOf(chunking),
      ...(compared.length > 1 ? comparison(chunking, compared) : []),
      ...(tried ? settingsTried(tried) : []),
      ...questionsOf(doc),
      ...chunksOf(chunking),
    ),
  );
  const head = document.createElement('head');
  head.append(
    h('meta', { charset: 'utf-8' }),
    h('meta', { 'http-equiv': 'Content-Security-Policy', content: POLICY }),
    h('meta', { name: 'viewport', content: 'width=device-width' }),
    h('title', {}, `Chunks of ${doc.name}`),
  );
  return `<!DOCTYPE html>\n<html lang="en">${head.outerHTML.replace('</head>', `<style>${style}</style></head>`)}${body.outerHTML}</html>\n`;
}

function heading({ doc, made }: ReportParts): HTMLElement {
  const pages = doc.opened?.pages ?? 0;
  const about = [
    pages > 1 ? `${number.format(pages)} pages` : '',
    `${number.format(doc.size)} bytes`,
    new Intl.DateTimeFormat('en', { dateStyle: 'long', timeStyle: 'short' }).format(made),
  ];
  return h(
    'header',
    {},
    h('p', { class: 'brand' }, 'Seam'),
    h('h1', { dir: 'auto' }, doc.name),
    h('p', { class: 'soft' }, about.filter(Boolean).join(' · ')),
  );
}

function settingsOf({ chunking, method, embedder }: ReportParts): HTMLElement {
  const { result, settings, unit } = chunking;
  const { minTokens, maxTokens, overlap, headers } = JSON.parse(settings || '{}') as Settings;
  const of =
    unit === 'chars'
      ? 'characters'
      : unit === 'words'
        ? 'words'
        : unit === ESTIMATED
          ? 'estimated tokens'
          : unit
            ? `tokens of ${unit}`
            : 'tokens';
  const rows: [string, string][] = [
    ['Method', result.setting === null ? method : `${method}, ${rounded(result.setting)}`],
    ['Threshold', result.threshold === null ? '' : onCurve(result.curve, result.threshold)],
    ['Embedder', embedder],
    ['Text', result.view === 'content' ? 'without page headers and contents' : 'as it is read'],
    [
      'Lengths',
      [
        `in ${of}`,
        minTokens ? `at least ${number.format(minTokens)}` : '',
        maxTokens ? `at most ${number.format(maxTokens)}` : '',
        overlap ? `overlap ${number.format(overlap)}` : '',
      ]
        .filter(Boolean)
        .join(', '),
    ],
    ['Headers', headers ? 'titles stand before each chunk where it is embedded' : ''],
    ['By hand', result.edits.count > 0 ? `${number.format(result.edits.count)} changes` : ''],
  ];
  return h(
    'dl',
    {},
    ...rows.filter(([, value]) => value).flatMap(([name, value]) => [h('dt', {}, name), h('dd', {}, value)]),
  );
}

// ---- pictures

const picture = (label: string, height: number, ...children: Node[]): SVGElement =>
  svg(
    'svg',
    { viewBox: `0 0 ${WIDTH} ${height}`, role: 'img', 'aria-label': label, preserveAspectRatio: 'none' },
    ...children,
  );

/** Draws the curve with the line and the cuts; returns nothing if the method has no curve. */
function curveOf(chunking: Chunking): Node[] {
  const { curve, result } = chunking;
  if (curve.length === 0) return [];
  const lowest = result.curve === 'similarity';
  const drawnGaps = downsample(curve, WIDTH / 2, lowest);
  const line = result.threshold;
  const [low, high] = extent([...extent(curve), ...(line === null ? [] : [line])]);
  const scale = (v: number) => HEIGHT * (high > low ? (v - low) / (high - low) : 1);
  const { states, counts } = gapsOf(chunking);
  const width = WIDTH / drawnGaps.length;
  const drawn = drawnGaps.map(({ first, last, value }, i) => {
    const cut = states.subarray(first, last).some((state) => state > 0 && STATES[state] !== 'joined');
    const top = Math.max(1, scale(value));
    return svg('rect', {
      class: cut ? 'cut' : 'gap',
      x: (i * width).toFixed(2),
      y: (HEIGHT - top).toFixed(2),
      width: Math.max(1, width * 0.8).toFixed(2),
      height: top.toFixed(2),
    });
  });
  if (line !== null)
    drawn.push(
      svg('line', {
        class: 'line',
        x1: 0,
        x2: WIDTH,
        y1: (HEIGHT - scale(line)).toFixed(2),
        y2: (HEIGHT - scale(line)).toFixed(2),
      }),
    );
  const said = [
    `${number.format(counts.made)} cuts made`,
    counts.inner ? `${number.format(counts.inner)} at inner boundaries for the maximum` : '',
    counts.forced ? `${number.format(counts.forced)} forced by the maximum` : '',
    counts.hand ? `${number.format(counts.hand)} by hand` : '',
    counts.joined ? `${number.format(counts.joined)} joined for the minimum` : '',
  ]
    .filter(Boolean)
    .join(', ');
  const name = bars[result.curve];
  return [
    h('h2', {}, name),
    picture(`${name}: ${said}`, HEIGHT, ...drawn),
    h(
      'p',
      { class: 'soft' },
      `${said}${line === null ? '' : `; the line is at ${onCurve(result.curve, line)}`}. From the beginning of the text to its end.`,
    ),
  ];
}

/** Draws a histogram of chunk lengths, with bars below `most`. */
function barsOf(sizes: number[], range: [number, number], most: number, label: string, bins = 40): SVGElement {
  const counts = histogram(sizes, bins, range);
  const width = WIDTH / counts.length;
  return picture(
    label,
    60,
    ...counts.map(({ count }, i) =>
      svg('rect', {
        class: 'gap',
        x: (i * width).toFixed(2),
        y: (60 - (60 * count) / most).toFixed(2),
        width: (width * 0.9).toFixed(2),
        height: ((60 * count) / most).toFixed(2),
      }),
    ),
  );
}

const most = (sizes: number[], range: [number, number], bins = 40): number =>
  Math.max(1, ...histogram(sizes, bins, range).map(({ count }) => count));

function told(sizes: number[]): string {
  if (sizes.length === 0) return 'no chunks';
  const [low, high] = extent(sizes);
  return `${number.format(sizes.length)} ${sizes.length === 1 ? 'chunk' : 'chunks'}, ${number.format(low)} to ${number.format(high)}, median ${number.format(median(sizes))}`;
}

function sizesOf({ result: { chunks } }: Chunking): Node[] {
  const sizes = chunks.map(({ tokens }) => tokens);
  if (sizes.length < 2) return [];
  const range = extent(sizes);
  return [
    h('h2', {}, 'Lengths'),
    barsOf(sizes, range, most(sizes, range), `Lengths: ${told(sizes)}`),
    h('p', { class: 'soft' }, `${told(sizes)}.`),
  ];
}

// ---- tables

function table(head: string[], rows: (string | Node)[][]): HTMLElement {
  return h(
    'div',
    { class: 'wide' },
    h(
      'table',
      {},
      h('thead', {}, h('tr', {}, ...head.map((each) => (each ? h('th', { scope: 'col' }, each) : h('td'))))),
      h('tbody', {}, ...rows.map((row) => h('tr', {}, ...row.map((each) => h('td', {}, each))))),
    ),
  );
}

function comparison({ sentences, text }: Chunking, compared: readonly Compared[]): Node[] {
  const asked = compared.some(({ found }) => found);
  const range = extent(compared.flatMap(({ sizes }) => sizes));
  const rows = compared.map(({ letter, label, setting, sizes, pk, found }) => [
    letter,
    setting === null ? label : `${label}, ${rounded(setting)}`,
    told(sizes),
    barsOf(sizes, range, most(sizes, range), `Lengths of ${letter}`),
    pk === null ? '–' : pk.toFixed(3),
    ...(asked ? [found] : []),
  ]);
  const places = placesOf(
    compared.map(({ starts }) => starts.slice(1)),
    (at) => sentenceAt(sentences, at),
  );
  const { same, near, some } = agreementOf(places);
  const length = Math.max(1, text.text.length);
  const ribbons = compared.map(({ letter, starts }) =>
    h(
      'div',
      { class: 'ribbon' },
      h('b', {}, letter),
      picture(
        `Cuts of ${letter}`,
        24,
        ...starts.slice(1).map((at) =>
          svg('line', {
            class: 'line',
            x1: ((WIDTH * at) / length).toFixed(2),
            x2: ((WIDTH * at) / length).toFixed(2),
            y1: 0,
            y2: 24,
          }),
        ),
      ),
    ),
  );
  return [
    h('h2', {}, 'Methods compared'),
    table(['', 'Method', 'Chunks', 'Lengths', 'Pk', ...(asked ? ['Answers found'] : [])], rows),
    h(
      'p',
      { class: 'soft' },
      `Of ${number.format(places.length)} cuts ${number.format(same)} are made by all at the same place, ${number.format(near)} by all within a sentence or two, ${number.format(some)} not by all. Pk is how often two sentences half a chunk apart are together in one and apart in the other: 0 is the same as ${compared[0]?.letter ?? 'A'}.`,
    ),
    ...ribbons,
  ];
}

const share = (value: number): string => (100 * value).toFixed(1);

function settingsTried({ goal, questions, rows }: Tried): Node[] {
  return [
    h('h2', {}, 'Settings tried'),
    table(
      ['Setting', `Share of the answers ${goal}, per cent`, '95 % interval', 'To the best', 'Chunks', 'Median length'],
      rows.map(({ name, mean, low, high, tie, chunks, median: length }, i) => [
        name,
        share(mean),
        low === null || high === null ? '–' : `${share(low)} to ${share(high)}`,
        i === 0 ? 'best' : tie ? 'tie' : 'worse',
        number.format(chunks),
        number.format(length),
      ]),
    ),
    h(
      'p',
      { class: 'soft' },
      `Of ${number.format(questions)} ${questions === 1 ? 'question' : 'questions'}, the best first. A tie does not differ measurably from the best on them.`,
    ),
  ];
}

function questionsOf({ questions }: Doc): Node[] {
  if (questions.length === 0) return [];
  return [
    h('h2', {}, 'Questions'),
    h(
      'ol',
      { class: 'questions' },
      ...questions.map(({ question, excerpts }) =>
        h(
          'li',
          {},
          h('p', { dir: 'auto' }, question),
          ...excerpts.map((excerpt) => h('blockquote', { dir: 'auto' }, excerpt)),
        ),
      ),
    ),
  ];
}

function chunksOf({ result: { chunks }, text }: Chunking): Node[] {
  const { own } = partsOf(chunks, text.text);
  return [
    h('h2', {}, 'Chunks'),
    ...chunks.map((chunk, i) => {
      const pages = text.pages.length > 1 && chunk.pages.length > 0 ? strings.pagesOf(chunk.pages, chunk.labels) : '';
      const from = own[i]?.start ?? chunk.start;
      return h(
        'article',
        { id: `chunk-${i + 1}` },
        h(
          'h3',
          {},
          [String(i + 1), number.format(chunk.tokens), pages, `ends: ${reasonWords(chunk.reason)}`]
            .filter(Boolean)
            .join(' · '),
        ),
        chunk.section ? h('p', { class: 'soft', dir: 'auto' }, chunk.section) : null,
        h(
          'p',
          { class: 'text', dir: 'auto' },
          from > chunk.start ? h('span', { class: 'soft' }, text.text.slice(chunk.start, from)) : null,
          text.text.slice(from, chunk.end),
        ),
      );
    }),
  ];
}
