import type { Words } from '../words.ts';
import { chunks, count, number } from '../german/helpers.ts';
import { forCost } from './hosted.ts';

const statementsOf = (n: number): string => count(n, 'Aussage', 'Aussagen');

export const statements: Words['statements'] = {
  title: 'Von einem Modell geschrieben',
  intro:
    'Ein Sprachmodell zerlegt jeden Abschnitt in Aussagen, die für sich zu verstehen sind, oder schreibt einen Titel dafür. Eine Suche findet den Abschnitt dann auch dadurch und zeigt ihn: Der Text bleibt, wie er ist.',
  have: (n, titles, parts) =>
    parts === 0
      ? 'Noch ist nichts geschrieben.'
      : `${[n > 0 ? statementsOf(n) : '', titles > 0 ? count(titles, 'Titel', 'Titel') : ''].filter(Boolean).join(' und ')} zu ${count(parts, 'Stelle', 'Stellen')} des Textes.`,
  doubtful: (n) =>
    n === 0
      ? ''
      : `${statementsOf(n)} ${n === 1 ? 'ist' : 'sind'} vom Text nicht gedeckt und ${n === 1 ? 'wird' : 'werden'} nicht durchsucht.`,
  what: 'Schreiben',
  kinds: { statements: 'Aussagen jedes Abschnitts', titles: 'einen Titel für jeden Abschnitt' },
  model: 'Modell',
  noModel: (host) => `${host} hat kein Modell, das schreibt.`,
  closed: (host) =>
    `${host} antwortet nur mit dem eigenen Prompt, sodass hier nichts geschrieben werden kann. Die Befehlszeile kann es: seam enrich.`,
  alone:
    'Damit ein Modell schreibt, öffnen Sie diese Seite bei einem Proxy, oder nehmen Sie die Befehlszeile: seam enrich. Was ein Bündel davon hat, wird hier durchsucht.',
  looking: 'Sieht nach, was zu fragen ist …',
  offer: (requests, parts, tokens, dollars, model, host) =>
    `${parts === requests ? chunks(requests) : `${chunks(parts)} in ${count(requests, 'Anfrage', 'Anfragen')}`} ${requests === 1 ? 'geht' : 'gehen'} über ${host} an ${model}: etwa ${count(Number(tokens.toPrecision(2)), 'Token', 'Token')}, ${forCost(dollars)}. Vorher wird nichts gesendet.`,
  there: 'Was das Modell in diesem Besuch geschrieben hat, ist noch da: Nichts wird gesendet.',
  takeBack: 'Zurückholen',
  complete: (titles) => (titles ? 'Jeder Abschnitt hat seinen Titel.' : 'Jeder Abschnitt hat seine Aussagen.'),
  send: 'Senden',
  sendRest: 'Den Rest senden',
  stop: 'Anhalten',
  close: 'Schließen',
  progress: (done, of) => `${number.format(done)} von ${count(of, 'Abschnitt', 'Abschnitten')}`,
  stopped: (left) =>
    left === 0 ? '' : `Angehalten. Was gekommen ist, bleibt; ${chunks(left)} ${left === 1 ? 'fehlt' : 'fehlen'} noch.`,
  unusable: (n) =>
    n === 0
      ? ''
      : `Bei ${count(n, 'Abschnitt', 'Abschnitten')} war die Antwort des Modells zweimal nicht zu gebrauchen:`,
  failed: (words, why) => `„${words}“: ${why}`,
  list: 'Was geschrieben ist, nach den Stellen, von denen es ist',
  part: (words) => `„${words}“`,
  show: (words) => `Im Text zeigen: ${words}`,
  unborne: 'vom Text nicht gedeckt',
  remove: 'Alle entfernen',
  removed: (n) => `${count(n, 'Aussage oder Titel', 'Aussagen und Titel')} entfernt.`,
  undo: 'Rückgängig',
  more: (n) => `${number.format(n)} weitere zeigen`,
};
