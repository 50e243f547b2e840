// German: the views of an open document. In the same order as words/en/views.ts.

import type { CurveKind, Reason } from '../../../lib/api.ts';
import type { CutKind } from '../../../lib/cut-kinds.ts';
import type { GapState } from '../../../lib/gaps.ts';
import type { Words } from '../words.ts';
import { at, chunks, count, cuts, date, length, list, number, passages, unitWords, value } from '../german/helpers.ts';
import { say } from '../german/says.ts';

const bars: Record<CurveKind, string> = {
  distance: 'Abstand benachbarter Sätze',
  similarity: 'Ähnlichkeit benachbarter Sätze',
  gradient: 'Änderung des Abstands von Satz zu Satz',
  strength: 'Stärke der Themengrenzen',
  '': 'Dieses Verfahren hat keine Kurve',
};

const kinds: Record<CurveKind, string> = {
  distance: 'Abstand',
  similarity: 'Ähnlichkeit',
  gradient: 'Änderung des Abstands',
  strength: 'Stärke',
  '': '',
};

const sentence = (parts: string[]): string => `${parts.filter(Boolean).join(', ')}.`;

/** Writes two numbers with as many digits as show their difference, at least two. */
function compared(what: string, { value: a = 0, threshold: b = 0 }: Reason): string {
  for (let digits = 2; ; digits++) {
    const [x, y] = [Math.fround(a).toFixed(digits), b.toFixed(digits)];
    if (x !== y || digits === 17) return `${what} ${x}, Linie bei ${y}`.replaceAll('.', ',');
  }
}

export function shownReason(reason: Reason): string {
  return needed(reason) ?? plainReason(reason);
}

function needed(reason: Reason): string | undefined {
  const { kind, value: v = 0 } = reason;
  if (reason.for === undefined) return undefined;
  const after = ', nötig für das Maximum';
  switch (kind) {
    case 'distance':
    case 'largest':
      return `Abstand ${value(v)}${after}`;
    case 'gradient':
      return `Anstieg ${value(v)}${after}`;
    case 'similarity':
      return `Ähnlichkeit ${value(v)}${after}`;
    case 'strength':
      return `${plainReason(reason)}${after}`;
    default:
      return undefined;
  }
}

function plainReason(reason: Reason): string {
  const { kind, value: v = 0, of = 1 } = reason;
  switch (kind) {
    case 'distance':
      return compared('Abstand', reason);
    case 'gradient':
      return compared('Anstieg', reason);
    case 'similarity':
      return compared('Ähnlichkeit', reason);
    case 'strength':
      return `Thema ${number.format(Number((2 ** v).toPrecision(2)))}`;
    case 'largest':
      return `Abstand ${value(v)}, ${of > 1 ? `einer der ${number.format(of)} größten` : 'der größte'}`;
    default:
      return others[kind] ?? kind;
  }
}

const others: Record<string, string> = {
  topic: 'Thema',
  max: 'Maximum',
  manual: 'von Hand',
  end: 'Ende',
  heading: 'Überschrift',
  page: 'Seite',
  paragraph: 'Absatz',
  sentence: 'Satz',
  line: 'Zeile',
  clause: 'Teilsatz',
  word: 'Wort',
  cluster: 'Gruppe',
  size: 'Größe',
};

const states: Record<GapState, string> = {
  none: '',
  made: ' · geschnitten',
  inner: ' · an einer inneren Grenze geschnitten, wegen des Maximums',
  forced: ' · wegen des Maximums geschnitten',
  hand: ' · von Hand geschnitten',
  joined: ' · verbunden: Ein Abschnitt wäre kürzer als das Minimum',
};

const MOSTLY = 0.8;

const percent = (share: number): string => `${Math.round(100 * share)}\u00a0%`;

const cutAt: Record<CutKind, string> = {
  heading: 'an einer Überschrift',
  page: 'am Anfang einer Seite',
  subject: 'wo das Thema wechselt',
  inside: 'in einem langen Thema',
  full: 'wo ein Abschnitt voll war',
  hand: 'von Hand',
};

export const views: Words['views'] = {
  cutBy: {
    heading: 'eine Überschrift',
    page: 'eine Seite',
    subject: 'das Thema wechselt',
    inside: 'in einem langen Thema',
    full: 'der Abschnitt war voll',
    hand: 'von Hand',
  },
  outline: {
    title: 'Gliederung',
    chunks: 'Abschnitte',
    count: chunks,
    rest: (n) => `und ${count(n, 'weitere Überschrift', 'weitere Überschriften')}`,
  },
  search: {
    modes: { hybrid: 'ähnlichem Text und Wörtern', dense: 'ähnlichem Text', keyword: 'Wörtern' },
    mode: 'Finden nach',
    only: 'Suchen in',
    all: 'Alle Dokumente',
    chosen: (n) => count(n, 'gewähltes Dokument', 'gewählte Dokumente'),
    parts: {
      tag: (name) => `Schlagwort: ${name}`,
      folder: (name) => `Ordner: ${name}`,
    },
    partOf: {
      tag: (name) => `Dokumente mit dem Schlagwort „${name}“`,
      folder: (name) => `Dokumente im Ordner ${name}`,
    },
    onlyChosen: (n, chosen, part) =>
      part
        ? `Durchsucht: nur ${part}, ${n === chosen ? number.format(n) : `bisher ${number.format(n)} von ${number.format(chosen)}`}.`
        : n === chosen
          ? `Durchsucht: nur die ${number.format(n)} gewählten Dokumente.`
          : `Durchsucht: nur die gewählten Dokumente, bisher ${number.format(n)} von ${number.format(chosen)}.`,
    start:
      'Geben Sie oben eine Frage ein. Die besten Stellen Ihrer Dokumente erscheinen hier; Wörter in „Anführungszeichen“ müssen beieinanderstehen.',
    busy: 'Sucht …',
    goOn: (word) => `Tippen Sie weiter, oder suchen Sie mit Enter nach „${word}“.`,
    none: (query, mode) =>
      `Keine Treffer für „${query}“. ${mode === 'keyword' ? 'Andere Wörter helfen vielleicht weiter.' : 'Andere Wörter oder „Finden nach: Wörtern“ helfen vielleicht weiter.'}`,
    found: (n, more, query) => `${more ? 'Die besten ' : ''}${count(n, 'Treffer', 'Treffer')} für „${query}“.`,
    early: (n, more, query) =>
      `${more ? 'Die besten ' : ''}${count(n, 'Treffer', 'Treffer')} für „${query}“ nur nach Wörtern; das gehostete Modell wird noch gefragt …`,
    unknown: (words, whole) =>
      words.length === 0
        ? ''
        : `${whole ? 'In keinem Dokument' : 'In keinem bisher gelesenen Text'}: ${list(
            'disjunction',
            words.map((word) => `„${word}“`),
          )}.`,
    aside: (word, names, hidden) =>
      `„${word}“ kommt nur ${hidden ? 'in Text vor, den niemand auf der Seite sieht' : 'außerhalb der Textstellen vor, etwa in einer Kopfzeile'}: ${names.join(', ')}.`,
    apart: (reading, failed) =>
      [
        reading > 0
          ? `${reading === 1 ? 'Ein Dokument wird' : `${number.format(reading)} Dokumente werden`} noch gelesen; weitere Treffer folgen.`
          : '',
        failed > 0 ? `${count(failed, 'Dokument ließ', 'Dokumente ließen')} sich nicht lesen.` : '',
      ]
        .filter(Boolean)
        .join(' '),
    unread: (name, notes) => `In ${name} fehlt vielleicht Text${notes.length > 0 ? `: ${notes.join('; ')}` : ''}.`,
    unreadMore: (n) => `Auch in ${count(n, 'weiteren Dokument', 'weiteren Dokumenten')}.`,
    missing: (embedder, reason) =>
      `Was ${embedder} eingebettet hat, wurde nur nach Wörtern durchsucht: ${say(reason).replace(/\.$/, '')}.`,
    taken: (word, taken, begins, whole) =>
      begins
        ? `„${word}“ steht auch für Wörter, die so beginnen.`
        : `„${word}“ steht in ${whole ? 'keinem Dokument' : 'keinem bisher gelesenen Text'}: Gesucht wurde „${taken}“.`,
    hit: (name, page) => [name, page].filter(Boolean).join(' · '),
    by: (text) => `Gefunden durch: „${text}“`,
    why: {
      words: (matched) => (matched.length === 0 ? 'dieselben Wörter' : `enthält ${matched.join(', ')}`),
      section: () => 'Wörter in der Überschrift',
      document: () => 'Wörter überall im Dokument',
      proximity: () => 'Wörter nahe beieinander',
      meaning: () => 'in der Bedeutung nahe',
    },
  },
  columns: {
    side: 'Breite von Dokumenten und Einstellungen',
    rail: 'Breite der Ergebnisse',
    how: 'Ziehen ändert die Breite; zweimal drücken oder Eingabetaste: aus- und einblenden',
    hidden: 'ausgeblendet',
    width: (pixels) => count(pixels, 'Pixel', 'Pixel'),
  },
  add: {
    open: 'Neu',
    title: 'Dokumente hinzufügen',
    also: 'Oder ziehen Sie Dateien irgendwo auf die Seite, oder drücken Sie Strg+V.',
    removeAll: 'Liste leeren',
    examples: 'Beispieldokumente …',
    tour: 'Rundgang beginnen',
  },
  pages: {
    label: 'Text oder Seite',
    choices: { text: 'Text', both: 'Text und Seite', page: 'Seite' },
    lost: 'Die Seitenansicht ließ sich nicht laden. Versuchen Sie es noch einmal, wenn der Host dieser Seite erreichbar ist.',
  },
  unknown: {
    says: (language, share) =>
      `${Math.round(100 * share)}\u00a0% dieses Textes sind anscheinend nicht englisch (${inGerman(language)}), und das eingebaute Modell kennt nur Englisch: Grenzen und Suche sind hier schwächer.`,
    settled: (language, share) =>
      `${share < MOSTLY ? `${Math.round(100 * share)}\u00a0% dieses Textes sind` : 'Dieser Text ist'} anscheinend in einer Sprache, die das eingebaute Modell nicht kennt (${inGerman(language)}): Verglichen wird nach den eigenen Wörtern des Textes.`,
    lexical: 'Stattdessen nach den eigenen Wörtern des Textes gehen',
  },
  model: {
    open: 'Eigenes Modell verwenden …',
    reading: 'Das Modell wird gelesen …',
    ready: (name) => `${name} wird jetzt verwendet, bis diese Seite geschlossen wird. Es bleibt in diesem Browser.`,
    missing: (name, missing) => `In ${name || 'diesem Ordner'} fehlt: ${missing.join(', ')}`,
    tooLarge: 'Dieses Modell ist größer als 1\u00a0GB',
    hint: 'Wählen Sie den Ordner eines Model2Vec-Modells oder eines Satz-Encoders der BERT-Familie mit model.safetensors, tokenizer.json und config.json.',
  },
  statements: {
    open: (n) =>
      n === 0
        ? 'Ein Modell Aussagen oder Titel schreiben lassen\u00a0…'
        : `${number.format(n)} von einem Modell geschrieben\u00a0…`,
    title: 'Ein Modell schreibt Aussagen oder Titel zu den Abschnitten, durch die eine Suche sie auch findet',
    gone: (n) =>
      `${count(n, 'Aussage oder Titel', 'Aussagen und Titel')} eines Modells ${n === 1 ? 'ging' : 'gingen'} mit dem Text, von dem ${n === 1 ? 'sie war' : 'sie waren'}.`,
  },
  local: {
    open: 'Ein Modell auf diesem Rechner verwenden …',
    before:
      'Der Server dieser Seite fragt einmal dort nach, wo Ollama, llama.cpp und LM Studio üblicherweise zu erreichen sind. Nichts aus Ihren Dokumenten wird gesendet.',
    apart:
      'Ein Modell kann Fragen aus Textstellen Ihrer Dokumente beantworten. Läuft es auf diesem Rechner, braucht es kein Konto.',
    looking: 'Modelle auf diesem Rechner werden gesucht …',
    found: (n) =>
      n === 0
        ? 'Es wurde kein Modell gefunden.'
        : n === 1
          ? '1 Modell gefunden.'
          : `${number.format(n)} Modelle gefunden.`,
    server: (program, address) => `${program || 'Server'} · ${address}`,
    answers: 'Beantworten Fragen',
    embeds: 'Betten ein: vergleichen nach Bedeutung',
    unknown: 'Fähigkeiten unbekannt',
    use: 'Verwenden',
    useFor: { chat: 'Für Antworten', embed: 'Zum Einbetten' },
    useOf: (name, kind) => `${name} ${{ chat: 'für Antworten', embed: 'zum Einbetten' }[kind]} verwenden`,
    taken: 'In Gebrauch',
    until: (model) => `Bis seam serve endet, gibt es Anfragen an ${model} weiter.`,
    keep: 'Um es auch beim nächsten Mal zu haben, starten Sie:',
    then: 'Laden Sie die Seite neu, um es unter den Modellen zu haben.',
    lost: 'Dokumente oder Änderungen, die nicht aufbewahrt sind, gingen verloren. Drücken Sie noch einmal, um die Seite trotzdem neu zu laden.',
    busy: 'Dokumente werden noch gelesen oder aufbewahrt. Drücken Sie danach noch einmal.',
    load: 'Neu laden',
    away: (program, names) =>
      `Weggelassen, weil ${program} sie auf anderen Rechnern laufen lässt: ${names.join(', ')}.`,
    silent: (addresses) =>
      `Nichts ist zu erreichen unter ${addresses.join(', ')}: Starten Sie Ollama mit „ollama serve“ oder den Server von llama.cpp oder LM Studio, und drücken Sie noch einmal. Für eine andere Adresse starten Sie seam serve mit --base-url.`,
    why: {
      empty: (program, address, away) =>
        `Das Programm unter ${address} hat kein Modell dieses Rechners${away.length > 0 ? `, nur solche, die anderswo laufen (${away.join(', ')})` : ''}: Holen Sie eines${program === 'Ollama' ? ', zum Beispiel mit „ollama pull llama3.2“' : ' dort'}, und drücken Sie noch einmal.`,
      loading: (_program, address) =>
        `Das Programm unter ${address} lädt sein Modell noch: Drücken Sie bald noch einmal.`,
      locked: (_program, address) =>
        `Das Programm unter ${address} verlangt einen Schlüssel: Starten Sie seam serve mit --base-url http://${address}/v1 und dem Schlüssel in OPENAI_API_KEY.`,
      slow: (_program, address) =>
        `Das Programm unter ${address} hat nicht rechtzeitig geantwortet: Drücken Sie noch einmal.`,
      other: (program, address) =>
        `Das Programm unter ${address} nennt keine Modelle: Ist ${program} an einem anderen Port zu erreichen, starten Sie seam serve mit --base-url und dieser Adresse.`,
    },
    gone: 'Der Server dieser Seite antwortet nicht.',
    goneHint: 'Starten Sie seam serve neu, und öffnen Sie die Adresse, die es nennt.',
    refused: {
      unauthorized:
        'Der Server verlangt seinen Schlüssel: Öffnen Sie die Seite mit der vollständigen Adresse, die seam serve ausgegeben hat; sie endet mit #token= und dem Schlüssel.',
      forbidden: 'Der Server sucht Modelle nur für seine eigene Seite und nur, solange er allein diesem Rechner dient.',
      gone: 'Dieses Modell war nicht in der letzten Suche: Drücken Sie noch einmal, um Modelle zu suchen.',
      'in-use':
        'Ein anderes seam serve benutzt den Ordner des Zustands: Beenden Sie es, oder starten Sie dieses mit --state und einem anderen Ordner.',
    },
  },
  meaning: {
    offer: (bytes) =>
      `Auch nach der Bedeutung finden? Das Modell wird einmal geladen, ${Math.max(1, Math.round(bytes / 1e6))}\u00a0MB, und hier behalten.`,
    accept: 'Laden',
    decline: 'Nein, danke',
    off: 'Stellen werden nach ihren Wörtern gefunden.',
    turnOn: 'Auch nach der Bedeutung finden',
    turnOff: 'Ausschalten',
    loading: (bytes) => `Das Modell wird geladen: ${Math.max(1, Math.round(bytes / 1e6))}\u00a0MB …`,
    reading: (done, total) => `Nach der Bedeutung gelesen: ${number.format(done)} von ${number.format(total)}`,
    progress: 'Nach der Bedeutung gelesen',
    stop: 'Stopp',
    stopped: (done, total) =>
      `Nach ${number.format(done)} von ${number.format(total)} angehalten; nach Wörtern wird alles gefunden.`,
    goOn: 'Fortsetzen',
    again: 'Erneut versuchen',
    ready: 'Gefunden wird auch nach der Bedeutung.',
  },
  bestFirst: 'Beste zuerst',
  skip: 'Zum Text springen',
  searchTab: 'Suche',
  askTab: 'Fragen',
  curve: {
    title: (kind) => bars[kind],
    chunks: (n) => count(n, 'Abschnitt', 'Abschnitte'),
    cut: (typical, unit, n, cuts) =>
      n < 2
        ? `, ${length(typical, unit)}.`
        : `, meist um ${length(typical, unit)}. Geschnitten: ${cuts.map(([kind, times]) => `${number.format(times)}-mal ${cutAt[kind]}`).join(', ')}.`,
    other: 'neues Thema',
    same: 'dasselbe Thema',
    titleOf: (kind, from, to) => `${kinds[kind]} · ${views.curve.part(from, to)}`,
    made: (n) => cuts(n),
    inner: (n) => count(n, 'innere Grenze', 'innere Grenzen'),
    forced: (n) => `${number.format(n)} wegen des Maximums`,
    hand: (n) => `${number.format(n)} von Hand`,
    joined: (n) => `${number.format(n)} für das Minimum verbunden`,
    typical: (n, unit) => `meist um ${length(n, unit)}`,
    drag: 'Schwelle ziehen',
    gap: (i, kind, v, state = 'none') =>
      `Satz ${number.format(i + 1)}→${number.format(i + 2)}: ${at(kind, v)}${states[state]}`,
    ofMany: (n) => `einer von ${count(n, 'Schnitt', 'Schnitten')} hier`,
    extreme: (kind, gaps) =>
      `${kind === 'similarity' ? 'niedrigster' : 'höchster'} von ${number.format(gaps)} Werten hier`,
    label: (kind, gaps, made, threshold) =>
      `${bars[kind]}: ${count(gaps, 'Lücke', 'Lücken')}, ${cuts(made)}, Schwelle bei ${at(kind, threshold)}`,
    at,
    number: 'Wo die Schwelle liegt',
    walk: 'Die Kurve entlanggehen; die Eingabetaste führt zur Stelle im Text',
    in: 'Kurve vergrößern',
    out: 'Kurve verkleinern',
    part: (from, to) => `Sätze ${number.format(from + 1)}–${number.format(to + 1)}`,
    table: {
      open: 'Tabelle',
      openTitle: 'Die Grenzen als Tabelle',
      title: (kind) => `Grenzen${kind ? ` · ${bars[kind]}` : ''}`,
      count: (n) => `${count(n, 'Grenze', 'Grenzen')}, in der Reihenfolge des Textes.`,
      line: (value) => `Die Schwelle liegt bei ${value}.`,
      first: (n) => `Aufgeführt sind die ersten ${number.format(n)}.`,
      none: 'Der Text ist nirgends zwischen zwei Sätzen geschnitten.',
      heads: ['Satz', 'Seite', 'Vor der Grenze', 'Dahinter', 'Wert', 'Was daraus wurde'],
      states: {
        made: 'geschnitten',
        inner: 'an einer inneren Grenze geschnitten, wegen des Maximums',
        forced: 'wegen des Maximums geschnitten',
        hand: 'von Hand geschnitten',
        joined: 'für das Minimum verbunden',
      },
      close: 'Schließen',
    },
    none: 'Dieses Verfahren vergleicht keine Nachbarn; es gibt keine Kurve.',
  },
  text: {
    page: (n, of, printed = '') => {
      const place = `${number.format(n)} von ${number.format(of)}`;
      return printed && printed !== String(n) ? `S.\u00a0${printed} (Blatt\u00a0${place})` : `S.\u00a0${place}`;
    },
    label: 'Text des Dokuments mit seinen Abschnitten',
    tab: 'Text',
    shared: (n) =>
      `Unterstrichen: ${passages(n)}, die in je zwei Abschnitten ${n === 1 ? 'steht' : 'stehen'}, da diese sich überlappen.`,
  },
  history: {
    title: 'Alle Änderungen von Hand',
    what: ({ action, undone }) =>
      `${{ split: 'Geteilt', merge: 'Verbunden', move: 'Verschoben', clear: 'Alles verworfen' }[action]}${undone ? ' (rückgängig gemacht)' : ''}`,
    place: (text) => `vor „${text.length > 34 ? `${text.slice(0, 32).trim()}…` : text}“`,
    when: ({ when, by }) => [by, when > 0 ? date(when) : ''].filter(Boolean).join(' · '),
    redo: 'Wiederherstellen',
    back: 'Bis hierher zurück',
    compare: 'Vergleichen mit',
    times: { none: '–', hour: 'vor einer Stunde', yesterday: 'gestern', beginning: 'vor allen Änderungen' },
    compared: (came, gone) =>
      came + gone === 0
        ? 'Die Grenzen sind wie damals.'
        : [
            came > 0 ? `${count(came, 'Grenze ist', 'Grenzen sind')} neu` : '',
            gone > 0 ? `${count(gone, 'Grenze ist', 'Grenzen sind')} weggefallen` : '',
          ]
            .filter(Boolean)
            .join(', ') + ', seitdem:',
    author: 'Ihr Name, für Änderungen ab jetzt',
    came: 'Neu',
    gone: 'Weggefallen',
  },
  edits: {
    tools: (n) => `Abschnitt ${number.format(n)}`,
    copy: 'Diesen Abschnitt kopieren',
    merge: 'Mit dem nächsten verbinden',
    mergeShort: 'Verbinden',
    earlier: 'Früher',
    later: 'Später',
    up: 'Einen Satz früher enden',
    down: 'Einen Satz später enden',
    split: 'Teilen',
    splitWhy: (reason) => (reason ? 'Teilen, wo er am weitesten auseinandergeht' : 'In der Mitte teilen'),
    splitHere: 'Hier teilen',
    mergeHere: 'Mit dem Abschnitt darüber verbinden',
    count: (n) => (n === 0 ? 'Keine Änderungen von Hand' : `${count(n, 'Änderung', 'Änderungen')} von Hand`),
    full: (most, unit) => `Über dem Maximum von ${length(most, unit)}`,
    long: 'Länger als das voreingestellte Maximum, von Hand.',
    held: (n) => (n === 0 ? '' : `${count(n, 'Grenze bleibt', 'Grenzen bleiben')} wegen des Maximums.`),
    version: (reread, embedded, total, lost) =>
      [
        reread
          ? 'Dieselbe Datei wurde noch einmal gelesen.'
          : 'Eine neue Version dieser Datei ist an die Stelle der alten getreten.',
        total > 0 ? `${number.format(embedded)} von ${count(total, 'Satz', 'Sätzen')} neu eingebettet.` : '',
        lost > 0
          ? `${count(lost, 'Änderung', 'Änderungen')} von Hand ${lost === 1 ? 'hatte' : 'hatten'} darin keinen Platz.`
          : '',
      ]
        .filter(Boolean)
        .join(' '),
    undo: 'Rückgängig',
    redo: 'Wiederholen',
    clear: 'Verwerfen',
    endsNow: (n, words) => `Abschnitt ${number.format(n)} endet jetzt: ${words}`,
  },
  attached: {
    files: (n) => `${count(n, 'Datei ist', 'Dateien sind')} angehängt:`,
    more: (n) => `${number.format(n)} weitere`,
    name: (file, pdf) => `${pdf} › ${file}`,
    again: (pdf) => `Öffnen Sie ${pdf} noch einmal, um sie zu lesen.`,
    failed: (file, why) => `${file}: ${why}`,
  },
  links: {
    open: (name) => `${name} in einem neuen Tab öffnen`,
    confined: (address) => `${address} · Die Richtlinie dieser Seite hindert den Browser daran, sie zu öffnen.`,
    copy: (name) => `Adresse von ${name} kopieren`,
    copyShort: 'Adresse kopieren',
    goTo: (place) => `Zu ${place}`,
    of: (n) => count(n, 'Link', 'Links'),
    list: (chunk) => `Links in Abschnitt ${number.format(chunk)}`,
    more: (n) => `${count(n, 'weiterer Link', 'weitere Links')}`,
  },
  bundles: {
    save: 'Als .seam speichern',
    saved: 'Download begonnen.',
    collecting: (n, all) => `Dokument ${number.format(n + 1)} von ${number.format(all)} wird gesammelt …`,
    writing: 'Das Bündel wird geschrieben …',
    tooLarge: 'Diese Dokumente sind mit ihren Vektoren größer als 512\u00a0MB',
    tooLargeHint: 'Speichern Sie sie einzeln oder weniger auf einmal.',
    notOpen: (name) => `${name} ist nicht offen und lässt sich daher nicht speichern`,
    mine: 'Meine Einstellungen verwenden',
    given: (method, { setting, threshold, count: n = 0, maxTokens = 0, unit = '', embedder = '' }) =>
      `Geschnitten wie im Bündel: ${[
        method,
        setting !== undefined ? number.format(setting) : '',
        threshold !== undefined ? `Schwelle bei ${number.format(threshold)}` : '',
        n > 0 ? chunks(n) : '',
        maxTokens > 0 ? `höchstens ${length(maxTokens, unit)}` : '',
        embedder,
      ]
        .filter(Boolean)
        .join(', ')}.`,
  },
  compare: {
    tab: 'Vergleich',
    letters: ['A', 'B', 'C', 'D'],
    empty: 'Öffnen Sie ein Dokument und sehen Sie hier, wie andere Verfahren es schneiden.',
    row: (letter) => `Verfahren ${letter}`,
    number: (letter, label) => `${label} von ${letter}`,
    max: (unit) => `Bis ${unitWords(unit)[1]}`,
    asInUse: (letter, label) => `Methode ${letter}: ${label} (leer: wie in Gebrauch)`,
    noMax: 'keins',
    overlap: 'Überlappung',
    sameEmbedder: 'Embeddings wie in Gebrauch',
    embedderOf: (letter) => `Embeddings von ${letter}`,
    with: (method, { maxTokens = 0, overlap = 0, embedder = '' }, unit) =>
      [
        method,
        maxTokens > 0 ? `bis ${count(maxTokens, ...unitWords(unit))}` : '',
        overlap > 0 ? `Überlappung ${number.format(overlap)}` : '',
        embedder,
      ]
        .filter(Boolean)
        .join(', '),
    grid: 'Viele vergleichen …',
    gridTitle: 'Welche von vielen Methoden, Größen und Arten zu suchen die Antworten der Fragen findet',
    inUse: 'in Gebrauch',
    use: 'Verwenden',
    useNamed: (letter) => `Verfahren ${letter} verwenden`,
    remove: (letter) => `Verfahren ${letter} weglassen`,
    add: 'Weiteres Verfahren',
    busy: 'schneidet …',
    stopped: 'Angehalten.',
    unsent: 'mit dem eingebauten Modell, da zum Vergleichen nichts gesendet wird',
    sizes: (n, low, middle, high, unit) =>
      `${chunks(n)} · ${number.format(low)} bis ${length(high, unit)}, Median ${number.format(middle)}`,
    pk: (value, letter) =>
      `anders als ${letter} bei ${percent(value)} der Satzpaare (Pk ${value.toLocaleString('de', { minimumFractionDigits: 2, maximumFractionDigits: 2 })})`,
    alike: (inside, between) =>
      inside === null && between === null
        ? ''
        : `Ähnlichkeit ${[inside === null ? '' : `${value(inside)} innen`, between === null ? '' : `${value(between)} zum nächsten`].filter(Boolean).join(', ')}`,
    alikeNote:
      'Ähnlichkeit zweier Sätze, höchstens 1: Gute Schnitte haben viel davon in einem Abschnitt und wenig zum nächsten.',
    agreement: ({ same, near, some }) => {
      if (same + near + some === 0) return 'Keines von ihnen schneidet diesen Text.';
      if (near + some === 0) return `Sie schneiden gleich: ${cuts(same)} an denselben Stellen.`;
      const what = [
        same > 0 ? `${number.format(same)} gleich` : '',
        near > 0 ? `${number.format(near)} um einen Satz oder zwei verschoben` : '',
        some > 0 ? `${number.format(some)} nicht von allen` : '',
      ];
      return `${cuts(same + near + some)}: ${what.filter(Boolean).join(', ')}.`;
    },
    picture: (methods) =>
      `Der Text von oben nach unten, geschnitten von ${list('conjunction', methods)}; die Liste darunter sagt, wo sie sich unterscheiden`,
    legend:
      'Fäden verbinden Schnitte an derselben Stelle oder um einen Satz oder zwei verschoben; ein Ende ohne Faden ist ein Schnitt, den das andere nicht macht.',
    page: (n) => `S.\u00a0${n}`,
    chunk: (letter, n, size, page) =>
      [`${letter} · Abschnitt ${number.format(n)}`, size, page].filter(Boolean).join(' · '),
    differ: 'Wo sie sich unterscheiden',
    before: (page, text) => [page, `„${text}“`].filter(Boolean).join(' · '),
    cutsHere: (letters) => `geschnitten von ${list('conjunction', [...letters])}`,
    moved: 'verschoben',
    more: (n) => `… und ${count(n, 'weiterer', 'weitere')}.`,
    place: {
      close: 'Vergleich schließen',
      against: 'Text neben A',
      text: (letter) => `Text in den Abschnitten von ${letter}`,
      strip: (letter, n) => `${chunks(n)} von ${letter}, vom Anfang des Textes bis zu seinem Ende`,
      only: (letters) => `nur in ${list('conjunction', [...letters])}`,
      moved: 'um einen Satz oder zwei verschoben',
      ask: 'Frage hinzufügen',
      askHow:
        'Wählen Sie in einem Text aus, was Ihre Frage beantwortet, und drücken Sie dann „Frage hinzufügen“ oder Q.',
      alone: 'Fügen Sie ein Verfahren zum Vergleichen hinzu.',
      noCuts: (letters) => `${list('conjunction', [...letters])} schneiden diesen Text nicht.`,
      alike: (letters, n) =>
        `${list('conjunction', [...letters])} schneiden ${n === 1 ? 'an derselben Stelle' : `an denselben ${number.format(n)} Stellen`}.`,
      two: ({ same, near }, only) =>
        sentence([
          same === 0 ? 'Kein Schnitt ist gleich' : `${count(same, 'Schnitt ist', 'Schnitte sind')} gleich`,
          near > 0 ? `${count(near, 'ist', 'sind')} um einen Satz oder zwei verschoben` : '',
          ...only.map(({ letter, n }) => (n > 0 ? `${count(n, 'ist', 'sind')} nur in ${letter}` : '')),
        ]),
      many: ({ same, near, some }) =>
        sentence([
          same === 0
            ? 'Kein Schnitt ist in allen gleich'
            : `${count(same, 'Schnitt ist', 'Schnitte sind')} in allen gleich`,
          near > 0 ? `${count(near, 'ist', 'sind')} um einen Satz oder zwei verschoben` : '',
          some > 0 ? `${count(some, 'ist', 'sind')} nicht in allen` : '',
        ]),
      firsts: (counts, of) =>
        sentence(
          counts.map(({ letter, n }, i) =>
            i === 0
              ? `${letter} findet ${number.format(n)} von ${count(of, 'Antwort', 'Antworten')} zuerst`
              : `${letter} ${number.format(n)} von ${number.format(of)}`,
          ),
        ),
      won: (best, others) => `${best} findet Antworten öfter zuerst als ${list('conjunction', [...others])}.`,
      sure: (best) => `${best} bleibt in mindestens 90\u00a0% der Stichproben aus diesen Fragen vorn.`,
      undecided: (questions, needed) =>
        `Mit ${count(questions, 'Frage', 'Fragen')} lässt sich kein Unterschied feststellen${needed > 0 ? `; etwa ${number.format(needed)} würden reichen` : ''}.`,
      chance: 'Das kann Zufall sein.',
    },
  },
  questions: {
    heading: (n) => (n === 0 ? 'Fragen' : `Fragen (${number.format(n)})`),
    none: 'Wählen Sie im Text aus, was eine Frage beantwortet, und drücken Sie Q. Jedes verglichene Verfahren wird dann danach beurteilt, wie gut eine Suche die Antwort in seinen Abschnitten findet.',
    ask: 'Frage …',
    askTitle: 'Fragen, was dies beantwortet (Q)',
    title: 'Welche Frage beantwortet dies?',
    label: 'Frage',
    again: 'Dieselbe Frage an einer anderen Stelle ergänzt ihre Antwort.',
    empty: 'Geben Sie eine Frage ein.',
    keep: 'Behalten',
    cancel: 'Abbrechen',
    close: 'Schließen',
    kept: (n) => `Frage behalten; es ${n === 1 ? 'ist jetzt' : 'sind jetzt'} ${number.format(n)}, unter Vergleich`,
    keptShow: 'Behalten. Unter Vergleich zeigen',
    tooLong: (length, most) =>
      `${count(length, 'Zeichen', 'Zeichen')} sind zu lang für eine Antwort. Wählen Sie höchstens ${number.format(most)} aus.`,
    tooMany: (most) =>
      `Dieses Dokument hat ${count(most, 'Frage', 'Fragen')}, mehr werden nicht behalten. Entfernen Sie zuerst einige.`,
    remove: (question) => `Entfernen: ${question}`,
    removed: (question) => `„${question.length > 40 ? `${question.slice(0, 38).trim()}…` : question}“ entfernt.`,
    undo: 'Rückgängig',
    back: 'Die Frage ist wieder da.',
    gone: 'Ihre Antwort steht nicht mehr in diesem Text.',
    rank: (n, share) => (n === 0 ? 'nicht gefunden' : `Nr.\u00a0${number.format(n)} · ${percent(share)}`),
    rankNamed: (letter, n, share) =>
      n === 0
        ? `${letter}: nicht unter den ersten 20 gefundenen Abschnitten`
        : `${letter}: Der gefundene Abschnitt Nummer ${number.format(n)} ist der erste mit einem Teil der Antwort; die ersten fünf haben ${percent(share)} davon`,
    sum: (found, of, share, first) =>
      of === 0
        ? 'keine Antwort steht in diesem Text'
        : `${number.format(found)} von ${number.format(of)} gefunden · ${percent(share)} der Antworten in den ersten ${number.format(first)}`,
    byWords: 'nur nach Wörtern gesucht, da zum Vergleichen nichts gesendet wird',
    save: 'Als JSON Lines speichern',
    saveTitle: 'So wie seam eval retrieval --questions sie liest',
    open: 'Aus einer Datei hinzufügen …',
    openTitle: 'JSON Lines mit question, file und excerpts',
    read: (added, left, unanswerable) =>
      [
        added > 0 ? `${count(added, 'Frage', 'Fragen')} hinzugefügt.` : 'Keine Frage wurde hinzugefügt.',
        left > 0
          ? `${count(left, 'wurde', 'wurden')} ausgelassen: schon da, zu einer anderen Datei, oder die Antwort steht nicht in diesem Text.`
          : '',
        unanswerable > 0
          ? `${count(unanswerable, 'Frage', 'Fragen')} ohne Antwort ${unanswerable === 1 ? 'ist' : 'sind'} für „Viele vergleichen …“, wo Antworten bewertet werden.`
          : '',
      ]
        .filter(Boolean)
        .join(' '),
    foreign: (name) => `${name} enthält keine Fragen: Jede Zeile braucht question, file und excerpts, wörtlichen Text.`,
  },
  chunks: {
    tab: 'Abschnitte',
    title: chunks,
    some: (n, of) => `${number.format(n)} von ${count(of, 'Abschnitt', 'Abschnitten')}`,
    show: 'Welche Abschnitte aufgelistet sind',
    kinds: {
      all: 'alle',
      short: 'kurze',
      forced: 'wegen des Maximums geschnitten',
      hand: 'von Hand geschnitten',
      pages: 'über Seiten hinweg',
      block: 'die Tabelle oder Code zerschneiden',
    },
    order: 'In welcher Reihenfolge die Abschnitte stehen',
    orders: { text: 'wie im Text', short: 'kürzeste zuerst', long: 'längste zuerst' },
    empty: 'Abschnitte erscheinen hier, sobald ein Dokument offen ist.',
    meta: (n, pages, size, reason, topic) =>
      [
        String(n),
        pages,
        size,
        shownReason(reason),
        topic ? `Abschnitt ${topic.part} von ${topic.parts} zu einem Thema` : '',
      ]
        .filter(Boolean)
        .join(' · '),
    plain: (n, pages, size, cut) => [String(n), pages, size, cut].filter(Boolean).join(' · '),
    block: 'Trennt eine Tabelle oder Programmtext: Erhöhen Sie das Maximum, oder verbinden Sie ihn mit dem nächsten.',
    section: (path) => path.split(' › ').slice(-2).join(' › '),
    copy: 'Kopieren',
    copied: 'Kopiert',
    copyFailed: 'Hier nicht erlaubt',
    save: 'Speichern',
    saveTitle: 'Die Abschnitte speichern',
    report: 'Bericht, eine HTML-Datei zum Lesen und Drucken',
    formats: {
      json: 'JSON, mit Einstellungen und Kurve',
      jsonl: 'JSON Lines (JSONL)',
      langchain: 'JSON Lines für LangChain und LlamaIndex',
      csv: 'CSV für Programme',
      spreadsheet: 'CSV für Tabellenprogramme, ohne Formeln',
    },
    settings: 'Einstellungen zu JSON Lines oder CSV, in eigener Datei',
    offsets: 'Anfang und Ende zählen in',
    units: { bytes: 'Bytes (UTF-8)', utf16: 'UTF-16-Einheiten (JavaScript, Java)', codepoints: 'Zeichen (Python)' },
    more: (n) => `… und ${count(n, 'weiterer', 'weitere')}. Als JSON gespeichert sind es alle.`,
    sizes: (low, high, middle, unit) =>
      `Größen der Abschnitte: ${number.format(low)} bis ${length(high, unit)}, Median ${number.format(middle)}`,
    bin: (from, to, n, unit) => `${number.format(from)}–${number.format(to - 1)} ${unitWords(unit)[1]}: ${chunks(n)}`,
  },
};

/** The engine names a language in English. */
function inGerman(name: string): string {
  const names: Record<string, string> = {
    German: 'Deutsch',
    French: 'Französisch',
    Spanish: 'Spanisch',
    Italian: 'Italienisch',
    Portuguese: 'Portugiesisch',
    Dutch: 'Niederländisch',
    Swedish: 'Schwedisch',
    Danish: 'Dänisch',
    Norwegian: 'Norwegisch',
    Finnish: 'Finnisch',
    Polish: 'Polnisch',
    Czech: 'Tschechisch',
    Hungarian: 'Ungarisch',
    Romanian: 'Rumänisch',
    Turkish: 'Türkisch',
    Indonesian: 'Indonesisch',
    Vietnamese: 'Vietnamesisch',
    Catalan: 'Katalanisch',
    Russian: 'Russisch',
    Ukrainian: 'Ukrainisch',
    Bulgarian: 'Bulgarisch',
    Chinese: 'Chinesisch',
    Japanese: 'Japanisch',
    Korean: 'Koreanisch',
    Arabic: 'Arabisch',
    Hebrew: 'Hebräisch',
    Greek: 'Griechisch',
    Thai: 'Thailändisch',
    Hindi: 'Hindi',
  };
  return names[name] ?? name;
}
