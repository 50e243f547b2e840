// German: the page's first bundle. In the same order as words/en/page.ts.

import type { Progress } from '../../../lib/api.ts';
import type { Words } from '../words.ts';
import { fromTo } from '../../../lib/from-to.ts';
import { groups } from '../../../lib/method-groups.ts';
import type { PolicyState } from '../../../lib/place.ts';
import { kinds, offered, one } from '../german/engine.ts';
import {
  chunks,
  count,
  files,
  length,
  list,
  number,
  pages,
  requests,
  sentences,
  unitWords,
  value,
} from '../german/helpers.ts';

const megabytes = (bytes: number) => count(Math.max(1, Math.round(bytes / 2 ** 20)), 'MB', 'MB');

const stages: Record<Progress['stage'], string> = {
  documents: 'liest Dokument',
  pages: 'liest Seite',
  sentences: 'findet Sätze',
  vectors: 'berechnet Embedding von Satz',
  curve: 'misst Abstände',
  chunks: 'schneidet Abschnitte',
  index: 'legt den Index an',
};

const refused: Record<string, string> = {
  'connect-src': 'Abruf',
  'img-src': 'Bild',
  'script-src-elem': 'Skript',
  'worker-src': 'Worker',
  'frame-src': 'Rahmen',
  'form-action': 'Formular',
};

/** The curve, as the subject of a sentence. */
const curves: Record<string, string> = {
  distance: 'der Abstand',
  similarity: 'die Ähnlichkeit',
  gradient: 'der Anstieg',
};

export const strings: Words['strings'] = {
  name: 'Seam',
  and: (labels) => list('conjunction', kinds(labels)),
  or: (labels) => list('disjunction', kinds(labels)),
  offered,
  search: {
    label: 'Alle Dokumente durchsuchen',
    placeholder: 'Dokumente durchsuchen',
    within: (scope) => `Durchsuchen: ${scope}`,
    empty: 'Öffnen Sie zuerst ein Dokument; dann lässt es sich hier durchsuchen.',
  },
  ledger: {
    none: 'nichts gesendet · 0\u00a0Anfragen',
    some: (n) => `${requests(n)} an andere Hosts`,
    blockedShort: (n) => (n === 0 ? '' : `${requests(n)} blockiert`),
    blocked: (n) => (n === 0 ? '' : `${requests(n)} von der Richtlinie blockiert, nicht gesendet:`),
    blockedOne: (directive, url) => `${refused[directive] ?? directive} an ${url}`,
    title: 'Anfragen, seit diese Seite geöffnet wurde',
    own: (n) => `${files(n)} der Seite selbst, vom eigenen Host abgerufen:`,
    other: (n, proxy) =>
      n > 0
        ? `${requests(n)} an andere:`
        : `Anfragen an andere: keine.${proxy ? '' : ' Ihre Dokumente bleiben in diesem Browser.'}`,
    relayedShort: (n) => `${requests(n)} an den Proxy`,
    localShort: (n) => `${requests(n)} auf diesem Rechner`,
    local: (n) =>
      `${requests(n)}, um ein Modell auf diesem Rechner zu finden, zu nehmen oder zu laden, wie Sie es gewählt haben; nichts aus Ihren Dokumenten ist darin:`,
    warmed: (model) => `das Wort „Hello“ an ${model}, damit es geladen wird`,
    asked: (request) => `${request}, vom Server dieser Seite`,
    relayed: (n, host) =>
      [
        'Ihre Dokumente bleiben in diesem Browser, bis Sie ein gehostetes Modell wählen und auf Senden drücken. Dann gehen die Sätze dieses Dokuments und das,',
        `wonach Sie suchen, oder Ihre Frage und die passenden Textstellen an den Proxy auf ${host} und von dort an den Anbieter des Modells. Durchsuchen Sie dessen Sammlung, geht dorthin, wonach Sie suchen.`,
        n === 0 ? 'Anfragen an den Proxy: keine.' : `${requests(n)} an den Proxy:`,
      ].join(' '),
  },
  policy: {
    short: {
      server: '',
      worker: '',
      pending: 'Richtlinie: noch nicht in Kraft',
      never: 'Richtlinie: nicht in Kraft',
    } satisfies Record<PolicyState, string>,
    long: {
      server: 'Richtlinie: vom Server durchgesetzt.',
      worker: 'Richtlinie: vom Service Worker dieser Seite durchgesetzt, da ihr Host keine sendet.',
      pending:
        'Richtlinie: noch nicht in Kraft. Dieser Host sendet keine; die Seite bringt ihre eigene mit, sobald sie neu geladen ist.',
      never:
        'Richtlinie: nicht in Kraft. Dieser Host sendet keine, und unter dieser Adresse oder in diesem Browser kann die Seite keine eigene mitbringen.',
    },
    reload: 'Neu laden',
    limits: (proxy) =>
      `Die Richtlinie hindert die Seite und ihre Worker daran, bei einem anderen Host${proxy ? ' als dem Proxy' : ''} irgendetwas anzufragen. Ein Browser, der den Header Connection-Allowlist nicht kennt, lässt sich von Folgendem nicht abhalten: diese Seite für eine andere Adresse zu verlassen (durch ein Skript oder einen Link, hier oder in einem neuen Fenster, oder um eine Datei zu speichern), WebRTC zu benutzen und Verbindungen vor einer Anfrage aufzubauen.`,
    badge: 'Versiegelt',
    toSealed: 'Die versiegelte Seite öffnen, die nur ihre eigenen Dateien abrufen darf',
    sealed: 'Dies ist die versiegelte Seite: Sie darf nur ihre eigenen Dateien abrufen und keine Fenster öffnen.',
  },
  password: {
    title: 'Dieses PDF ist gesperrt',
    ask: (name) => `${name} lässt sich nur mit seinem Passwort öffnen. Das Passwort bleibt in diesem Browser.`,
    wrong: 'Dieses Passwort öffnet es nicht. Versuchen Sie es noch einmal.',
    label: 'Passwort',
    open: 'Öffnen',
    cancel: 'Abbrechen',
  },
  pasteDialog: {
    title: 'Text einfügen',
    label: 'Text oder Markdown',
    open: 'Zerlegen',
    cancel: 'Abbrechen',
  },
  documents: {
    title: 'Dokumente',
    all: (n) => `Alle ${count(n, 'Dokument', 'Dokumente')}`,
    choose: 'Dateien wählen',
    folder: 'Ordner',
    paste: 'Text einfügen',
    sample: 'Beispiel öffnen',
    dropHere: 'Zum Öffnen loslassen. Die Dateien bleiben in diesem Browser.',
    remove: (name) => `${name} entfernen`,
    stop: 'Anhalten',
    stopNamed: (name) => `Lesen von ${name} anhalten`,
    retry: 'Noch einmal versuchen',
    retryNamed: (name) => `${name} noch einmal versuchen`,
    encodingFound: 'Kodierung: automatisch',
    encodingOf: (name) => `Kodierung von ${name}`,
    hiddenText: 'Auch verborgener Text',
    hiddenTextOf: (name) => `Auch verborgener Text von ${name}`,
    fileGone: 'Die Datei ist weg: Zum Wählen öffnen Sie sie noch einmal.',
    readAnyway: 'Trotzdem lesen',
    readAnywayNamed: (name) => `${name} trotzdem lesen`,
    pasted: (n) => `Eingefügter Text ${n}.txt`,
    sampleName: (extension) => `Beispiel – acht kurze Essays.${extension}`,
    queued: 'wartet',
    starting: 'startet den Leser …',
    progressOf: (name) => `Fortschritt von ${name}`,
    progress: ({ stage, done, total }) => {
      const what = stages[stage] ?? stage;
      const counted = (stage === 'documents' || stage === 'pages' || stage === 'vectors') && total > 0;
      return counted
        ? `${what} ${number.format(done)} von ${number.format(total)}`
        : `${what.replace(/ von Satz$/, 's')} …`;
    },
    ready: (n, all, parts) => [chunks(parts), n > 1 ? pages(n) : '', sentences(all)].filter(Boolean).join(' · '),
    stopped: 'Angehalten, bevor es fertig war.',
    locked: (wrong) => (wrong ? 'gesperrt: Dieses Passwort öffnet es nicht' : 'gesperrt: Geben Sie das Passwort ein'),
    passwordOf: (name) => `Passwort von ${name}`,
    unlock: 'Öffnen',
    unlockNamed: (name) => `${name} mit diesem Passwort öffnen`,
    notice: 'Diesen Hinweis schließen',
    cutOtherwise: (how) =>
      `nach Ihren Einstellungen geschnitten, weil die des Bündels (${how}) hier nicht verfügbar sind`,
    twin: (name, selected) =>
      `${name} ist schon offen${selected ? ' und jetzt ausgewählt' : ''}; eine zweite Kopie gibt es nicht.`,
    twins: (n) => `${files(n)} sind schon offen; zweite Kopien gibt es nicht.`,
    opened: (n, { unread, broken, hidden, beyond, most, unseen }, labels) =>
      [
        n > 0
          ? `${files(n)} des Ordners ${n === 1 ? 'ist' : 'sind'} hinzugefügt.`
          : unseen || hidden || broken > 0
            ? `Es wurde keine Datei gefunden, die Seam liest (${labels}).`
            : `In diesem Ordner ist keine Datei, die Seam liest (${labels}).`,
        broken > 0 ? `${count(broken, 'Datei oder Ordner ließ', 'Dateien oder Ordner ließen')} sich nicht lesen.` : '',
        hidden ? 'Versteckte Ordner wurden nicht durchgesehen.' : '',
        unread > 0 ? `Ausgelassen: ${files(unread)} anderer Formate.` : '',
        beyond > 0
          ? `Ausgelassen: ${files(beyond)} nach den ersten ${number.format(most)}; ziehen Sie diese einzeln herein.`
          : '',
        unseen ? 'Einige Unterordner waren zu viele oder lagen zu tief und wurden nicht durchgesehen.' : '',
      ]
        .filter(Boolean)
        .join(' '),
    safe: 'Ihre anderen Dokumente sind unverändert.',
    kept: { saving: 'wird gespeichert …', saved: 'gespeichert', failed: 'nicht gespeichert' },
    keptReady: (n, parts) => [chunks(parts), n > 1 ? pages(n) : ''].filter(Boolean).join(' · '),
  },
  knob: {
    label: 'Feiner oder gröber',
    number: 'Einstellung',
    finer: 'feiner',
    coarser: 'gröber',
    says: (n, typical, unit) => `${chunks(n)}, meist um ${length(typical, unit)}`,
    step: (n, of) => `${number.format(n)} von ${number.format(of)}`,
    where: (curve, threshold, byHand) =>
      [
        byHand ? 'Schwelle von Hand gesetzt.' : '',
        threshold === null || curve === '' || curve === 'strength'
          ? ''
          : `Schnitt, wo ${curves[curve]} ${curve === 'similarity' ? 'unter' : 'über'} ${value(threshold)} liegt.`,
      ]
        .filter(Boolean)
        .join(' '),
  },
  settings: {
    title: 'Zerlegung',
    method: 'Verfahren',
    groups: [
      { label: 'Nach Bedeutung', methods: groups.meaning },
      { label: 'Nach Gliederung', methods: groups.structure },
      { label: 'Nach Größe', methods: groups.size },
      { label: 'Wie veröffentlicht, zum Vergleich', methods: groups.published },
    ],
    min: (unit) => `Min. ${unitWords(unit)[1]}`,
    max: (unit) => `Max. ${unitWords(unit)[1]}`,
    overlap: 'Überlappung',
    unit: 'Längen in',
    units: {
      '': 'Token des Embedding-Modells',
      cl100k: 'Token von GPT-4 (cl100k)',
      o200k: 'Token von GPT-4o und später (o200k)',
      words: 'Wörtern',
      chars: 'Zeichen',
    },
    view: 'Reihenfolge des Textes',
    views: (own) => [
      {
        name: '',
        label: `wie das Verfahren sie hat: ${own === 'reading' ? 'Lesereihenfolge' : 'Reihenfolge der Datei'}`,
      },
      { name: 'reading', label: 'Lesereihenfolge, wie ein Mensch liest' },
      { name: 'content', label: 'Reihenfolge der Datei, wie Programme sie lesen' },
    ],
    unset: 'keine',
    impossible: (typed) =>
      `${typed ? `${typed} ist keine Länge` : 'Das ist keine Länge'}: Geben Sie eine ganze Zahl ab 0 ein. Nichts wurde geändert.`,
    refused: (why) => `${why} Bis das geändert ist, wird der Text ohne Grenzen geschnitten.`,
    embedder: 'Embeddings',
    hosted: (host) => `Gehostete Modelle · ${host}`,
    connect: (host) => `Mit ${host} verbinden …`,
    reset: 'Einstellungen zurücksetzen',
    all: 'Mehr Einstellungen',
    fewer: 'Weniger Einstellungen',
    loading: 'wird geladen …',
  },
  panels: 'Ergebnisse',
  pagesOf: (all, labels) => {
    const sheets = fromTo(all);
    const printed = labels ? fromTo(labels) : sheets;
    return printed === sheets ? sheets && `S.\u00a0${sheets}` : `S.\u00a0${printed} (Blatt\u00a0${sheets})`;
  },
  aside: 'Dokumente und Einstellungen',
  sheet: { open: 'Dokumente und Einstellungen', close: 'Dokumente und Einstellungen schließen', tab: 'Einstellungen' },
  empty: {
    title: 'Ein Dokument schneiden, wo sein Thema wechselt',
    chunks: 'Abschnitte',
    why: (chunks) =>
      `Seam schneidet es in ${chunks}, kurze Teile mit je einem Thema, damit Sie eine Stelle finden, dazu fragen oder sie einem Modell geben können.`,
    what: (labels) => `Oder ziehen Sie sie hierher: ${labels}.`,
    private: (proxy) =>
      `Alles geschieht in diesem Browser; nichts verlässt ihn${proxy ? ', es sei denn, Sie wählen ein gehostetes Modell oder eine gehostete Sammlung' : ''}.`,
  },
  trouble: {
    foreign: (english) => `Das ist ${one(english)}, was Seam nicht liest.`,
    reads: (labels) => `Seam liest ${labels}: Speichern oder exportieren Sie die Datei in einem dieser Formate.`,
    tooLarge: (english, size, most) =>
      `Diese Datei ist ${megabytes(size)} groß; ${one(english)} darf bis zu ${megabytes(most)} groß sein.`,
    tooLargeHint: 'Sie wurde nicht geladen. Teilen Sie sie und öffnen Sie die Teile.',
    unreadable:
      'Diese Datei lässt sich nicht lesen: Sie wurde verschoben oder geändert, oder sie darf nicht geöffnet werden.',
    unreadableHint: 'Nichts wurde geändert. Wählen Sie sie noch einmal dort, wo sie jetzt liegt.',
    gone: 'Der Browser hat gelöscht, was von diesem Dokument gespeichert war.',
    followed: 'Dieses Dokument ist in einem anderen Tab offen, der es ändert; dieser hier folgt ihm.',
    followedHint: 'Ändern Sie es dort, oder schließen Sie es dort.',
  },
  menu: 'Menü',
  said: {
    chunks,
    failed: (name, message) => `${name}: ${message}`,
    failures: (n) => `${count(n, 'Datei ließ', 'Dateien ließen')} sich nicht lesen`,
    shown: (page) => (page ? `Textstelle auf ${page} wird gezeigt` : 'Textstelle wird gezeigt'),
    hits: (n) => count(n, 'Treffer', 'Treffer'),
    removed: (name) => `${name} entfernt`,
    locked: (name) => `${name} ist gesperrt. Die Liste der Dokumente hat ein Feld für das Passwort.`,
    lockedMany: (n) => `${files(n)} sind gesperrt. Die Liste der Dokumente hat für jede ein Feld für das Passwort.`,
    wrong: (name) => `Dieses Passwort öffnet ${name} nicht.`,
  },
  partLost:
    'Ein Teil dieser Seite ließ sich nicht laden: Die Seite ist älter als ihr Host, oder dieser antwortet nicht. Laden Sie sie neu.',
  engineLost: 'Das Rechenprogramm ließ sich nicht laden',
  engineLostHint: 'Prüfen Sie die Verbindung zum Host dieser Seite und laden Sie sie neu; nichts wurde gesendet.',
};

export const troubles: Words['troubles'] = {
  'no-bytes': { message: 'Diese Datei ist leer.', hint: 'Besorgen Sie eine andere Kopie.' },
  died: {
    message: 'Das Programm, das diese Datei liest, ist unerwartet stehen geblieben.',
    hint: 'Ihre anderen Dokumente sind sicher. Versuchen Sie es noch einmal oder mit einer kleineren Datei.',
  },
  gone: {
    message: 'Der Browser hat gelöscht, was von diesem Dokument gespeichert war.',
    hint: 'Öffnen Sie die Datei noch einmal.',
  },
  version: {
    message: 'Die Seite und ihr Rechenprogramm sind von verschiedenen Versionen.',
    hint: 'Ihre Dateien sind unberührt. Laden Sie die Seite neu.',
  },
  altered: {
    message: 'Ein Programm dieser Seite wurde auf dem Weg hierher verändert und nicht ausgeführt.',
    hint: 'Ihre Dateien sind unberührt. Laden Sie neu; hilft das nicht, muss der Betreiber dieses Hosts die Seite neu aufspielen.',
  },
  old: {
    message: 'Diese Seite ist älter als ihr Host, der diesen Teil nicht mehr hat.',
    hint: 'Ihre Dateien sind unberührt. Laden Sie neu.',
  },
};
