// German: explanations of terms.

import type { Words } from '../words.ts';

export const terms: Words['terms'] = {
  ask: (name) => `Erklären: ${name}`,
  tokens: {
    name: 'Token',
    text: 'Stücke von Wörtern, die ein Modell liest. Lange und seltene Wörter bestehen aus mehreren. Jedes Modell hat seine eigenen Stücke, so dass derselbe Text in einem anderen andere Zahlen hat. Geschätzte Token gibt es für Verfahren ohne eigene Stücke: Wörter in lateinischer Schrift, in anderen Schriften etwa so viele, wie cl100k von GPT-4 hätte.',
  },
  overlap: {
    name: 'Überlappung',
    text: 'Wie viel vom Ende eines Abschnitts am Anfang des nächsten noch einmal steht, damit das, was an der Grenze liegt, in einem von beiden ganz ist.',
  },
  embedder: {
    name: 'Embeddings',
    text: 'Ein Embedding ist die Bedeutung eines Satzes als Reihe von Zahlen. Sätze, die Ähnliches sagen, haben Zahlen, die nahe beieinander liegen. Das hier gewählte Modell macht sie.',
  },
  setting: {
    name: 'Die Zahl eines Verfahrens',
    text: 'Wonach dieses Verfahren entscheidet, wie groß ein Wechsel zwischen Sätzen sein muss. Der Regler darüber stellt dieselbe Zahl: Ziehen Sie ihn und sehen Sie den Abschnitten zu.',
  },
  percentile: {
    name: 'Perzentil',
    text: 'Alle Abstände der Größe nach: Das 95. Perzentil ist der Wert, unter dem 95 von 100 liegen, so dass an den 5 größten von 100 geschnitten wird.',
  },
  deviation: {
    name: 'Standardabweichungen',
    text: 'Wie weit Abstände gewöhnlich vom Mittel entfernt sind. Bei 2 muss ein Abstand doppelt so weit über dem Mittel liegen wie gewöhnlich, damit geschnitten wird.',
  },
  quartiles: {
    name: 'Interquartilsabstand',
    text: 'Die Spanne, in der die mittlere Hälfte aller Abstände liegt. Bei 1,5 muss ein Abstand eineinhalb solche Spannen über dem Mittel liegen, damit geschnitten wird.',
  },
  coarseness: {
    name: 'Körnung',
    text: 'Wie breit ein Thema sein soll. Mehr davon macht weniger, längere Abschnitte, weniger davon mehr, kürzere. Das Verfahren beginnt bei 1.',
  },
  distance: {
    name: 'Abstand',
    text: 'Wie wenig ein Satz mit dem vorigen zu tun hat: 0 bei gleicher Bedeutung, 1 und mehr, wenn sie nichts gemein haben. Wo ein Balken über der Linie liegt, wird geschnitten. An einem gestrichelten Balken wird geschnitten, weil ein Abschnitt das Maximum überschritte; eine Zickzacklinie ist ein solcher Schnitt, wo nichts beginnt.',
  },
  similarity: {
    name: 'Ähnlichkeit',
    text: 'Wie viel ein Satz mit dem vorigen zu tun hat: 1 bei gleicher Bedeutung, 0, wenn sie nichts gemein haben. Wo ein Balken unter der Linie liegt, wird geschnitten.',
  },
  gradient: {
    name: 'Änderung des Abstands',
    text: 'Wie schnell der Abstand von einer Lücke zur nächsten wächst. Ein steiler Anstieg ist ein Wechsel des Themas, auch wo der Abstand selbst klein ist.',
  },
  strength: {
    name: 'Stärke',
    text: 'Bis zu welcher Körnung eine Grenze zwischen zwei Themen bleibt. Kleine trennen Einzelheiten, große trennen Themen. Wo ein Balken über der Linie liegt, wird geschnitten. An einem gestrichelten Balken wird geschnitten, weil ein Abschnitt das Maximum überschritte; eine Zickzacklinie ist ein solcher Schnitt, wo nichts beginnt.',
  },
  boundaries: {
    name: 'Grenzen',
    text: 'Dieses Verfahren vergleicht keine Nachbarn, darum gibt es keine Kurve. Die Tabelle hat jede Grenze, mit den Sätzen auf beiden Seiten.',
  },
  pk: {
    name: 'Pk',
    text: 'Wie oft zwei Sätze, die einen halben Abschnitt auseinanderliegen, bei der einen Methode zusammenstehen und bei der anderen getrennt. 0: Sie trennen gleich. Etwa 0,5: Sie haben so wenig gemein wie der Zufall.',
  },
  reason: {
    name: 'Warum ein Abschnitt endet',
    text: 'Das Ende der ersten Zeile einer Karte. „Thema 4,8“: Ein Thema beginnt, an einer Grenze der Stärke 4,8. „Abstand 0,98, Linie bei 0,95“: So anders ist der nächste Satz. „Überschrift“, „Seite“, „Absatz“: Dort beginnt eine. „nötig für das Maximum“: Die Linie liegt darüber, aber der Abschnitt wäre zu lang. „Maximum“: Er war voll. „Abschnitt 1 von 3 zu einem Thema“: Einer war zu kurz dafür.',
  },
};
