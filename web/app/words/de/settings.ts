// German: less common settings.

import type { Words } from '../words.ts';
import { chunks, count, number } from '../german/helpers.ts';

export const settings: Words['settings'] = {
  presets: {
    label: 'Wofür die Abschnitte sind',
    names: {
      short: ['Für die Suche', 'Kurze Textstellen: höchstens 128\u00a0Token'],
      answers: ['Für Antworten', 'Die Standardwerte'],
      long: ['Für langen Kontext', 'Lange Textstellen: 400 bis 2.000\u00a0Token'],
      langchain: ['Wie in LangChains Anleitung', 'Rekursiv, 1.000\u00a0Zeichen, Überlappung 200'],
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
  unknown: (parts, more) =>
    `Nicht verstanden und ausgelassen: ${[...parts, ...(more > 0 ? [count(more, 'weitere', 'weitere')] : [])].join(', ')}.`,
  tooLong: 'Die Adresse ist zu lang für eine mit Einstellungen; nichts wurde geändert.',
  mine: 'Zurück zu meinen',
  isMine: 'Ihre Einstellungen sind wieder da.',
  dismiss: 'Diese Zeile schließen',
};
