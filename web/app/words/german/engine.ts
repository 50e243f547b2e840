// What the engine offers to choose from, in German: a method, an embedder or a format that is
// not here keeps the engine's words.

import type { Hello } from '../../../lib/api.ts';

declare const __GERMAN__: string;

/** The words of the engine's own rows, by the English ones: the build puts them in. */
const table: { labels: Record<string, string>; ones: Record<string, string> } = JSON.parse(__GERMAN__);

const methods: Record<string, { label: string; help: string; setting?: string }> = {
  semantic: {
    label: 'Semantisch',
    setting: 'Körnung',
    help: 'Findet die Themen des ganzen Textes auf einmal, nach Bedeutung, Wörtern und Gliederung. Stücke von weniger als 150\u00a0Token × Körnung werden verbunden.',
  },
  percentile: {
    label: 'Perzentil',
    setting: 'Perzentil der Abstände',
    help: 'Schneidet, wo der Abstand über dem gewählten Perzentil aller Abstände liegt. Schwelle von LangChain, Sätze von Seam.',
  },
  stddev: {
    label: 'Standardabweichung',
    setting: 'Standard\u00adabweichungen über dem Mittel',
    help: 'Schneidet, wo der Abstand um mehr als die gewählte Zahl von Standardabweichungen über dem Mittel liegt. Schwelle von LangChain, Sätze von Seam.',
  },
  iqr: {
    label: 'Interquartilsabstand',
    setting: 'Interquartils\u00adabstände über dem Mittel',
    help: 'Schneidet, wo der Abstand um mehr als die gewählte Zahl von Interquartilsabständen über dem Mittel liegt. Schwelle von LangChain, Sätze von Seam.',
  },
  gradient: {
    label: 'Anstieg',
    setting: 'Perzentil der Anstiege',
    help: 'Schneidet, wo der Abstand schneller wächst als am gewählten Perzentil aller Stellen. Schwelle von LangChain, Sätze von Seam.',
  },
  cluster: {
    label: 'Gruppen',
    help: 'Wählt alle Grenzen zugleich, so dass die Sätze eines Abschnitts einander so ähnlich sind wie möglich.',
  },
  sections: {
    label: 'Gliederung',
    help: 'Macht aus jedem Teil einen Abschnitt: was unter einer Überschrift steht, oder einen Absatz, wo es keine Überschriften gibt.',
  },
  page: { label: 'Seiten', help: 'Macht aus jeder Seite einen Abschnitt.' },
  sentences: { label: 'Sätze', help: 'Macht aus jedem Satz einen Abschnitt; ein Minimum verbindet kurze.' },
  recursive: {
    label: 'Rekursiv',
    help: 'Füllt jeden Abschnitt bis zum Maximum und beendet ihn nach einem Absatz, sonst nach einer Zeile, einem Satz, einem Teilsatz, einem Wort.',
  },
  fixed: {
    label: 'Feste Größe',
    help: 'Schneidet Fenster von der Größe des Maximums, was immer darin steht: die Vergleichsgrundlage.',
  },
  'notebook-percentile': {
    label: 'Notebook: Perzentil',
    setting: 'Perzentil der Ähnlichkeiten',
    help: 'Schneidet wie das Notebook, wo die Ähnlichkeit unter dem gewählten Perzentil der Ähnlichkeiten liegt: bei 90 an neun von zehn Stellen.',
  },
  'notebook-stddev': {
    label: 'Notebook: Standardabweichung',
    setting: 'Standard\u00adabweichungen unter dem Mittel',
    help: 'Schneidet wie das Notebook, wo die Ähnlichkeit um mehr als die gewählte Zahl von Standardabweichungen unter dem Mittel liegt.',
  },
  'notebook-iqr': {
    label: 'Notebook: Quartile',
    help: 'Schneidet wie das Notebook, wo die Ähnlichkeit unter dem ersten Quartil abzüglich 1,5\u00a0Interquartilsabständen liegt.',
  },
};

const embedders: Record<string, { label: string; help: string }> = {
  auto: {
    label: 'Automatisch',
    help: 'Das eingebaute Modell für englische Dokumente; andere werden nach ihren eigenen Wörtern verglichen. Ihr Text bleibt hier.',
  },
  builtin: {
    label: 'eingebaut · offline · kostenlos',
    help: 'Seams eigenes kleines Modell des Englischen: Es weiß, dass Ärztin und Krankenhaus einander nahe sind. Ihr Text bleibt hier.',
  },
  meaning: {
    label: 'Bedeutung · offline · kostenlos',
    help: 'Seams eigener Satz-Encoder für Englisch: Er liest Wörter in ihrem Zusammenhang und ist langsamer als das eingebaute Modell. Ihr Text bleibt hier.',
  },
  lexical: {
    label: 'lexikalisch · offline · kostenlos',
    help: 'Vergleicht die Wörter Ihres Dokuments, ohne Sprachmodell: Synonyme sind ihm fremd.',
  },
};

export function offered(hello: Hello): Hello {
  return {
    ...hello,
    methods: hello.methods.map((method) => {
      const { setting: label, ...own } = methods[method.name] ?? {};
      return { ...method, ...own, setting: method.setting && label ? { ...method.setting, label } : method.setting };
    }),
    embedders: hello.embedders.map((embedder) => ({ ...embedder, ...embedders[embedder.name] })),
  };
}

/** What a person calls the files of a format, in the accusative. */
export const kinds = (labels: string[]): string[] => labels.map((label) => table.labels[label] ?? label);

/** One file of a format, in the nominative. */
export const one = (english: string): string => table.ones[english] ?? english;
