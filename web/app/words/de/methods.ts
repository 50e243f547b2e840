// German: what each method is good for, beside its picture.

import type { Words } from '../words.ts';

export const methods: Words['methods'] = {
  title: 'Was jedes Verfahren tut',
  legend: 'Jede Farbe ist ein Abschnitt. Die Zahlen sind die, mit denen die Verfahren beginnen.',
  good: 'Gut für:',
  vectors: 'Vergleicht Bedeutungen: braucht Embeddings',
  none: 'Braucht keine Embeddings',
  use: 'Verwenden',
  useNamed: (label) => `Verwenden: ${label}`,
  current: 'Gewählt',
  used: (label) => `Verfahren: ${label}`,
  close: 'Schließen',
  goodFor: {
    semantic:
      'Artikel, Berichte und Reden, in denen ein Thema auf das andere folgt, mit Überschriften oder ohne. Das Verfahren für den Anfang.',
    percentile:
      'einen Text, von dem ein fester Anteil aller Lücken geschnitten werden soll, wie groß oder klein seine Wechsel auch sind.',
    stddev: 'die wenigen Wechsel, die weit über alle anderen hinausragen. Ein gleichmäßiger Text bleibt ganz.',
    iqr: 'dasselbe, wo einige sehr große Wechsel die anderen nicht verdecken sollen.',
    gradient:
      'Texte eines Fachs wie Recht oder Medizin, deren Abstände einander gleichen: Es zählt der Anstieg und nicht die Höhe.',
    cluster: 'Abschnitte, aus denen je ein Vektor wird: Ihre Sätze gehören zusammen.',
    sections: 'Anleitungen, Gesetze und Dokumentation, auf deren Überschriften Verlass ist.',
    page: 'Folien und Formulare, und Antworten, die eine Seite nennen müssen.',
    sentences: 'eine sehr feine Suche; mit einem Minimum kleine Gruppen von Sätzen.',
    recursive: 'jeden Text in jeder Sprache, sofort und ohne Modell. Was die meisten Programme tun.',
    fixed: 'eine Vergleichsgrundlage: was jedes andere Verfahren übertreffen muss.',
    'notebook-percentile':
      'einen Blick auf das, was das veröffentlichte Notebook tut: Bei 90 schneidet es fast überall.',
    'notebook-stddev': 'einen Vergleich mit dem Notebook, wo es bei ungewöhnlich Unähnlichem schneidet.',
    'notebook-iqr':
      'einen Vergleich mit dem Notebook, wo es nur bei Ausreißern schneidet, von denen es keine geben muss.',
  },
};
