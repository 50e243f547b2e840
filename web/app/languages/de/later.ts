// German: what is kept, the pages of a PDF, what is behind the settings, the choice of a language.

import type { Words } from '../words.ts';
import { chunks, count, date, number, sentence } from './helpers.ts';
import { say } from './says.ts';

function size(bytes: number): string {
  if (bytes < 1e6) return `${Math.max(1, Math.round(bytes / 1e3))}\u00a0kB`;
  const [of, unit] = bytes < 1e9 ? [1e6, 'MB'] : [1e9, 'GB'];
  return `${number.format(Math.round(10 * bytes / of) / 10)}\u00a0${unit}`;
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
  use: (used, quota) => quota > 0 ? `Diese Seite belegt ${size(used)} von ${size(quota)}, die der Browser ihr gibt.` : '',
  persistent: 'Der Browser löscht sie nicht von selbst.',
  fleeting: 'Wird der Speicher knapp, kann der Browser sie löschen; exportieren Sie, was Sie nicht entbehren können.',
  name: (name) => `Name von ${name}`,
  delete: 'Löschen',
  deleteNamed: (name) => `${name} löschen`,
  saveNamed: (name) => `${name} als .seam speichern`,
  saveAll: 'Alle als .seam speichern',
  allName: 'dokumente',
  deleteAll: 'Alle löschen …',
  deleteAllSure: (n) => `${count(n, 'gespeichertes Dokument', 'gespeicherte Dokumente')}, Fragen und gespeicherte Vektoren löschen?`,
  sure: 'Alle löschen',
  cancel: 'Abbrechen',
  keep: 'Dokumente in diesem Browser speichern',
  keepHelp: 'Texte, Vektoren, Änderungen von Hand und Fragen bleiben auf diesem Gerät, nur für diese Adresse, bis Sie sie löschen.',
  files: 'Auch die Dateien selbst speichern',
  filesHelp: 'Dann sind die Seiten eines PDF auch beim nächsten Besuch da. Sonst wird nur gespeichert, was aus einer Datei gelesen wurde. Wenn Sie das ausschalten, werden gespeicherte Dateien gelöscht.',
  fileNotKept: (name, error) => `Die Datei von ${name} ist nicht gespeichert; was aus ihr gelesen wurde, schon. ${kept.failed(error)}`,
  questions: 'Gestellte Fragen',
  noQuestions: 'Noch keine.',
  askAgain: (question) => `Noch einmal nach „${question}“ suchen`,
  removed: (names) => names.length === 1 ? `${names[0]} ist entfernt.` : `${count(names.length, 'Dokument ist', 'Dokumente sind')} entfernt.`,
  stillKept: (name, error) => `${name} ist noch in diesem Browser gespeichert und ließ sich nicht löschen. ${sentence(say(error.message))}`,
  notBack: (name, error) => `${name} ließ sich nicht zurückholen. ${sentence(say(error.message))}`,
  undo: 'Rückgängig',
  notKept: (name, why) => `${name} ist nicht gespeichert. ${why}`,
  failed: (error) => error.message === kept.blocked ? kept.blocked
    : /quota|room/i.test(error.message) ? 'Der Datenträger ist voll, oder der Browser gibt dieser Seite nicht mehr Platz: Löschen Sie etwas, oder exportieren Sie das Dokument. In diesem Tab geht die Arbeit weiter.'
    : `${sentence(say(error.message.replace('JavaScript error: ', '')))} In diesem Tab geht die Arbeit weiter.`,
  chosen: 'Sie haben gewählt, nichts zu speichern; was vorher gespeichert war, ist unverändert.',
  blocked: 'Dieser Browser speichert nichts für diese Seite: ein privates Fenster, oder der Speicher ist gesperrt. In diesem Tab geht die Arbeit weiter.',
  outdated: 'Eine neuere Version dieser Seite ist in einem anderen Tab offen: Diese hier speichert nichts mehr. Laden Sie sie neu.',
  later: 'eine spätere Version dieser Seite hat hier Dokumente gespeichert: Laden Sie diese neu, um sie zu sehen',
  deletedInOtherTab: 'was davon gespeichert war, wurde in einem anderen Tab gelöscht',
  lead: 'Hier ändern',
  following: (name) => `${name} ist in einem anderen Tab offen, der es ändert; dieser hier folgt ihm.`,
};

export const pages: Words['pages'] = {
  pages: (name) => `Seiten von ${name}`,
  note: 'Bilder der Seiten, mit den Abschnitten markiert. Dieselben Wörter stehen im Text.',
  page: (n, of) => `Seite ${number.format(n)} von ${number.format(of)}`,
  short: (n, of) => `${number.format(n)} von ${number.format(of)}`,
  label: (n) => `S.\u00a0${n}`,
  picture: (n) => `Bild von Seite ${number.format(n)}`,
  loading: 'Die Seiten werden vorbereitet …',
  waiting: 'Die Seiten kommen, wenn das Dokument gelesen ist.',
  otherFormat: (name) => `${name} ist kein PDF und hat keine Seiten: Lesen Sie es als Text.`,
  notKept: 'Die Datei selbst ist nicht gespeichert; ziehen Sie sie noch einmal herein, um ihre Seiten zu sehen. „Verwalten …“ unter den Dokumenten speichert auch Dateien, wenn Sie möchten.',
  locked: 'Die Seiten sind durch ein Passwort gesperrt: Wählen Sie Text und dann wieder Seite, um es einzugeben.',
  unreadable: 'Die Datei lässt sich nicht mehr lesen: Sie wurde geändert, verschoben oder entfernt. Ziehen Sie sie noch einmal herein, um ihre Seiten zu sehen.',
  damaged: 'Die Seiten dieser Datei lassen sich nicht zeichnen, da sie beschädigt ist; ihr Text war zu lesen.',
  lost: 'Was die Seiten zeichnet, ließ sich nicht laden. Wählen Sie Text und dann wieder Seite, wenn der Host der Seite erreichbar ist.',
  pageDamaged: 'Diese Seite lässt sich nicht zeichnen, da sie beschädigt ist.',
};

export const look: Words['look'] = {
  label: (name) => `${name}, gesetzt wie in seiner Datei`,
  note: 'Überschriften, Listen und Tabellen wie in der Datei, mit den Abschnitten markiert. Bilder, Links und Programme der Datei sind weggelassen.',
  waiting: 'Die Seite kommt, wenn das Dokument gelesen ist.',
  tooLong: 'Dieser Text ist zu lang, um als eine Seite gesetzt zu werden: Lesen Sie ihn als Text.',
};

export const settings: Words['settings'] = {
  presets: {
    label: 'Voreinstellung',
    own: 'Eigene',
    names: {
      answers: 'Für Antworten',
      short: 'Kurze Textstellen für die Suche',
      long: 'Langer Kontext',
      langchain: 'Anleitung von LangChain: rekursiv, 1.000\u00a0Zeichen, Überlappung 200',
    },
  },
  remedy: {
    use: (setting, n) => `${number.format(setting)} nehmen: ${chunks(n)}`,
    eased: (setting) => `Darum gilt ${number.format(setting)}.`,
    deepest: (n) => `Darum wird an den tiefsten Stellen geschnitten: ${chunks(n)}.`,
    published: (setting) => `Trotzdem ${setting === null ? 'die Regel, wie sie ist,' : number.format(setting)} nehmen`,
  },
  headers: {
    label: 'Titel vor jedem Abschnitt',
    help: 'Die Titel des Dokuments und seiner Kapitel werden mit jedem Abschnitt eingebettet und zählen zu seiner Länge.',
  },
  methods: 'Was jedes tut',
  back: 'Zurück zum vorigen Stand',
  wentBack: 'Die Einstellungen sind wie vor der letzten Änderung.',
  copy: 'Link kopieren',
  copyHint: 'Eine Adresse dieser Seite mit diesen Einstellungen; von Ihren Dokumenten ist nichts darin.',
  copied: 'Kopiert: eine Adresse mit diesen Einstellungen und nichts von Ihren Dokumenten.',
  copyThis: 'Dieser Browser lässt die Seite nicht kopieren. Hier ist die Adresse, markiert:',
  address: 'Adresse mit diesen Einstellungen',
  taken: 'Einstellungen aus der Adresse.',
  same: 'Die Einstellungen in der Adresse sind die, die Sie haben.',
  unknown: (parts, more) => `Nicht verstanden und ausgelassen: ${[...parts, ...(more > 0 ? [count(more, 'weitere', 'weitere')] : [])].join(', ')}.`,
  tooLong: 'Die Adresse ist zu lang für eine mit Einstellungen; nichts wurde geändert.',
  mine: 'Zurück zu meinen',
  isMine: 'Ihre Einstellungen sind wieder da.',
  dismiss: 'Diese Zeile schließen',
};

export const choice: Words['choice'] = {
  label: 'Sprache',
  lost: 'Dafür wird die Seite neu geladen, und was nicht in diesem Browser gespeichert ist, ginge verloren.',
  busy: 'Dafür wird die Seite neu geladen, und noch ist etwas in Arbeit. Wählen Sie noch einmal, wenn es fertig ist.',
  load: 'Trotzdem laden',
  stay: 'Nicht jetzt',
  is: 'Die Seite ist jetzt auf Deutsch.',
};
