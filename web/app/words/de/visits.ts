// German: updates, the page without a network, the keys.

import type { Words } from '../words.ts';
import { count } from '../german/helpers.ts';

export const visits: Words['visits'] = {
  ready: 'Eine neue Version ist bereit.',
  use: 'Verwenden',
  later: 'Später',
  working: 'Die neue Version wartet: Es ist noch etwas in Arbeit. Versuchen Sie es noch einmal, wenn es fertig ist.',
  edited:
    'Die neue Version wartet: Ihre Änderungen von Hand gibt es nur in diesem Tab. Speichern oder verwerfen Sie sie zuerst.',
  older: 'Ein anderer Tab hat die neue Version übernommen; dieser arbeitet mit der alten weiter.',
  reload: 'Neu laden',
  sharedText: (n) => (n > 1 ? `Geteilter Text ${n}.txt` : 'Geteilter Text.txt'),
  nothingShared: 'Was geteilt wurde, ist nicht angekommen. Nichts davon wurde behalten; teilen Sie es noch einmal.',
  lookAgain: 'Noch einmal nachsehen',
  noAnswer: (host) => `${host} antwortet nicht`,
  notKept: 'braucht das Netz',
  hostedAway: (host) =>
    `Gehostete Modelle brauchen ${host}, und das antwortet nicht. Alles andere geht; ein Dokument, das mit ihnen offen ist, lässt sich weiter schneiden und nach Wörtern durchsuchen.`,
  tablesAway:
    'Der Host dieser Seite antwortet nicht. Was nicht in diesem Browser gespeichert ist, ist ausgegraut; alles andere geht.',
  kept: 'Offline-Nutzung: bereit. Alles, was die Seite braucht, ist in diesem Browser gespeichert.',
  keeping: 'Offline-Nutzung: Die Dateien der Seite werden gespeichert …',
  notComplete: (n) =>
    `Offline-Nutzung: unvollständig. ${count(n, 'Datei', 'Dateien')} der Seite ${n === 1 ? 'ließ' : 'ließen'} sich nicht speichern, weil der Platz fehlt oder der Host sie nicht gesendet hat. Mit ihrem Host geht die Seite.`,
  unknown: 'Offline-Nutzung: unbekannt, da der Host nicht antwortet und seine Dateiliste nicht gespeichert wurde.',
  keepAgain: 'Noch einmal versuchen',
  never: 'Offline-Nutzung: nicht in diesem Browser oder nicht unter dieser Adresse.',
  menu: { keys: 'Tasten …', tour: 'Rundgang beginnen', examples: 'Beispieldokumente …' },
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
