// German: documents kept between visits.

import type { Words } from '../words.ts';
import { count, date, number, sentence } from '../german/helpers.ts';
import { say } from '../german/says.ts';

function size(bytes: number): string {
  if (bytes < 1e6) return `${Math.max(1, Math.round(bytes / 1e3))}\u00a0kB`;
  const [of, unit] = bytes < 1e9 ? [1e6, 'MB'] : [1e9, 'GB'];
  return `${number.format(Math.round((10 * bytes) / of) / 10)}\u00a0${unit}`;
}

export const kept: Words['kept'] = {
  title: 'In diesem Browser gespeichert',
  open: (n, bytes) => `${count(n, 'Dokument', 'Dokumente')} in diesem Browser gespeichert · ${size(bytes)}`,
  none: 'Dokumente werden in diesem Browser gespeichert.',
  nothing: 'Nichts wird gespeichert: Die Dokumente sind weg, wenn diese Seite geschlossen wird.',
  manage: 'Verwalten …',
  close: 'Schließen',
  size,
  date,
  use: (used, quota) =>
    quota > 0
      ? `Diese Seite belegt ${size(used)} von ${size(quota)}, die der Browser ihr gibt.`
      : used > 0
        ? `Diese Seite belegt ${size(used)}. Der Browser sagt nicht, wie viel noch frei ist.`
        : '',
  persistent: 'Der Browser löscht sie nicht von selbst.',
  fleeting: 'Wird der Speicher knapp, kann der Browser sie löschen; exportieren Sie, was Sie nicht entbehren können.',
  name: (name) => `Name von ${name}`,
  delete: 'Löschen',
  deleteNamed: (name) => `${name} löschen`,
  saveNamed: (name) => `${name} als .seam speichern`,
  saveAll: 'Alle als .seam speichern',
  allName: 'dokumente',
  deleteAll: 'Alle löschen …',
  deleteAllSure: (n) =>
    `${count(n, 'gespeichertes Dokument', 'gespeicherte Dokumente')}, Fragen und gespeicherte Vektoren löschen?`,
  sure: 'Alle löschen',
  cancel: 'Abbrechen',
  keep: 'Dokumente in diesem Browser speichern',
  keepHelp: 'Texte, Vektoren, Änderungen von Hand und Fragen bleiben auf diesem Gerät, nur für diese Adresse.',
  files: 'Auch die Dateien selbst speichern',
  filesHelp:
    'Dann sind die Seiten eines PDF auch beim nächsten Besuch da. Sonst wird nur gespeichert, was aus einer Datei gelesen wurde. Wenn Sie das ausschalten, werden gespeicherte Dateien gelöscht.',
  fileQuestion: (n, bytes) =>
    `Auch die ${n === 1 ? 'Datei' : 'Dateien'} selbst speichern (${size(bytes)})? Der nächste Besuch braucht ein PDF, um seine Seiten zu zeigen.`,
  fileYes: 'Dateien speichern',
  fileNo: 'Nur den Text',
  nearlyFull: (used, quota) =>
    `Der Speicher des Browsers für diese Seite ist fast voll: ${size(used)} von ${size(quota)} sind belegt. Löschen Sie, was Sie nicht brauchen.`,
  dropFiles: (bytes) => `Dateien löschen, Texte behalten (${size(bytes)})`,
  fileNotKept: (name, error) =>
    `Die Datei von ${name} ist nicht gespeichert; was aus ihr gelesen wurde, schon. ${kept.failed(error)}`,
  questions: 'Gestellte Fragen',
  noQuestions: 'Noch keine.',
  askAgain: (question) => `Noch einmal nach „${question}“ suchen`,
  removed: (names) =>
    names.length === 1
      ? `${names[0]} ist entfernt.`
      : `${count(names.length, 'Dokument ist', 'Dokumente sind')} entfernt.`,
  stillKept: (name, error) =>
    `${name} ist noch in diesem Browser gespeichert und ließ sich nicht löschen. ${sentence(say(error.message))}`,
  notBack: (name, error) => `${name} ließ sich nicht zurückholen. ${sentence(say(error.message))}`,
  undo: 'Rückgängig',
  notKept: (name, why) => `${name} ist nicht gespeichert. ${why}`,
  failed: (error) =>
    error.message === kept.blocked
      ? kept.blocked
      : /quota|room/i.test(error.message)
        ? 'Der Datenträger ist voll, oder der Browser gibt dieser Seite nicht mehr Platz: Löschen Sie etwas, oder exportieren Sie das Dokument. In diesem Tab geht die Arbeit weiter.'
        : `${sentence(say(error.message.replace('JavaScript error: ', '')))} In diesem Tab geht die Arbeit weiter.`,
  chosen: 'Sie haben gewählt, nichts zu speichern; was vorher gespeichert war, ist unverändert.',
  blocked:
    'Dieser Browser speichert nichts für diese Seite: ein privates Fenster, oder der Speicher ist gesperrt. In diesem Tab geht die Arbeit weiter.',
  outdated:
    'Eine neuere Version dieser Seite ist in einem anderen Tab offen: Diese hier speichert nichts mehr. Laden Sie sie neu.',
  later: 'eine spätere Version dieser Seite hat hier Dokumente gespeichert: Laden Sie diese neu, um sie zu sehen',
  deletedInOtherTab: 'was davon gespeichert war, wurde in einem anderen Tab gelöscht',
  lead: 'Hier ändern',
  following: (name) => `${name} ist in einem anderen Tab offen, der es ändert; dieser hier folgt ihm.`,
};
