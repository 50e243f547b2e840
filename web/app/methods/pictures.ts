// The pictures of the methods by name. A new method needs a row here and its words in
// words/en/methods.ts.

import { band, box, curve, HEIGHT, inOrder, line, picture, rect, steps, WIDTH } from './curves.ts';
import {
  alike,
  clustered,
  deviation,
  DISTANCES,
  filled,
  gradient,
  mean,
  PARAGRAPHS,
  passing,
  percentile,
  quartiles,
  sentenceEnds,
  SIMILARITIES,
  STRENGTHS,
  SUBJECTS,
  windows,
} from './rules.ts';

/** Draws how a method works; `setting` is its default number. */
type Picture = (setting: number) => SVGElement;

const first = (values: readonly number[]) => percentile(values, 25);

export const PICTURES: Readonly<Record<string, Picture>> = {
  semantic: (coarseness) => topics(Math.log2(coarseness)),
  percentile: (p) => curve(DISTANCES, percentile(DISTANCES, p), inOrder),
  stddev: (factor) => curve(DISTANCES, mean(DISTANCES) + factor * deviation(DISTANCES), steps),
  iqr: (factor) => curve(DISTANCES, mean(DISTANCES) + factor * quartiles(DISTANCES), box(mean)),
  gradient: (p) => curve(gradient(DISTANCES), percentile(gradient(DISTANCES), p), inOrder),
  cluster: () => pairs(),
  sections: () => headings(),
  page: () => pages(),
  sentences: () => inText(sentenceEnds().map(({ end }) => end)),
  recursive: () => inText(filled(MOST), MOST),
  fixed: () => inText(windows(MOST), MOST),
  'notebook-percentile': (p) => curve(SIMILARITIES, percentile(SIMILARITIES, p), inOrder, true),
  'notebook-stddev': (factor) =>
    curve(SIMILARITIES, mean(SIMILARITIES) - factor * deviation(SIMILARITIES), steps, true),
  'notebook-iqr': () => curve(SIMILARITIES, first(SIMILARITIES) - 1.5 * quartiles(SIMILARITIES), box(first), true),
};

/** The maximum where there is one, in the unit of PARAGRAPHS. */
const MOST = 30;

/**
 * Draws the topics at three coarseness levels above each other. Those at the line are the
 * chunks.
 */
function topics(at: number): SVGElement {
  const [bottom, unit] = [36, 5.6];
  const whole = STRENGTHS.length + 1;
  const place = (i: number) => (WIDTH * (i + 1)) / whole;
  const height = (v: number) => bottom - (v - Math.min(...STRENGTHS)) * unit * 0.9;
  const level = (v: number, name: string) => {
    const ends = [...passing(STRENGTHS, v).map(place), WIDTH];
    return ends.map((end, i) => line(name, (ends[i - 1] ?? 0) + 1.5, height(v), end - 1.5, height(v)));
  };
  const cuts = passing(STRENGTHS, at);
  // There is a heading where two of the topics begin.
  const titles = [-1, ...cuts.filter((_, i) => i % 2 === 1)].map((i) =>
    rect('heading', i < 0 ? 0.5 : place(i) + 0.5, 40, 14, 3.5),
  );
  return picture(
    ...level(-2, 'level'),
    ...level(2, 'level'),
    ...level(at, 'level chosen'),
    ...STRENGTHS.map((v, i) =>
      line(cuts.includes(i) ? 'boundary cut-line' : 'boundary', place(i), bottom, place(i), height(v)),
    ),
    ...titles,
    ...band([...cuts.map((i) => i + 1), whole], whole),
  );
}

/** Draws each sentence with its neighbours; a stronger colour means greater similarity. */
function pairs(): SVGElement {
  const n = SUBJECTS.length;
  const half = WIDTH / n / 2;
  const ends = clustered();
  const chunkOf = (i: number) => ends.findIndex((end) => i < end);
  const cells: SVGElement[] = [];
  for (let a = 0; a < n; a++) {
    for (let b = a + 1; b < n && b - a < 5; b++) {
      const [x, y] = [(a + b + 1) * half, 44 - (b - a) * half * 1.6];
      const same = chunkOf(a) === chunkOf(b);
      const cell = rect(same ? `k${chunkOf(a) % 5}` : 'other', x - 3.4, y - 3, 6.8, 6.4, 1);
      cell.setAttribute('fill-opacity', String(Math.round(100 * alike(a, b)) / 100));
      cells.push(cell);
    }
  }
  return picture(...cells, ...band(ends, n));
}

/** Draws a text as a row of sentences. `most` is the maximum, drawn as a frame. */
function inText(ends: readonly number[], most = 0): SVGElement {
  const whole = PARAGRAPHS.flat().reduce((sum, length) => sum + length, 0);
  const x = (at: number) => (WIDTH * at) / whole;
  let at = 0;
  const sentences = sentenceEnds().map(({ end, paragraph }) => {
    const part = rect('words', x(at) + 0.5, 5, x(end - at) - (paragraph ? 3 : 1), 7, 1);
    at = end;
    return part;
  });
  const frames = ends.flatMap((end, i) => {
    const start = ends[i - 1] ?? 0;
    const y = 19 + (i % 2) * 13;
    return most === 0
      ? []
      : [
          rect('room', x(start) + 0.75, y, Math.min(x(most), WIDTH - x(start)) - 1.5, 9, 1.5),
          rect('full', x(start) + 0.75, y, x(end - start) - 1.5, 9, 1.5),
        ];
  });
  return picture(
    ...sentences,
    ...frames,
    ...ends.slice(0, -1).map((end) => line('end', x(end) - 0.5, 2, x(end) - 0.5, 46)),
    ...band(ends, whole),
  );
}

/**
 * Lines of a text under headings. The first number is a heading's level, or 0 for a line of
 * text.
 */
const OUTLINE: readonly (readonly [level: number, width: number])[] = [
  [1, 62],
  [0, 150],
  [0, 128],
  [2, 48],
  [0, 140],
  [0, 144],
  [0, 82],
  [2, 56],
  [0, 138],
  [0, 112],
  [1, 70],
  [0, 148],
  [0, 96],
];

/** Draws a chunk for each heading and the text below it. */
function headings(): SVGElement {
  const step = HEIGHT / OUTLINE.length;
  let [chunk, indent] = [-1, 0];
  const lines = OUTLINE.flatMap(([level, width], i) => {
    if (level > 0) [chunk, indent] = [chunk + 1, (level - 1) * 12];
    const x = 8 + indent;
    const y = i * step + (level > 0 && i > 0 ? 0.9 : 0);
    return [
      rect(`k${chunk % 5}`, indent, y, 3, step + 0.1),
      level > 0 ? rect('heading', x, y + 0.2, width, 3.1) : rect('words', x, y + 0.9, Math.min(width, WIDTH - x), 1.8),
    ];
  });
  return picture(...lines);
}

/** Draws pages side by side, one chunk each. */
function pages(): SVGElement {
  const sheets = Array.from({ length: 4 }, (_, n) => {
    const x = 2 + n * 40;
    const lines = Array.from({ length: n === 3 ? 4 : 8 }, (_, i) =>
      rect('words', x + 5, 6 + i * 5.6, [26, 24, 26, 17][(i + n) % 4] ?? 0, 2),
    );
    return [rect('sheet', x, 1, 36, 54, 2), ...lines, rect(`k${n % 5}`, x, 1, 2.5, 54)];
  });
  return picture(...sheets.flat());
}
