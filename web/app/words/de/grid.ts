// German: many settings compared by a document's questions.

import type { Words } from '../words.ts';
import { count, number, unitWords, value } from '../german/helpers.ts';

const percent = new Intl.NumberFormat('de', { style: 'percent', maximumFractionDigits: 1 });
const share = (value: number): string => percent.format(value);
const points = (value: number): string => number.format(Math.round(1000 * value) / 10);
/** Dative: “in 1.000 Wörtern”. */
const inUnit = (unit: string): string => (unit === 'words' ? 'Wörtern' : unitWords(unit)[1]);
const modes: Words['grid']['mode'] = { hybrid: 'Wörter und Ähnlichkeit', dense: 'Ähnlichkeit', keyword: 'Wörter' };

export const grid: Words['grid'] = {
  title: 'Welche Einstellung findet die Antworten?',
  intro: (questions, judged) =>
    `Jedes Verfahren schneidet das Dokument in jeder Größe, und eine Suche sucht ${questions === 1 ? 'die Antwort auf seine Frage' : `die Antworten auf seine ${number.format(questions)} Fragen`}. Nichts wird gesendet${judged ? ', bevor Sie auf Senden drücken' : ''}, und was zu sehen ist, bleibt, wie es ist.`,
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
  tokensHint:
    'So viele der besten Abschnitte werden bewertet, wie hineinpassen, damit lange keinen Vorteil haben. Die erste Zahl ordnet die Einstellungen.',
  settings: (n) => count(n, 'Einstellung', 'Einstellungen'),
  tooMany: (n, most) =>
    `${number.format(n)} Einstellungen sind zu viele auf einmal; ${number.format(most)} sind das Höchste.`,
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
    [method, size > 0 ? `bis ${count(size, ...unitWords(unit))}` : '', mode ? modes[mode] : '', embedder]
      .filter(Boolean)
      .join(' · '),
  best: (name, goal, value) => `Am besten: ${name}, mit ${share(value)} der Antworten ${goal}.`,
  undecided: (questions, needed) =>
    `Mit ${count(questions, 'Frage', 'Fragen')} lässt sich kein Unterschied feststellen${needed > 0 ? `; etwa ${number.format(needed)} würden reichen` : ''}.`,
  withEqual: (name, equal) => (equal > 0 ? `${name} und ${count(equal, 'andere', 'andere')}` : name),
  first: (name, goal, value) => `Am höchsten: ${name}, mit ${share(value)} der Antworten ${goal}.`,
  inTokens: (n, unit) => `in ${number.format(n)}\u00a0${inUnit(unit)}`,
  among: (k) => (k === 1 ? 'im ersten Abschnitt' : `in den ersten ${number.format(k)} Abschnitten`),
  ties: (n) =>
    `${count(n, 'andere Einstellung ist', 'andere Einstellungen sind')} bei diesen Fragen gleichauf: Wählen Sie die mit weniger oder kürzeren Abschnitten, oder stellen Sie mehr Fragen.`,
  halves: (unseen, seen) =>
    `Nach der einen Hälfte der Fragen gewählt und an der anderen gemessen sind es ${share(unseen)}; die höchste sieht nach ${share(seen)} aus, weil dieselben Fragen sie gewählt haben.`,
  table: 'Einstellungen, der höchste Anteil zuerst',
  columns: {
    setting: 'Einstellung',
    against: 'Zur höchsten',
    chunks: 'Abschnitte',
    median: 'Median',
    mrr: 'MRR',
    acts: 'Nehmen oder vergleichen',
  },
  inTokensShort: (n, unit) => `In ${number.format(n)}\u00a0${inUnit(unit)}`,
  recall: (k) => `Recall bei ${number.format(k)}`,
  success: (k) => `Gefunden bei ${number.format(k)}`,
  isBest: 'die beste',
  isFirst: 'die höchste',
  inUse: 'in Gebrauch',
  tie: 'gleichauf',
  share,
  mean: value,
  points,
  interval: (low, high) => `${points(low)} bis ${points(high)}`,
  use: 'Nehmen',
  useNamed: (name) => `${name} nehmen`,
  used: (name) => `Im Gebrauch: ${name}`,
  compare: 'Vergleichen',
  compareNamed: (name) => `${name} mit dem vergleichen, was im Gebrauch ist`,
  plot: (goal, unit) => `Anteil der Antworten ${goal}, nach der mittleren Länge der Abschnitte in ${inUnit(unit)}`,
  plotSaid: (first) =>
    `Anteil der Antworten nach der Länge der Abschnitte; am höchsten ist ${first}. Die Tabelle darunter hat alle Zahlen.`,
  saveCsv: 'Als CSV speichern',
  saveJson: 'Als JSON speichern',
  saved: 'Wie seam eval grid es ausgibt',
};

/** A cost in dollars, with the significant digits only. */
function cost(dollars: number | null): string {
  if (dollars === null) return 'zu einem Preis, den der Proxy nicht kennt';
  if (dollars === 0) return 'kostenlos';
  if (dollars < 0.0001) return 'für weniger als 0,0001\u00a0$';
  return `für etwa ${(dollars >= 0.01 ? dollars.toFixed(2) : String(Number(dollars.toPrecision(1)))).replace('.', ',')}\u00a0$`;
}

const requests = (n: number) => count(n, 'Anfrage', 'Anfragen');
const answers = (n: number) => count(n, 'Antwort', 'Antworten');
const settings = (n: number) => count(n, 'Einstellung', 'Einstellungen');
const scoreNames = { faithfulness: 'Belegt', relevancy: 'Treffend' };

export const judged: Words['judged'] = {
  legend: 'Antworten',
  offer: 'Antworten, von einem Modell bewertet',
  about: (n, questions, unanswerable, passages, times) =>
    `Ein Modell beantwortet jede Frage aus ${passages === 1 ? 'dem besten Abschnitt' : `den ${number.format(passages)} besten Abschnitten`} jeder Einstellung, und ein Modell bewertet, wie weit die bekannte Antwort das belegt und wie weit es die Frage beantwortet.${
      n * questions > 0
        ? ` Höchstens ${requests(n * times * (3 * questions + unanswerable))}: ${settings(n)} × ${count(questions, 'Frage', 'Fragen')} × (eine Antwort + zwei Urteile)${unanswerable > 0 ? `, und eine Antwort auf jede von ${number.format(unanswerable)} weiteren` : ''}${times > 1 ? `, ${number.format(times)}-mal` : ''}. Was sie kosten, steht da, bevor etwas gesendet wird.`
        : ''
    }`,
  model: 'Modell, das antwortet',
  judge: 'Modell, das bewertet',
  times: 'Antworten auf jede Frage',
  timesHint: 'Mehrere zeigen, wie weit ein Modell mit sich übereinstimmt.',
  unanswerable: 'Fragen, auf die das Dokument keine Antwort hat',
  unanswerableHint: 'Eine je Zeile, wenn Sie möchten: Dort ist eine Weigerung richtig.',
  noModel: (host) => `${host} hat kein Modell, das Fragen beantwortet.`,
  closed: (host) =>
    `${host} antwortet nur mit dem eigenen Prompt, sodass Antworten hier nicht bewertet werden können. Die Befehlszeile kann es: seam eval grid --model.`,
  consentTitle: 'Noch ist nichts gesendet',
  consent: (n, judgements, tokens, dollars, model, judge, host) => {
    const asked = n > 0 ? `${count(n, 'Frage mit ihren', 'Fragen mit ihren')} Textstellen` : '';
    const judging =
      judgements > 0 ? `${count(judgements, 'Urteil', 'Urteile')} über ${n > 0 ? 'die ' : ''}Antworten` : '';
    const whom =
      model === judge || !asked || !judging
        ? `${[asked, judging].filter(Boolean).join(' und ')} an ${asked ? model : judge}`
        : `${asked} an ${model} und ${judging} an ${judge}`;
    return `${requests(n + judgements)} ${n + judgements === 1 ? 'wird' : 'werden'} über ${host} gesendet: ${whom}. Das sind etwa ${count(Number(tokens.toPrecision(2)), 'Token', 'Token')}, ${cost(dollars)}.`;
  },
  same: 'Was mehrere Einstellungen gleich gefunden haben, wird einmal gesendet.',
  send: 'Senden',
  sendRest: 'Den Rest senden',
  notNow: 'Nicht jetzt',
  looking: 'Sieht nach, was zu fragen ist …',
  progress: (done, of) => `${number.format(done)} von ${answers(of)}`,
  kept: (done, of) =>
    `${number.format(done)} von ${answers(of)} ${done === 1 ? 'ist' : 'sind'} da und bleiben erhalten. „Starten“ fragt nur nach dem Rest.`,
  stopped: 'Angehalten.',
  flaws: ({ unscored, cut }) =>
    [
      unscored > 0
        ? `${count(unscored, 'Urteil war keine Bewertung und zählt', 'Urteile waren keine Bewertung und zählen')} als 0.`
        : '',
      cut > 0
        ? `${count(cut, 'Antwort wurde abgeschnitten oder war', 'Antworten wurden abgeschnitten oder waren')} nicht zu gebrauchen.`
        : '',
    ]
      .filter(Boolean)
      .join(' '),
  best: (name, quality) => `Beste Antworten: ${name}, mit ${share(quality)} für Belegtes und Treffendes zusammen.`,
  first: (name, quality) =>
    `Höchste Güte der Antworten: ${name}, mit ${share(quality)} für Belegtes und Treffendes zusammen.`,
  ties: (n) => `${count(n, 'andere Einstellung ist', 'andere Einstellungen sind')} bei diesen Antworten gleichauf.`,
  halves: (unseen, seen) =>
    `Nach den Antworten auf die eine Hälfte der Fragen gewählt und an der anderen gemessen sind es ${share(unseen)}; die höchste sieht nach ${share(seen)} aus.`,
  columns: {
    faithfulness: 'Belegt',
    relevancy: 'Treffend',
    against: 'Zur höchsten Güte',
    refused: 'Verweigert',
    rightly: 'Zu Recht verweigert',
    spread: 'Streuung',
    cost: '1.000 Antworten',
    read: 'Token je Antwort',
  },
  money: (dollars) =>
    `${(dollars >= 0.01 || dollars === 0 ? dollars.toFixed(2) : String(Number(dollars.toPrecision(1)))).replace('.', ',')}\u00a0$`,
  of: (n, all) => `${number.format(n)} von ${number.format(all)}`,
  nth: (question, n) => `${question} (${number.format(n)})`,
  open: 'Antworten',
  openNamed: (name) => `Antworten von ${name}`,
  score: (name, value) => `${scoreNames[name]}: ${number.format(value)}`,
  refusedHere: 'Verweigert: zählt als 0',
  refusedRightly: 'Zu Recht verweigert: Das Dokument hat keine Antwort',
  answeredWrongly: 'Beantwortet, obwohl das Dokument keine Antwort hat',
  empty: 'Es kam keine Antwort.',
  unread: (name, said) =>
    `${scoreNames[name]} zählt als 0, weil dies keine Bewertung ist: „${said.length > 80 ? `${said.slice(0, 80)}…` : said}“`,
  passages: (n) => count(n, 'Textstelle', 'Textstellen'),
  noPassage: 'Keine Textstelle wurde gefunden: Die Frage ging allein.',
};
