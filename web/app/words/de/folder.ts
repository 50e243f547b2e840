// The German words of the list of all documents.

import { chunks, count, files, number } from '../german/helpers.ts';
import type { Words } from '../words.ts';

const docs = (n: number) => count(n, 'Dokument', 'Dokumente');
const needs = (n: number) => `${number.format(n)} ${n === 1 ? 'braucht' : 'brauchen'} Sie`;

export const folder: Words['folder'] = {
  label: 'Alle Dokumente',
  title: docs,
  counts: ({ ready, saved, reading, needs: waiting }) =>
    [
      ready > 0 ? `${number.format(ready)} bereit` : '',
      saved > 0 ? `${number.format(saved)} gespeichert und nicht geöffnet` : '',
      reading > 0 ? `${number.format(reading)} in Arbeit` : '',
      waiting > 0 ? needs(waiting) : '',
    ]
      .filter(Boolean)
      .join(', '),
  goesOn: 'Das Lesen geht weiter.',
  add: 'Dateien hinzufügen',
  close: 'Schließen',
  filter: 'Nach Namen filtern',
  tagFilter: 'Schlagwort',
  anyTag: 'beliebig oder keins',
  states: { ready: 'bereit', saved: 'gespeichert, öffnet sich bei Auswahl' },
  groups: { all: 'Alle', ready: 'Bereit', saved: 'Gespeichert', reading: 'In Arbeit', needs: 'Brauchen Sie' },
  byState: 'Nach Zustand filtern',
  sort: 'Ordnen nach',
  sorts: {
    name: 'Name',
    added: 'Datum, neueste zuerst',
    pages: 'Seiten, meiste zuerst',
    chunks: 'Abschnitten, meiste zuerst',
    state: 'Zustand, was Sie braucht zuerst',
  },
  columns: { pick: 'Gewählt', name: 'Name', pages: 'Seiten', chunks: 'Abschnitte', state: 'Zustand' },
  choose: (name) => `${name} wählen`,
  chooseFolder: (path) => `Alle in ${path} wählen`,
  chooseAll: 'Alle gezeigten Dokumente wählen',
  none: 'Kein Dokument passt zum Filter.',
  shown: (n) => `${docs(n)} gezeigt`,
  chosen: (n) => `${number.format(n)} gewählt`,
  chunks,
  search: 'In diesen suchen',
  undo: 'Rückgängig',
  tag: 'Schlagwort …',
  tags: 'Schlagwörter',
  tagTitle: 'Schlagwörter der gewählten Dokumente',
  newTag: 'Neues Schlagwort oder Teil eines alten',
  addTag: 'Hinzufügen',
  makeTag: 'Neu anlegen',
  noTags:
    'Kein Dokument hat ein Schlagwort. Schlagwörter filtern diese Liste; Suche und Fragen können bei einem bleiben.',
  tagged: (tag, n) => `${docs(n)} ${n === 1 ? 'hat' : 'haben'} jetzt das Schlagwort „${tag}“.`,
  untagged: (tag, n) => `${docs(n)} ${n === 1 ? 'hat' : 'haben'} das Schlagwort „${tag}“ nicht mehr.`,
  save: 'Abschnitte speichern',
  saveTitle: 'Die Abschnitte aller gewählten Dokumente als eine Datei speichern',
  saveHint: 'Anfang und Ende zählen Bytes (UTF-8).',
  formats: {
    jsonl: 'JSON Lines (JSONL)',
    langchain: 'JSON Lines für LangChain und LlamaIndex',
    csv: 'CSV für Programme',
    spreadsheet: 'CSV für eine Tabellenkalkulation, ohne Formeln',
  },
  collecting: (n, of) => `Sammelt Dokument ${number.format(n)} von ${number.format(of)} …`,
  saved: (n, names) =>
    [
      n > 0
        ? `Die Abschnitte von ${count(n, 'Dokument', 'Dokumenten')} sind gespeichert.`
        : 'Es gibt keine Abschnitte.',
      names.length === 0
        ? ''
        : names.length === 1
          ? `${names[0]} hat keine Abschnitte.`
          : `${docs(names.length)} haben keine Abschnitte, als erstes ${names[0]}.`,
    ]
      .filter(Boolean)
      .join(' '),
  unlike:
    'Die Dokumente haben verschiedene Spalten, weil einige Überschriften haben und einige keine. Speichern Sie stattdessen JSON Lines.',
  file: (n) => `${number.format(n)} Dokumente`,
  remove: 'Entfernen',
  removed: (n) => `${docs(n)} entfernt`,
  keys: { move: 'bewegen', choose: 'wählen', open: 'öffnen' },
  space: 'Leertaste',
  enter: 'Eingabe',
  needs,
  locked: 'Gesperrt. Geben Sie das Passwort in der Zeile ein. Andere Dateien werden inzwischen gelesen.',
  left: (n) => `Ausgelassen: ${files(n)}`,
  leftWhy: {
    kind: 'Seam liest solche Dateien nicht.',
    hidden: 'Versteckt und nicht durchgesehen.',
    broken: 'Der Browser konnte es nicht lesen.',
    beyond: 'Kommt nach den ersten Dateien des Ordners. Ziehen Sie es einzeln herein.',
    deep: 'Liegt zu tief im Ordner und wurde nicht durchgesehen.',
    many: 'Der Ordner hat zu viele Dateien; diese wurde nicht angesehen.',
  },
  more: (n) => `und ${number.format(n)} weitere`,
};
