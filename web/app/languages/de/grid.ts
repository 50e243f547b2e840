// German: many settings compared by a document's questions.

import type { Words } from '../words.ts';
import { count, number, unitWords } from './helpers.ts';

const percent = new Intl.NumberFormat('de', { style: 'percent', maximumFractionDigits: 1 });
const share = (value: number): string => percent.format(value);
const points = (value: number): string => number.format(Math.round(1000 * value) / 10);
/** Dative: “in 1.000 Wörtern”. */
const inUnit = (unit: string): string => (unit === 'words' ? 'Wörtern' : unitWords(unit)[1]);
const modes: Words['grid']['mode'] = { hybrid: 'Wörter und Ähnlichkeit', dense: 'Ähnlichkeit', keyword: 'Wörter' };

export const grid: Words['grid'] = {
  title: 'Welche Einstellung findet die Antworten?',
  intro: (questions) => `Jedes Verfahren schneidet das Dokument in jeder Größe, und eine Suche sucht ${questions === 1 ? 'die Antwort auf seine Frage' : `die Antworten auf seine ${number.format(questions)} Fragen`}. Nichts wird gesendet, und was zu sehen ist, bleibt, wie es ist.`,
  none: 'Noch gibt es keine Frage, deren Antwort in diesem Text steht. Wählen Sie aus, was eine beantwortet, drücken Sie Q und tippen Sie die Frage, oder fügen Sie unter „Vergleichen“ eine Datei mit Fragen hinzu. Zehn und mehr unterscheiden Einstellungen.',
  sample: (n) => `${number.format(n)} Fragen zum Beispiel übernehmen`,
  few: 'So wenige Fragen zeigen nur große Unterschiede.',
  methods: 'Verfahren',
  sizes: (unit) => `Größter Abschnitt, in ${inUnit(unit)}`,
  sizesHint: 'Mehrere mit Kommas; 0 ist, was das Verfahren von selbst hat.',
  overlap: 'Überlappung',
  embedders: 'Embeddings',
  modes: 'Suche nach',
  mode: modes,
  depths: 'Erste Abschnitte, die bewertet werden',
  tokens: (unit) => `Platz für Stellen, in ${inUnit(unit)}`,
  tokensHint: 'So viele der besten Abschnitte werden bewertet, wie hineinpassen, damit lange keinen Vorteil haben. Die erste Zahl ordnet die Einstellungen.',
  settings: (n) => count(n, 'Einstellung', 'Einstellungen'),
  tooMany: (n, most) => `${number.format(n)} Einstellungen sind zu viele auf einmal; ${number.format(most)} sind das Höchste.`,
  badList: (label) => `${label}: Tippen Sie ganze Zahlen mit Kommas dazwischen.`,
  badOverlap: 'Die Überlappung muss kleiner sein als der kleinste Abschnitt.',
  nothing: 'Wählen Sie mindestens ein Verfahren, eine Art der Suche und eine Art der Embeddings.',
  noBudget: 'Tippen Sie, wie viele der ersten Abschnitte bewertet werden, oder wie viele Token.',
  run: 'Starten',
  stop: 'Anhalten',
  close: 'Schließen',
  progress: (done, of, name) => `Einstellung ${number.format(done + 1)} von ${number.format(of)}: ${name}`,
  stopped: (done, of) => `Angehalten nach ${number.format(done)} von ${number.format(of)}. „Starten“ fährt dort fort.`,
  changed: 'Das Dokument hat sich inzwischen geändert. „Starten“ misst es neu.',
  failed: (name, why) => `${name}: ${why}`,
  setting: (method, size, unit, embedder, mode) =>
    [method, size > 0 ? `bis ${count(size, ...unitWords(unit))}` : '', mode ? modes[mode] : '', embedder].filter(Boolean).join(' · '),
  best: (name, goal, value) => `Am besten: ${name}, mit ${share(value)} der Antworten ${goal}.`,
  inTokens: (n, unit) => `in ${number.format(n)}\u00a0${inUnit(unit)}`,
  among: (k) => (k === 1 ? 'im ersten Abschnitt' : `in den ersten ${number.format(k)} Abschnitten`),
  ties: (n) => `${count(n, 'andere Einstellung ist', 'andere Einstellungen sind')} nach diesen Fragen nicht davon zu unterscheiden: Nehmen Sie die mit weniger oder kürzeren Abschnitten, oder fragen Sie mehr.`,
  halves: (unseen, seen) => `Nach der einen Hälfte der Fragen gewählt und an der anderen gemessen sind es ${share(unseen)}; die beste von allen sieht nach ${share(seen)} aus, da dieselben Fragen sie gewählt haben.`,
  table: 'Einstellungen, die beste zuerst',
  columns: { setting: 'Einstellung', against: 'Zur besten', chunks: 'Abschnitte', median: 'Median', mrr: 'MRR', acts: 'Nehmen oder vergleichen' },
  inTokensShort: (n, unit) => `In ${number.format(n)}\u00a0${inUnit(unit)}`,
  recall: (k) => `Recall bei ${number.format(k)}`,
  success: (k) => `Gefunden bei ${number.format(k)}`,
  isBest: 'die beste',
  tie: 'gleichauf',
  share,
  points,
  interval: (low, high) => `${points(low)} bis ${points(high)}`,
  use: 'Nehmen',
  useNamed: (name) => `${name} nehmen`,
  used: (name) => `Im Gebrauch: ${name}`,
  compare: 'Vergleichen',
  compareNamed: (name) => `${name} mit dem vergleichen, was im Gebrauch ist`,
  plot: (goal, unit) => `Anteil der Antworten ${goal}, nach der mittleren Länge der Abschnitte in ${inUnit(unit)}`,
  plotSaid: (best) => `Anteil der Antworten nach der Länge der Abschnitte; die beste ist ${best}. Die Tabelle darunter hat alle Zahlen.`,
  saveCsv: 'Als CSV speichern',
  saveJson: 'Als JSON speichern',
  saved: 'Wie seam eval grid es ausgibt',
};
