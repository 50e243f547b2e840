// German: the table of answers by document.

import type { Words } from '../words.ts';
import { count, number } from '../german/helpers.ts';
import { forCost } from './hosted.ts';

const documents = (n: number): string => count(n, 'Dokument', 'Dokumente');
const cells = (n: number): string => count(n, 'Feld', 'Felder');
const requests = (n: number): string => count(n, 'Anfrage', 'Anfragen');

export const each: Words['each'] = {
  title: 'Jedes Dokument einzeln fragen',
  intro: (all, apart) =>
    `Jede Frage geht an ${all === 1 ? 'ein Dokument' : `jedes von ${number.format(all)} Dokumenten`}, mit Textstellen nur aus diesem.${apart > 0 ? ` ${documents(apart)} der Liste ${apart === 1 ? 'war' : 'waren'} nicht zu lesen und ${apart === 1 ? 'fehlt' : 'fehlen'}.` : ''}`,
  none: 'Öffnen Sie zuerst Dokumente.',
  questions: 'Fragen, eine in jeder Zeile',
  questionsHint: 'Jede Frage ist eine Spalte der Tabelle.',
  byWords: 'Textstellen werden nur nach Wörtern gesucht, weil die Frage sonst gesendet werden müsste.',
  model: (model, host) => `${model} antwortet über ${host}.`,
  look: 'Textstellen suchen',
  looking: (done, all) => `Textstellen von ${number.format(done)} von ${cells(all)} gefunden`,
  empty: 'Schreiben Sie eine Frage.',
  tooMany: (n, most) =>
    `${cells(n)} sind zu viele: höchstens ${number.format(most)}. Wählen Sie weniger Dokumente oder Fragen.`,
  offer: (n, of, tokens, dollars, model, host) =>
    `${requests(n)} für ${cells(of)}, jede mit ihrer Frage und ihren Textstellen, zusammen etwa ${number.format(Number(tokens.toPrecision(2)))} Token, ${n === 1 ? 'wird' : 'werden'} über ${host} an ${model} gesendet, ${forCost(dollars)}.`,
  named: 'Eine Zeile über jeder Textstelle nennt Dokument oder Datei, Abschnitt, Seite und Datum.',
  unnamed: 'Die Zeile, woher eine Textstelle kommt, fehlt; Namen in einer Textstelle bleiben.',
  around: 'Text aus demselben Abschnitt neben einer Textstelle kann mitgehen.',
  known: (n) =>
    n === 0 ? '' : `${cells(n)} ${n === 1 ? 'ist' : 'sind'} schon beantwortet; dafür wird nichts gesendet.`,
  nothing: (n) =>
    n === 0
      ? ''
      : `Zu ${n === 1 ? 'einem Feld' : `${number.format(n)} Feldern`} hat keine Textstelle etwas von der Frage; dafür wird nichts gesendet.`,
  send: 'Senden',
  rest: 'Den Rest senden',
  left: (n) => `${requests(n)} ${n === 1 ? 'fehlt' : 'fehlen'} noch`,
  notNow: 'Nicht jetzt',
  stop: 'Anhalten',
  close: 'Schließen',
  progress: (done, all) => `${number.format(done)} von ${requests(all)} beantwortet`,
  stopped: (left) =>
    left === 0 ? '' : `Angehalten. Die Antworten bleiben; ${requests(left)} ${left === 1 ? 'fehlt' : 'fehlen'} noch.`,
  done: (answered, absent, failed) =>
    [
      `${cells(answered)} beantwortet`,
      `${number.format(absent)} nicht in den Textstellen des Dokuments`,
      failed > 0 ? `${number.format(failed)} mit Fehler` : '',
    ]
      .filter(Boolean)
      .join(' · '),
  table: 'Antworten je Dokument',
  document: 'Dokument',
  open: '…',
  absent: 'Nicht darin',
  unsent: 'Nicht darin (nichts gesendet)',
  failed: (why) => `Fehler: ${why}`,
  cutOff: { length: ' (abgeschnitten: die Antwort ist zu lang)', filter: ' (vom Filter des Anbieters abgeschnitten)' },
  evidence: (n) => `Belege (${number.format(n)})`,
  sent: (n) => `Gesendet, nicht zitiert (${number.format(n)})`,
  column: (question) => `Belege: ${question}`,
  save: 'Als CSV sichern',
  file: 'antworten',
};
