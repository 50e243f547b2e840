// German: hosted models. In the same order as words/en/hosted.ts.

import type { Words } from '../words.ts';
import { count, number, passages, sentences } from '../german/helpers.ts';

/** A price or a cost in dollars, with the significant digits only. */
function money(dollars: number): string {
  if (dollars > 0 && dollars < 0.0001) return 'weniger als 0,0001\u00a0$';
  return `${(dollars >= 0.01 || dollars === 0 ? dollars.toFixed(2) : String(Number(dollars.toPrecision(1)))).replace('.', ',')}\u00a0$`;
}

const about = (n: number) => `etwa ${count(Number(n.toPrecision(2)), 'Token', 'Token')}`;
const cost = (dollars: number) =>
  dollars === 0 ? 'kostenlos' : dollars < 0.0001 ? money(dollars) : `etwa ${money(dollars)}`;

export function forCost(dollars: number | null): string {
  if (dollars === null) return 'zu einem Preis, den der Proxy nicht kennt';
  return dollars === 0 ? cost(dollars) : `für ${cost(dollars)}`;
}

const earlier = (turns: number) =>
  turns === 1 ? 'die Frage davor mit ihrer Antwort' : `die ${number.format(turns)} Fragen davor mit ihren Antworten`;

export const hosted: Words['hosted'] = {
  model: (label, price) =>
    `${label} · ${price === null ? 'Preis unbekannt' : price === 0 ? 'kostenlos' : `${money(price)} / 1\u00a0Mio. Token`}`,
  help: (host) =>
    `Sobald Sie auf Senden drücken, gehen die Sätze eines Dokuments über ${host} an den Anbieter des Modells; die Datei bleibt hier.`,
  connecting: (host) => `Verbindet mit ${host} …`,
  choose: (embedders, host) =>
    embedders > 0
      ? `Verbunden; nichts wurde gesendet. Wählen Sie oben unter ${count(embedders, 'Modell', 'Modellen')} von ${host}.`
      : `Verbunden; nichts wurde gesendet. ${host} hat kein Modell für Embeddings.`,
  nothingYet: 'Noch ist nichts gesendet',
  preview: ({ texts, missing, tokens, calls, dollars }, name, model, host) =>
    `${missing < texts ? `${number.format(missing)} von ${count(texts, 'Satz', 'Sätzen')}` : sentences(texts)} aus ${name}, ${about(tokens)} in ${count(calls, 'Aufruf', 'Aufrufen')}, ${missing === 1 ? 'wird' : 'werden'} über ${host} an ${model} gesendet, ${forCost(dollars)}. Ebenso alles, wonach Sie dann nach Ähnlichkeit suchen.`,
  prefixes: (passage, query) =>
    [passage && `Vor jedem Satz steht „${passage.trim()}“.`, query && `Vor jeder Suche steht „${query.trim()}“.`]
      .filter(Boolean)
      .join(' '),
  nothingMissing: 'Alle seine Vektoren sind da: Von diesem Dokument wird nichts mehr gesendet.',
  kept: (n) => (n === 0 ? '' : `${count(n, 'Satz ist', 'Sätze sind')} angekommen und bleiben erhalten.`),
  storedVectors: (vectors, bytes) =>
    `${count(vectors, 'Vektor', 'Vektoren')} gehosteter Modelle (${count(Math.max(1, Math.round(bytes / 1e6)), 'MB', 'MB')}) in diesem Browser gespeichert, damit nichts zweimal bezahlt wird. Text ist nicht dabei.`,
  clearVectors: 'Vektoren löschen',
  send: 'Senden',
  sendRest: 'Den Rest senden',
  notNow: 'Nicht jetzt',
  always: 'Nicht mehr fragen, bis diese Seite geschlossen wird',
  stop: 'Anhalten',
  stopped: 'Angehalten',
  retry: 'Noch einmal versuchen',
  withoutRetry: (text) => text.replace(/(?:^| )Versuchen Sie es (?:später )?noch einmal\.$/, ''),
  sendingTo: (host) => `Sendet an ${host}`,
  sentOf: (done, total) => `${number.format(done)} von ${count(total, 'Satz', 'Sätzen')}`,
  progressLabel: 'Fortschritt des Sendens',
  unsent: 'Die Abschnitte sind wie zuvor.',
  noDocument: 'Öffnen Sie zuerst ein Dokument; dann können Sie dazu fragen.',
  near: {
    asks: (host) =>
      `${host} ist auf diesem Gerät oder in seinem Netz: Ihr Browser wird fragen, ob diese Seite dorthin darf.`,
    blocked: (host) => `Ihr Browser lässt diese Seite nicht zu ${host}; das ist auf diesem Gerät oder in seinem Netz`,
    blockedHint: (proxy) =>
      `Erlauben Sie es in den Einstellungen des Browsers zu dieser Seite (links der Adresse) und verbinden Sie sich noch einmal; oder öffnen Sie ${proxy} selbst.`,
  },
  collection: {
    label: (name: string, host: string) => (name ? `${name}, bei ${host}` : `die Sammlung bei ${host}`),
    hint: (host: string) =>
      `Wonach Sie suchen, geht an ${host}, sobald Sie die Eingabetaste drücken; von Ihren Dokumenten nichts.`,
    none: (host: string) => `${host} hat keine Sammlung für diese Seite.`,
  },
  ask: {
    apart: (host) =>
      `Ein gehostetes Modell kann Fragen aus Textstellen Ihrer Dokumente beantworten. Um zu sehen, welche Modelle es gibt, verbinden Sie sich mit ${host}: Von Ihren Dokumenten wird dabei nichts gesendet. Ohne Modell sehen Sie die Textstellen, die am besten zu einer Frage passen.`,
    connect: (host) => `Mit ${host} verbinden`,
    away: (why) => `${why}: Bis dahin werden Textstellen gefunden, aber nichts beantwortet.`,
    onlyIn: (names, part) =>
      `Die Textstellen kommen nur aus ${part ? { tag: `Dokumenten mit dem Schlagwort „${part.name}“`, folder: `Dokumenten im Ordner ${part.name}` }[part.kind] : names.length === 1 ? (names[0] ?? '') : `den ${number.format(names.length)} gewählten Dokumenten`}.`,
    notIn: (collection) => `Die Textstellen kommen aus Ihren Dokumenten, nicht aus ${collection}.`,
    label: 'Frage',
    followUp: 'Nächste Frage dieses Gesprächs',
    placeholder: 'Ihre Dokumente befragen',
    placeholderNext: 'Weiter fragen',
    earlier: 'Zuvor in diesem Gespräch',
    begin: 'Neues Gespräch',
    beginTitle: 'Dieses Gespräch vergessen: Die nächste Frage geht allein',
    begun: 'Ein neues Gespräch: Die nächste Frage geht allein.',
    send: 'Fragen',
    find: 'Textstellen suchen',
    found: (n) =>
      n === 0
        ? 'Keine Textstelle hat mit dieser Frage zu tun. Nichts wurde gesendet.'
        : `${n === 1 ? 'Die am besten passende Textstelle' : `Die ${number.format(n)} am besten passenden Textstellen`}. Kein Modell hat sie gelesen, und nichts wurde gesendet.`,
    model: 'Modell',
    start: 'Die Eingabetaste fragt',
    noModel: (host) =>
      `${host} hat kein Modell, das Fragen beantwortet: Sie sehen die Textstellen, die am besten passen.`,
    looking: 'Sucht Textstellen …',
    answering: (model) => `${model} antwortet …`,
    thinking: (seconds) => `Denkt nach … ${number.format(seconds)} s`,
    reasoning: 'Gedankengang',
    silent: (host, seconds) =>
      `Von ${host} ist seit ${number.format(seconds)} s nichts gekommen. Ein Modell auf Ihrem eigenen Rechner muss vielleicht erst geladen werden. Seam wartet und fragt noch einmal, wenn die Verbindung abgebrochen ist; Anhalten beendet es.`,
    consent: ({ passages: n, of, turns, tokens, dollars, model, host }) =>
      `Ihre Frage${turns > 0 ? `, ${earlier(turns)}` : ''} und ${n < of ? `${number.format(n)} der ${number.format(of)} am besten passenden Textstellen` : n === 1 ? 'die am besten passende Textstelle' : `die ${number.format(n)} am besten passenden Textstellen`}, ${about(tokens)}, werden über ${host} an ${model} gesendet, ${forCost(dollars)}${dollars === null ? '' : ' je Frage'}.`,
    laterUnseen: 'Weitere Fragen werden ohne Rückfrage gesendet, jede mit dem Gespräch davor.',
    laterSeen:
      'Auch die Textstellen jeder weiteren Frage sehen Sie, bevor sie gesendet werden. Das Gespräch davor geht mit ihr.',
    unseen: 'Die Textstellen können Sie vorher nicht sehen: Um sie zu finden, wird die Frage selbst gesendet.',
    noneLeft:
      'Alle Textstellen sind weggelassen, deshalb kann nichts gesendet werden. Nehmen Sie eine wieder dazu, oder wählen Sie „Nicht jetzt“.',
    seesFirst: 'Die Textstellen vor jeder Frage zeigen, bevor sie gesendet wird',
    sendsNames: 'Mitsenden, woher jede Textstelle kommt: Dokument, Abschnitt, Seite, Datum',
    named: 'Eine Zeile über jeder Textstelle nennt Dokument oder Datei, Abschnitt, Seite und Datum.',
    unnamed: 'Die Zeile darüber, woher eine Textstelle kommt, bleibt weg; Namen in einer Textstelle bleiben.',
    begins: 'Beginnt mit: ',
    around: 'Text aus demselben Abschnitt neben einer Textstelle kann mitgehen.',
    wide: 'Mit Text daneben',
    takeOut: 'Weglassen',
    takeOutOf: (n, where) => `Textstelle ${n} weglassen: ${where}`,
    putBack: 'Dazunehmen',
    putBackOf: (n, where) => `Textstelle ${n} dazunehmen: ${where}`,
    out: 'Geht nicht mit:',
    shortened: (sent, all) =>
      `Nur die ersten ${number.format(sent)} von ${number.format(all)} Zeichen werden gesendet: Im Ganzen ist sie zu lang für eine Frage.`,
    passagesOf: (n) => `Textstellen (${number.format(n)})`,
    readOf: (n) => `Textstellen ohne Antwort (${number.format(n)})`,
    goes: (turns, dropped, history, tokens, dollars) =>
      [
        turns > 0 ? `Mit ihr gesendet: ${earlier(turns)}, ${about(history)}.` : '',
        dropped > 0
          ? `Weggelassen: die ${count(dropped, 'älteste Frage', 'ältesten Fragen')}, da ein Gespräch nur so lang sein darf.`
          : '',
        `Im Ganzen ${about(tokens)}${dollars === null ? '' : `, ${cost(dollars)}`}.`,
      ]
        .filter(Boolean)
        .join(' '),
    alone: (host) => `${host} nimmt kein Gespräch an: Die nächste Frage wird allein gesendet.`,
    refused: (n, lists) => {
      if (n > 0) return 'Nicht in diesen Textstellen';
      if (lists === undefined) return 'Nichts wurde gesendet';
      return lists > 0 ? 'Nur in Verzeichnissen Ihrer Dokumente' : 'Nicht in Ihren Dokumenten';
    },
    refusedHint: (n, lists) =>
      n > 0
        ? 'Das Modell fand in den Textstellen unten keine Antwort. Andere Wörter finden vielleicht andere; oder es steht nicht in Ihren Dokumenten.'
        : lists > 0
          ? 'Keine Textstelle außerhalb von Literatur- und Inhaltsverzeichnissen hat mit dieser Frage zu tun. Nichts wurde gesendet.'
          : 'Keine Textstelle hat mit dieser Frage zu tun. Nichts wurde gesendet. Andere Wörter finden vielleicht etwas.',
    lists: (n) =>
      `${count(n, 'Textstelle', 'Textstellen')} aus Literatur- oder Inhaltsverzeichnissen ${n === 1 ? 'fehlt' : 'fehlen'}: Fragen Sie nach der Literatur oder dem Inhalt, damit sie gesendet ${n === 1 ? 'wird' : 'werden'}.`,
    finish: {
      length: 'Die Antwort bricht ab: Sie hat die größte erlaubte Länge erreicht.',
      filter: 'Der Filter des Anbieters hat die Antwort beendet.',
    },
    table: 'Tabelle',
    passages: 'Textstellen',
    passage: (n, where) => `Textstelle ${n}: ${where}`,
    hit: (n, where) => `[${n}] ${where}`,
    takeApart: 'Stellen für jeden Teil einer Frage finden',
    takeApartHint:
      'Für Fragen nach mehrerem: Das Modell nennt die Teile, und jeder Teil bringt Textstellen. Eine Anfrage mehr je Frage.',
    twice: 'Vorher geht die Frage allein, um zerlegt zu werden.',
    lookedFor: (parts) => `Textstellen wurden gesucht mit ${parts.map((part) => `„${part}“`).join(', ')}.`,
    searched: (query) => `Textstellen wurden mit „${query}“ gesucht.`,
    searchAlone: 'Noch einmal fragen und nur mit dieser Frage suchen',
    sent: (n, turns, model, host, used) =>
      [
        `Über ${host} an ${model} gesendet: die Frage${turns > 0 ? `, ${earlier(turns)}` : ''} und ${passages(n)}`,
        used
          ? `${used.estimated ? about(used.tokens) : count(used.tokens, 'Token', 'Token')} gelesen, ${number.format(used.tokensOut)} geschrieben`
          : '',
        used && used.dollars !== null ? cost(used.dollars) : '',
      ]
        .filter(Boolean)
        .join(' · '),
    cut: ({ read, whole, context }) =>
      `Das Modell hat ${number.format(read)} von ${about(whole)} gelesen${context > 0 ? `; sein Kontext fasst ${number.format(context)}` : ''}.`,
    cutHint: (refused) =>
      refused
        ? 'In dem Teil, den es gelesen hat, fand es keine Antwort. Ein größerer Kontext fasst mehr Textstellen: Er wird dort eingestellt, wo das Modell läuft.'
        : 'Seine Antwort beruht auf einem Teil der Textstellen und wird nicht gezeigt. Ein größerer Kontext fasst mehr: Er wird dort eingestellt, wo das Modell läuft.',
    warms: (word) => `Das Modell laden, während eine Frage getippt wird: es bekommt das Wort „${word}“`,
    loading: (model, seconds) => `${model} wird geladen oder liest… ${number.format(seconds)} s`,
    empty: 'Die Antwort des Modells ist leer.',
    rangeGone: 'Das Dokument wurde neu geschnitten: wählen Sie unter der Frage noch einmal.',
    answersTooLong: 'Die Antworten der Teile sind zu lang, um zusammen gelesen zu werden: wählen Sie ein Kapitel.',
    reads: 'Lesen',
    best: 'die besten Textstellen',
    wholeDocument: (name, chunks) => `ganz: ${name} (${count(chunks, 'Abschnitt', 'Abschnitte')})`,
    wholeSection: (title, chunks) => `Kapitel „${title}“ (${count(chunks, 'Abschnitt', 'Abschnitte')})`,
    part: (n, of) => (of === 1 ? 'Wartet auf die Antwort…' : `Teil ${number.format(n)} von ${number.format(of)}…`),
    whole: ({ title, chunks, parts, open, tokens, dollars, model, host }) =>
      open === 0
        ? `„${title}“ wurde schon ganz gesendet: ${parts === 1 ? 'die Antwort wird gezeigt, und nichts wird gesendet' : `mindestens eine Anfrage über die Antworten der ${number.format(parts)} Teile geht über ${host} an ${model}, wenn nicht auch sie schon beantwortet ist`}.`
        : `${open === parts ? `„${title}“ wird ganz, ${count(chunks, 'Abschnitt', 'Abschnitte')},` : `Von „${title}“ ${chunks === 1 ? 'wird ein Abschnitt' : `werden ${number.format(chunks)} Abschnitte`},`} ${about(tokens)}, über ${host} an ${model} gesendet, ${forCost(dollars)}: ${
            parts === 1
              ? 'eine Anfrage'
              : `${count(open, 'Anfrage', 'Anfragen')} für die Teile, jeder Abschnitt einmal, dann mindestens eine über die Antworten der Teile`
          }.`,
    partsKnown: (n) =>
      `${count(n, 'Teil', 'Teile')} ${n === 1 ? 'ist' : 'sind'} schon beantwortet; dafür wird nichts gesendet.`,
    partly: (n) =>
      `${count(n, 'Abschnitt ist', 'Abschnitte sind')} zu lang für eine Anfrage: nur der Anfang wird gesendet.`,
    sentBefore: 'Nichts wurde gesendet: das Modell hat das schon beantwortet.',
    noThread: 'Das Gespräch davor geht nicht mit.',
    inRequests: (n) => (n === 1 ? 'In einer Anfrage' : `In ${count(n, 'Anfrage', 'Anfragen')}`),
    each: 'Jedes Dokument einzeln fragen…',
    eachTitle: 'Eine Tabelle: eine Zeile je Dokument, eine Spalte je Frage',
    cutAgain: 'Mit weniger Textstellen fragen',
    cutShow: 'Antwort zeigen',
    fewer: (sent, found, context) =>
      `${found === sent + 1 ? `Textstelle ${found} wurde` : `Textstellen ${sent + 1} bis ${found} wurden`} nicht gesendet: Mehr fasst ${context > 0 ? `der Kontext des Modells mit etwa ${number.format(context)} Token` : 'eine Anfrage'} nicht`,
    copy: 'Mit Quellen kopieren',
    copyTitle: 'Frage, Antwort und die genannten Textstellen kopieren',
    copied: 'Kopiert',
    copyFailed: 'Hier nicht erlaubt',
    invented: (n) =>
      n === 0
        ? ''
        : `${n === 1 ? 'Eine Nummer, die' : `${number.format(n)} Nummern, die`} keine Textstelle ${n === 1 ? 'nennt, wurde' : 'nennen, wurden'} weggelassen.`,
    prompt: {
      title: 'Prompt: was das Modell liest',
      own: 'Ihr eigener',
      system: 'Was das System sagt',
      added: 'Dazu kommt',
      user: 'Die Frage mit ihren Textstellen',
      roles: { user: 'Frage', assistant: 'Antwort', system: 'System' },
      open: 'Sie können es ändern: Es bleibt in diesem Browser und geht mit jeder Frage mit.',
      closed: (host) => `${host} antwortet nur mit dem eigenen Prompt, damit niemand sein Konto für anderes benutzt.`,
      untold: (host) => `${host} nennt seinen Prompt nicht.`,
      reset: 'Zurücksetzen',
      start: 'Schreiben Sie eine Frage, um die Textstellen zu sehen, die mit ihr gehen. Gesendet wird dafür nichts.',
      nextPart: (n) => `So geht die erste von mehreren Anfragen hinaus: ${passages(n)}. Noch ist nichts gesendet.`,
      next: (n) => `So wird es gesendet: ${passages(n)}. Noch ist nichts gesendet.`,
      byWords: (n) =>
        `So wird es gesendet, bis auf die Textstellen: Diese ${number.format(n)} wurden nur nach Wörtern gefunden, weil für die Ähnlichkeit die Frage selbst gesendet werden müsste.`,
      last: 'So wurde es mit der letzten Frage gesendet.',
    },
    answered: (n) => `Antwort fertig, aus ${count(n, 'Textstelle', 'Textstellen')}`,
  },
};

export const hostedTroubles: Words['hostedTroubles'] = {
  offline: {
    message: 'Der Proxy ist nicht erreichbar.',
    hint: 'Prüfen Sie die Verbindung; alles andere geht auch ohne ihn.',
  },
  refused: {
    message: 'Der Proxy hat die Anfrage abgelehnt.',
    hint: 'Wählen Sie ein anderes Modell, oder sagen Sie dem Betreiber des Proxys Bescheid.',
  },
  budget: {
    message: 'Das Budget des Proxys ist aufgebraucht.',
    hint: 'Bitten Sie den Betreiber des Proxys um mehr, oder warten Sie auf das nächste Budget.',
  },
  busy: {
    message: 'Der Proxy oder das Modell ist überlastet.',
    hint: 'Warten Sie einen Augenblick vor dem nächsten Versuch.',
  },
  upstream: {
    message: 'Der Anbieter des Modells hat nicht richtig geantwortet.',
    hint: 'Bleibt es dabei, wählen Sie ein anderes Modell.',
  },
};
