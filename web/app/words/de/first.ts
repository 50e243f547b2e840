// German: the first visit.

import type { Words } from '../words.ts';
import { count, number, pages } from '../german/helpers.ts';

const kilobytes = (bytes: number) => count(Math.max(1, Math.round(bytes / 1024)), 'kB', 'kB');

export const first: Words['first'] = {
  gallery: {
    about: {
      'Adding up – a paper.pdf': {
        kind: 'Ein Fachartikel',
        look: 'Zwei Spalten, eine Tabelle, Literatur: gelesen in der Reihenfolge, in der ein Mensch liest.',
      },
      'Statutes of a tool library.md': {
        kind: 'Eine Satzung',
        look: 'Nummerierte Paragrafen: Kurze werden verbunden, und keine Regel wird zerschnitten.',
      },
      'Wren rain gauge – manual.html': {
        kind: 'Eine Anleitung',
        look: 'Überschriften, Listen, Code und Tabellen: Was zusammengehört, bleibt zusammen.',
      },
      'A repairer of clocks – an interview.txt': {
        kind: 'Ein Interview',
        look: 'Gar keine Überschriften: Die Schnitte kommen allein aus der Bedeutung.',
      },
      'Das Watt – Land auf Zeit.md': {
        kind: 'Eine andere Sprache',
        look: 'Deutsch: Das eingebaute Modell kann Englisch, also werden die Sätze nach ihren Wörtern verglichen.',
      },
    },
    title: 'Oder eines von diesen öffnen',
    dialog: 'Beispieldokumente',
    hint: 'Für diese Seite geschrieben. Jedes wird von ihrem eigenen Host abgerufen, wenn Sie es wählen.',
    tour: 'Rundgang beginnen',
    close: 'Schließen',
    size: (n, words, bytes) =>
      [n ? pages(n) : '', `${number.format(words)}\u00a0Wörter`, kilobytes(bytes)].filter(Boolean).join(' · '),
    away: 'Braucht das Netz: Die Datei ist nicht in diesem Browser gespeichert.',
    lost: (name) => `${name} ließ sich nicht abrufen: Der Host dieser Seite antwortet nicht.`,
  },
  line: {
    label: 'Ein Beispiel mit einer beweglichen Linie',
    drag: 'Verschieben Sie die Linie.',
    what: 'Jeder Balken zeigt, wie weit ein Satz vom nächsten entfernt ist. Wo ein Balken höher ist als die Linie, wird der Text geschnitten.',
    different: 'neues Thema',
    same: 'gleiches Thema',
    knob: 'Die Linie',
    chunks: (n) => count(n, 'Abschnitt', 'Abschnitte'),
  },
  sealed:
    'Versiegelt: Nichts, was Sie öffnen, wird behalten. Dokumente, Fragen und Änderungen sind fort, wenn dieser Tab geschlossen wird. Einstellungen werden getrennt von denen der gewöhnlichen Seite behalten.',
  uses: [
    [
      'Finden',
      'Suchen Sie nach Wörtern und nach Bedeutung. Jede Stelle zeigt ihre Seite und warum sie gefunden wurde.',
    ],
    ['Fragen', 'Sehen Sie, welche Stellen an ein Modell gingen, bevor etwas gesendet wird.'],
    [
      'An ein Modell geben',
      'Speichern Sie die Abschnitte als JSON Lines, CSV oder Markdown, mit Seiten und Positionen.',
    ],
  ],
  collection: (host: string) => `Oder die Sammlung bei ${host} durchsuchen`,
  questions: {
    title: 'Für den Anfang diese Fragen:',
    sample: [
      'How does a swarm choose its new home?',
      'Why is a loaf crisp on the outside?',
      'What makes people wait for so long?',
    ],
  },
  tour: {
    offer: 'Neu hier? Vier Schritte zeigen, was wo ist.',
    take: 'Ja, bitte',
    no: 'Nein, danke',
    at: (n, of) => `${n} von ${of}`,
    said: (at, title, text) => `${at}: ${title}. ${text}`,
    back: 'Zurück',
    next: 'Weiter',
    done: 'Fertig',
    skip: 'Überspringen',
    steps: {
      text: {
        title: 'Der Text, in Abschnitten',
        text: 'Eine Linie beginnt einen neuen Abschnitt. Farben trennen Nachbarn; ein Druck auf einen Satz findet seinen Abschnitt in der Liste.',
      },
      curve: {
        title: 'Die Kurve und ihre Schwelle',
        text: 'Jeder Balken ist die Lücke zwischen zwei Sätzen: je höher, desto weiter sind sie voneinander entfernt. Was über die Schwelle ragt, wird geschnitten. Ziehen Sie an der Schwelle, und Text und Liste folgen sofort.',
      },
      reasons: {
        title: 'Ein Grund für jeden Schnitt',
        text: 'Jeder Abschnitt sagt, warum er endet, wo er endet: ein neues Thema, eine Überschrift, das Maximum oder Ihre eigene Hand. Hier können Sie auch verbinden, teilen und speichern.',
      },
      search: {
        title: 'Die Suche, und was hinausgeht',
        text: 'Stellen Sie eine Frage: Die besten Stellen aller Ihrer Dokumente werden nach Bedeutung und nach Wörtern gefunden. Die Marke oben rechts sagt, was diesen Browser verlassen hat: nichts.',
        proxy:
          'Stellen Sie eine Frage: Die besten Stellen aller Ihrer Dokumente werden nach Bedeutung und nach Wörtern gefunden. Die Marke oben rechts sagt, was diesen Browser verlassen hat: nichts, bis Sie ein gehostetes Modell wählen und auf Senden drücken.',
      },
    },
  },
};
