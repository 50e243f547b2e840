// Computes each method's result for the sample text, for pictures in the documentation.

import { readFileSync } from 'node:fs';
import { root, seam } from './seam.mjs';

const file = 'sample.txt';
const pictures = [
  ['semantic'], ['semantic', '0.25'], ['percentile', '90'], ['stddev', '1.5'], ['iqr', '0.75'], ['gradient', '90'],
  ['notebook-percentile', '20'], ['notebook-stddev'], ['notebook-iqr'],
  ['cluster'], ['sections'], ['recursive'], ['sentences'], ['page'], ['fixed'],
];

/**
 * Returns for each picture the command, the chunks and, if the method has one, the curve.
 * Places are shares of the text.
 */
export function curves() {
  const text = readFileSync(`${root}web/sample/${file}`, 'utf8');
  const bytes = Buffer.byteLength(text);
  const headings = [...text.matchAll(/^# .*$/gm)].slice(1).map((m) => Buffer.byteLength(text.slice(0, m.index)) / bytes);
  const gaps = { default: gapsOf('default', bytes), notebook: gapsOf('notebook', bytes) };
  return Object.fromEntries(pictures.map(([method, threshold]) => {
    const settings = ['--method', method, ...threshold ? ['--threshold', threshold] : []];
    const { chunks, curve } = JSON.parse(seam('chunk', ...settings, '--format', 'json', file));
    return [[method, threshold].filter(Boolean).join(' '), {
      command: `seam chunk ${settings.join(' ')} ${file}`,
      headings,
      chunks: chunks.map(({ start, end, tokens, reason }) => ({ from: start / bytes, to: end / bytes, tokens, reason })),
      curve: curve && drawn(curve, gaps[method.startsWith('notebook') ? 'notebook' : 'default']),
    }];
  }));
}

/** Returns the places of the gaps between sentences. */
function gapsOf(method, bytes) {
  const spans = seam('sentences', '--method', method, file).trim().split('\n').map((line) => JSON.parse(line));
  return spans.slice(1).map((span, i) => (spans[i].end + span.start) / 2 / bytes);
}

function drawn({ kind, values, threshold, boundaries }, gaps) {
  if (gaps.length !== values.length) throw new Error(`${kind}: ${values.length} values for ${gaps.length} gaps`);
  const bounds = new Set(boundaries);
  return { kind, threshold, points: values.map((value, i) => ({ at: gaps[i], value, cut: bounds.has(i) })) };
}
