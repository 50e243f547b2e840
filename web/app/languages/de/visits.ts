// German: updates, the page without a network, the keys; and what a first visit has.

import type { Words } from '../words.ts';
import { count, number, pages } from './helpers.ts';

export const visits: Words['visits'] = {
  ready: 'Eine neue Version ist bereit.',
  use: 'Verwenden',
  later: 'Später',
  working: 'Die neue Version wartet: Es ist noch etwas in Arbeit. Versuchen Sie es noch einmal, wenn es fertig ist.',
  edited: 'Die neue Version wartet: Ihre Änderungen von Hand gibt es nur in diesem Tab. Speichern oder verwerfen Sie sie zuerst.',
  older: 'Ein anderer Tab hat die neue Version übernommen; dieser arbeitet mit der alten weiter.',
  reload: 'Neu laden',
  sharedText: (n) => n > 1 ? `Geteilter Text ${n}.txt` : 'Geteilter Text.txt',
  nothingShared: 'Was geteilt wurde, ist nicht angekommen. Nichts davon wurde behalten; teilen Sie es noch einmal.',
  lookAgain: 'Noch einmal nachsehen',
  noAnswer: (host) => `${host} antwortet nicht`,
  notKept: 'braucht das Netz',
  hostedAway: (host) => `Gehostete Modelle brauchen ${host}, und das antwortet nicht. Alles andere geht; ein Dokument, das mit ihnen offen ist, lässt sich weiter schneiden und nach Wörtern durchsuchen.`,
  tablesAway: 'Der Host dieser Seite antwortet nicht. Was nicht in diesem Browser gespeichert ist, ist ausgegraut; alles andere geht.',
  kept: 'Offline-Nutzung: bereit. Alles, was die Seite braucht, ist in diesem Browser gespeichert.',
  keeping: 'Offline-Nutzung: Die Dateien der Seite werden gespeichert …',
  notComplete: (n) => `Offline-Nutzung: unvollständig. ${count(n, 'Datei', 'Dateien')} der Seite ${n === 1 ? 'ließ' : 'ließen'} sich nicht speichern, weil der Platz fehlt oder der Host sie nicht gesendet hat. Mit ihrem Host geht die Seite.`,
  unknown: 'Offline-Nutzung: unbekannt, da der Host nicht antwortet und seine Dateiliste nicht gespeichert wurde.',
  keepAgain: 'Noch einmal versuchen',
  never: 'Offline-Nutzung: nicht in diesem Browser oder nicht unter dieser Adresse.',
  keys: {
    title: 'Tasten',
    close: 'Schließen',
    tour: 'Rundgang beginnen',
    list: [
      [['Strg K', '⌘ K'], 'alle Dokumente durchsuchen'],
      [['↓', '↑'], 'vom Suchfeld zu den Treffern und an ihnen entlang: Jeder wird im Text gezeigt'],
      [['Eingabe'], 'auf einem Treffer oder Abschnitt: im Text zeigen'],
      [['Esc'], 'Suche leeren; Antwort anhalten; Dialog schließen'],
      [['←', '→'], 'auf den Reitern: der nächste; auf einem Regler: ein Schritt'],
      [['Bild ↑', 'Bild ↓'], 'auf einem Regler: ein großer Schritt'],
      [['Eingabe'], 'auf der Kurve: diese Stelle im Text zeigen'],
      [['+', '−'], 'auf einer langen Kurve: vergrößern, verkleinern'],
      [['↑', '↓'], 'auf einem Abschnitt: der vorige, der nächste'],
      [['→', '←'], 'auf einem Abschnitt: zu seinen Werkzeugen und zurück'],
      [['Alt ↑', 'Alt ↓'], 'auf einem Abschnitt: sein Ende um einen Satz verschieben'],
      [['Strg Z', '⌘ Z'], 'Änderung von Hand rückgängig machen; mit Umschalt: wiederholen'],
      [['Q'], 'mit ausgewähltem Text oder gezeigter Stelle: eine Frage behalten, die das beantwortet'],
      [['Entf'], 'auf einer Frage: sie entfernen'],
      [['Strg V', '⌘ V'], 'außerhalb eines Feldes: kopierten Text oder kopierte Dateien öffnen'],
      [['?'], 'diese Liste'],
    ],
  },
};

const kilobytes = (bytes: number) => count(Math.max(1, Math.round(bytes / 1024)), 'kB', 'kB');

export const first: Words['first'] = {
  gallery: {
    about: {
      'Adding up – a paper.pdf': { kind: 'Ein Fachartikel', look: 'Zwei Spalten, eine Tabelle, Literatur: gelesen in der Reihenfolge, in der ein Mensch liest.' },
      'Statutes of a tool library.md': { kind: 'Eine Satzung', look: 'Nummerierte Paragrafen: Kurze werden verbunden, und keine Regel wird zerschnitten.' },
      'Wren rain gauge – manual.html': { kind: 'Eine Anleitung', look: 'Überschriften, Listen, Code und Tabellen: Was zusammengehört, bleibt zusammen.' },
      'A repairer of clocks – an interview.txt': { kind: 'Ein Interview', look: 'Gar keine Überschriften: Die Schnitte kommen allein aus der Bedeutung.' },
      'Das Watt – Land auf Zeit.md': { kind: 'Eine andere Sprache', look: 'Deutsch: Das eingebaute Modell kann Englisch, also werden die Sätze nach ihren Wörtern verglichen.' },
    },
    title: 'Oder eines von diesen öffnen',
    dialog: 'Beispieldokumente',
    hint: 'Für diese Seite geschrieben. Jedes wird von ihrem eigenen Host abgerufen, wenn Sie es wählen.',
    tour: 'Rundgang beginnen',
    close: 'Schließen',
    size: (n, words, bytes) => [n ? pages(n) : '', `${number.format(words)}\u00a0Wörter`, kilobytes(bytes)].filter(Boolean).join(' · '),
    away: 'Braucht das Netz: Die Datei ist nicht in diesem Browser gespeichert.',
    lost: (name) => `${name} ließ sich nicht abrufen: Der Host dieser Seite antwortet nicht.`,
  },
  collection: (host: string) => `Oder die Sammlung bei ${host} durchsuchen`,
  questions: {
    title: 'Für den Anfang diese Fragen:',
    sample: ['How does a swarm choose its new home?', 'Why is a loaf crisp on the outside?', 'What makes people wait for so long?'],
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
        proxy: 'Stellen Sie eine Frage: Die besten Stellen aller Ihrer Dokumente werden nach Bedeutung und nach Wörtern gefunden. Die Marke oben rechts sagt, was diesen Browser verlassen hat: nichts, bis Sie ein gehostetes Modell wählen und auf Senden drücken.',
      },
    },
  },
};
