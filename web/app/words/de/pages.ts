// German: the pages of a PDF.

import type { Words } from '../words.ts';
import { number } from '../german/helpers.ts';

export const pages: Words['pages'] = {
  pages: (name) => `Seiten von ${name}`,
  note: 'Bilder der Seiten, mit den Abschnitten markiert. Dieselben Wörter stehen im Text.',
  page: (n, of, printed) =>
    printed && printed !== String(n)
      ? `Seite ${printed}, Blatt ${number.format(n)} von ${number.format(of)}`
      : `Seite ${number.format(n)} von ${number.format(of)}`,
  short: (n, of, printed) =>
    printed && printed !== String(n)
      ? `${printed} (Blatt ${number.format(n)} von ${number.format(of)})`
      : `${number.format(n)} von ${number.format(of)}`,
  picture: (n) => `Bild von Seite ${number.format(n)}`,
  loading: 'Die Seiten werden vorbereitet …',
  waiting: 'Die Seiten kommen, wenn das Dokument gelesen ist.',
  otherFormat: (name) => `${name} ist kein PDF und hat keine Seiten: Lesen Sie es als Text.`,
  notKept:
    'Die Datei selbst ist nicht gespeichert; ziehen Sie sie noch einmal herein, um ihre Seiten zu sehen. „Verwalten …“ unter den Dokumenten speichert auch Dateien, wenn Sie möchten.',
  locked: 'Die Seiten sind durch ein Passwort gesperrt: Wählen Sie Text und dann wieder Seite, um es einzugeben.',
  unreadable:
    'Die Datei lässt sich nicht mehr lesen: Sie wurde geändert, verschoben oder entfernt. Ziehen Sie sie noch einmal herein, um ihre Seiten zu sehen.',
  damaged: 'Die Seiten dieser Datei lassen sich nicht zeichnen, weil sie beschädigt ist; ihr Text wurde gelesen.',
  lost: 'Die Seitenansicht ließ sich nicht laden. Wählen Sie Text und dann wieder Seite, wenn der Host der Seite erreichbar ist.',
  pageDamaged: 'Diese Seite lässt sich nicht zeichnen, weil sie beschädigt ist.',
};
