// German: the engine's sentences. They begin in lower case because others may precede them.

import { length, number } from './helpers.ts';

const tokens = (n: string) => length(Number(n), '');

export const ofEngine: Readonly<Record<string, string | ((...values: string[]) => string)>> = {
  // Parts of a file that could not be read.
  '%s could not be read completely': '$1: nicht vollständig lesbar',
  '%s hold images without text (scanned)': '$1: Bilder ohne Text (gescannt)',
  '%s holds images without text (scanned)': '$1: Bild ohne Text (gescannt)',
  'the text may be garbled, because fonts do not say which letters they show: %s':
    'der Text ist vielleicht unlesbar, weil Schriften nicht sagen, welche Buchstaben sie zeigen: $1',
  'hidden text is in the reading view: %s': 'verborgener Text steht in der Leseansicht: $1',
  'hidden text is left out of the reading view: %s': 'verborgener Text fehlt in der Leseansicht: $1',
  '%s could not be read completely: too much content': '$1: zu viel Inhalt, nicht vollständig gelesen',
  'options of list boxes that are not chosen are left out of the reading view: %s':
    'nicht gewählte Einträge von Auswahllisten fehlen in der Leseansicht: $1',
  'a page, or a part with several, is missing in this damaged file':
    'in dieser beschädigten Datei fehlt eine Seite oder ein Teil mit mehreren',
  '%d pages, or parts with several, are missing in this damaged file':
    'in dieser beschädigten Datei fehlen $1 Seiten oder Teile mit mehreren',
  'left out as damaged: %s': 'beschädigt und ausgelassen: $1',
  'left out as encrypted: %s': 'verschlüsselt und ausgelassen: $1',
  'missing from the book: %s': 'fehlt im Buch: $1',
  'characters of %s fonts could not be read: %w': (language, why) =>
    `Zeichen aus Schriften (${languages[language] ?? language}) ließen sich nicht lesen: ${why}`,
  'this table is read as plain text: rows and columns are not kept apart':
    'Diese Tabelle wird als reiner Text gelesen: Zeilen und Spalten bleiben nicht getrennt',
  'this file is read as plain text: its structure is not understood':
    'Diese Datei wird als reiner Text gelesen: Ihr Aufbau wird nicht verstanden',
  'some bytes are no UTF-8, and read as �; offsets count with those':
    'einige Bytes sind kein UTF-8, sie sind als � gelesen; Stellen zählen mit diesen',
  'not UTF-8, read as Windows-1252; offsets count in its UTF-8 form':
    'kein UTF-8, als Windows-1252 gelesen; Stellen zählen in seiner UTF-8-Form',
  'not UTF-8, read as Windows-1252': 'kein UTF-8, als Windows-1252 gelesen',
  'read as UTF-16; offsets count in its UTF-8 form': 'als UTF-16 gelesen; Stellen zählen in seiner UTF-8-Form',
  'read as UTF-16': 'als UTF-16 gelesen',
  'read as %s, as the file declares; offsets count in its UTF-8 form':
    'als $1 gelesen, wie die Datei angibt; Stellen zählen in seiner UTF-8-Form',
  'read as %s, as chosen; offsets count in its UTF-8 form':
    'als $1 gelesen, wie gewählt; Stellen zählen in seiner UTF-8-Form',
  'read as %s, as chosen': 'als $1 gelesen, wie gewählt',
  'read as %s, found by its letters; offsets count in its UTF-8 form':
    'als $1 gelesen, an den Buchstaben erkannt; Stellen zählen in seiner UTF-8-Form',
  'read as %s, found by its letters': 'als $1 gelesen, an den Buchstaben erkannt',
  'some bytes are no UTF-8, and read as �': 'einige Bytes sind kein UTF-8, sie sind als � gelesen',
  'some bytes are not in this encoding, and read as �':
    'einige Bytes gehören nicht zu dieser Kodierung, sie sind als � gelesen',
  'NUL characters are read as �; offsets count with those': 'NUL-Zeichen sind als � gelesen; Stellen zählen mit diesen',
  'NUL characters are read as �': 'NUL-Zeichen sind als � gelesen',
  'the encoding of this text is not clear': 'die Kodierung dieses Textes ist nicht klar',
  'Choose one to read it.': 'Wählen Sie eine, um ihn zu lesen.',
  // Why nothing was cut.
  'the text is one topic at coarseness %g': 'bei Körnung $1 ist der Text ein einziges Thema',
  'no distance is %g interquartile ranges above the mean':
    'kein Abstand liegt $1 Interquartilsabstände über dem Mittel',
  'no distance is %g standard deviations above the mean': 'kein Abstand liegt $1 Standardabweichungen über dem Mittel',
  'no similarity is 1.5 interquartile ranges below the first quartile':
    'keine Ähnlichkeit liegt 1,5 Interquartilsabstände unter dem ersten Quartil',
  'no similarity is %g standard deviations below the mean':
    'keine Ähnlichkeit liegt $1 Standardabweichungen unter dem Mittel',
  'none of the distances is beyond percentile %g': 'kein Abstand liegt jenseits des Perzentils $1 von allen',
  'none of the gradients is beyond percentile %g': 'kein Anstieg liegt jenseits des Perzentils $1 von allen',
  'none of the similarities is beyond percentile %g': 'keine Ähnlichkeit liegt jenseits des Perzentils $1 von allen',
  // Why a model's answer cannot be used.
  'it has no "knowledge_chunks" with a description': 'sie enthält keine „knowledge_chunks“ mit Beschreibung',
  'it has no "sub_questions"': 'sie enthält keine „sub_questions“',
  'it is cut off: %w': (why) => `sie ist abgeschnitten: ${why}`,
  'it is empty': 'sie ist leer',
  'its JSON is damaged: %w': (why) => `ihr JSON ist beschädigt: ${why}`,
  'it has no JSON object': 'sie enthält kein JSON-Objekt',
  // Files.
  'this file has no text': 'diese Datei enthält keinen Text',
  'If it is a scan, run text recognition (OCR) on it first.':
    'Wenn sie ein Scan ist, führen Sie zuerst eine Texterkennung (OCR) durch.',
  'not a text: it holds binary data': 'kein Text: Sie enthält Binärdaten',
  'a text that looks like no language': 'ein Text, der nach keiner Sprache aussieht',
  'a text that looks like no language: it has many more marks than letters':
    'ein Text, der nach keiner Sprache aussieht: Er hat viel mehr Zeichen als Buchstaben',
  'a text that looks like no language: most of it is encoded, as in base64':
    'ein Text, der nach keiner Sprache aussieht: Das meiste ist kodiert, wie in Base64',
  'this file is %s': 'diese Datei ist $1',
  'this file is not a text: it holds binary data': 'diese Datei ist kein Text: Sie enthält Binärdaten',
  'this file is larger than %d MB': 'diese Datei ist größer als $1\u00a0MB',
  'this text is larger than %d MB': 'dieser Text ist größer als $1\u00a0MB',
  'Split it into several files.': 'Teilen Sie ihn in mehrere Dateien.',
  'Split it, or read it with the command line: seam chunk FILE.':
    'Teilen Sie sie, oder lesen Sie sie mit der Kommandozeile: seam chunk DATEI.',
  'this file is protected by a password': 'diese Datei ist durch ein Passwort geschützt',
  'Enter it to read the file; it stays in your browser.':
    'Geben Sie es ein, um die Datei zu lesen; es bleibt in Ihrem Browser.',
  'this password does not open the file': 'dieses Passwort öffnet die Datei nicht',
  'Try another one.': 'Versuchen Sie ein anderes.',
  'this file is not a PDF, despite its name': 'diese Datei ist trotz ihres Namens kein PDF',
  'Open it with the program that made it and save it as a PDF.':
    'Öffnen Sie sie in dem Programm, das sie erstellt hat, und speichern Sie sie als PDF.',
  'the book cannot be opened': 'das Buch lässt sich nicht öffnen',
  'this book cannot be opened: %s': 'dieses Buch lässt sich nicht öffnen: $1',
  'it is not a zip file': 'Es ist keine Zip-Datei',
  'it is locked': 'Es ist gesperrt',
  'its shop has locked it (DRM)': 'Der Händler hat es gesperrt (DRM)',
  'it has no list of its pages': 'Es enthält keine Liste seiner Seiten',
  'it would be larger than %d MB unpacked': 'Entpackt wäre es größer als $1\u00a0MB',
  'Get a copy without a lock.': 'Besorgen Sie ein Exemplar ohne Sperre.',
  'this attached file cannot be read': 'diese angehängte Datei lässt sich nicht lesen',
  'Open the PDF in another program and save the file from there.':
    'Öffnen Sie das PDF in einem anderen Programm und speichern Sie die Datei von dort.',
  'no password opens the file': 'kein Passwort öffnet die Datei',
  'this PDF is encrypted in a way that no password opens':
    'dieses PDF ist so verschlüsselt, dass kein Passwort es öffnet',
  'Open it with its certificate in another program, and print it to a PDF.':
    'Öffnen Sie es mit seinem Zertifikat in einem anderen Programm, und drucken Sie es als PDF.',
  'this PDF is damaged and cannot be opened': 'dieses PDF ist beschädigt und lässt sich nicht öffnen',
  'Get another copy, or open it in another program and print it to a PDF.':
    'Besorgen Sie eine andere Kopie, oder öffnen Sie es in einem anderen Programm und drucken Sie es als PDF.',
  'the file is damaged': 'die Datei ist beschädigt',
  'the file is encrypted': 'die Datei ist verschlüsselt',
  'the file does not have this format': 'die Datei hat nicht dieses Format',
  'this document is not open any more': 'dieses Dokument ist nicht mehr geöffnet',
  'Open it again.': 'Öffnen Sie es noch einmal.',
  'this document has no chunks yet': 'dieses Dokument hat noch keine Abschnitte',
  'the document was replaced by another version in the meantime':
    'das Dokument wurde inzwischen durch eine andere Version ersetzt',
  // Bundles.
  'this bundle has no documents': 'dieses Bündel enthält keine Dokumente',
  'Rebuild it from its files.': 'Erstellen Sie es neu aus seinen Dateien.',
  'Get another copy, or rebuild it from its files.':
    'Besorgen Sie eine andere Kopie, oder erstellen Sie es neu aus seinen Dateien.',
  'Read it with the command line: seam chunk FILE.seam.': 'Lesen Sie es mit der Kommandozeile: seam chunk DATEI.seam.',
  'Reload the page to get the newest version.': 'Laden Sie die Seite neu, um die neueste Version zu bekommen.',
  'this bundle cannot be opened here: %s': 'dieses Bündel lässt sich hier nicht öffnen: $1',
  'this bundle has %d documents, but the page opens at most %d':
    'dieses Bündel enthält $1 Dokumente, die Seite öffnet aber höchstens $2',
  'this bundle is damaged and cannot be opened: %s': 'dieses Bündel ist beschädigt und lässt sich nicht öffnen: $1',
  'this bundle would be %d MB unpacked, but the page has room for only %d':
    'dieses Bündel wäre entpackt $1\u00a0MB groß, die Seite hat aber nur Platz für $2',
  'this is not a Seam bundle, despite its name': 'dies ist trotz des Namens kein Seam-Bündel',
  // Settings.
  '%s does not support a minimum: use a maximum and an overlap':
    '$1 unterstützt kein Minimum: Verwenden Sie ein Maximum und eine Überlappung',
  '%s does not support an overlap': '$1 unterstützt keine Überlappung',
  '%s does not support a threshold or a count: use a method with a curve':
    '$1 unterstützt weder Schwelle noch Anzahl: Wählen Sie ein Verfahren mit einer Kurve',
  'invalid number of chunks: %d': 'ungültige Anzahl von Abschnitten: $1',
  'invalid %s %g: use a value above 0 (default %g)': (_, value, normal) =>
    `ungültige Körnung ${value}: Wählen Sie einen Wert über 0 (Standard: ${normal})`,
  'invalid setting %g for %s: use %g to %g': 'ungültiger Wert $1 für $2: Möglich ist $3 bis $4',
  'invalid length of %d tokens': (n) => `ungültige Länge von ${tokens(n)}`,
  'an overlap of %d is not possible with chunks of %d':
    'eine Überlappung von $1 ist bei Abschnitten von $2 nicht möglich',
  'the minimum of %d tokens is above the maximum of %d': (min, max) =>
    `das Minimum von ${tokens(min)} liegt über dem Maximum von ${number.format(Number(max))}`,
  'that chunk would have more than the maximum of %d tokens: raise it first': (max) =>
    `dieser Abschnitt wäre länger als das Maximum von ${tokens(max)}: Erhöhen Sie es zuerst`,
  'the threshold is not a number': 'die Schwelle ist keine Zahl',
  'lengths in %s cannot be counted here': 'Längen in $1 lassen sich hier nicht zählen',
  'tokens of %s cannot be counted now: their table could not be fetched (%v)':
    'Token von $1 lassen sich jetzt nicht zählen: Ihre Tabelle ließ sich nicht abrufen ($2)',
  'unknown method %q': 'unbekanntes Verfahren $1',
  'unknown method %q: choose one of %s': 'unbekanntes Verfahren $1: Wählen Sie eines von $2',
  'unknown embedder %q: choose %s': 'unbekannte Embeddings $1: Wählen Sie $2',
  'too large for the memory': 'zu groß für den Speicher',
  '%w: %d vectors of %d numbers need %.0f MB, but only %.0f MB are free, enough for %.0f':
    '$1: $2 Vektoren von $3 Zahlen brauchen $4\u00a0MB, frei sind nur $5\u00a0MB, genug für $6',
  'Close documents, split this one, or choose an embedder with shorter vectors.':
    'Schließen Sie Dokumente, teilen Sie dieses, oder wählen Sie Embeddings mit kürzeren Vektoren.',
  // Changes by hand.
  'a boundary cannot be moved over the next one: merge the chunks instead':
    'eine Grenze lässt sich nicht über die nächste schieben: Verbinden Sie stattdessen die Abschnitte',
  'a chunk already begins here': 'hier beginnt schon ein Abschnitt',
  'no chunk can begin at %d': 'bei $1 kann kein Abschnitt beginnen',
  'no chunk ends here any more': 'hier endet kein Abschnitt mehr',
  'nothing was changed by hand': 'von Hand wurde nichts geändert',
  'nothing was changed since then': 'seither wurde nichts geändert',
  'that is not in the list of changes': 'das steht nicht in der Liste der Änderungen',
  'the boundary is already here': 'die Grenze ist schon hier',
  'the maximum keeps these two chunks apart: raise it to merge them':
    'das Maximum trennt diese beiden Abschnitte: Erhöhen Sie es, um sie zu verbinden',
  'the text begins here': 'hier beginnt der Text',
  'the text ends here': 'hier endet der Text',
  'the text has no position %d': 'der Text hat keine Stelle $1',
  'position %d of the text is inside a character': 'die Stelle $1 des Textes liegt innerhalb eines Zeichens',
  'nothing to redo': 'nichts zu wiederholen',
  'nothing to undo': 'nichts rückgängig zu machen',
  'this was not undone': 'das wurde nicht rückgängig gemacht',
  'this was already undone': 'das wurde schon rückgängig gemacht',
  'the changes by hand are damaged: %d comes after %d': 'die Änderungen von Hand sind beschädigt: $1 kommt nach $2',
  'the changes by hand are damaged: step %d comes after %d':
    'die Änderungen von Hand sind beschädigt: Schritt $1 kommt nach $2',
  'the changes by hand belong to another text: %w': 'die Änderungen von Hand gehören zu einem anderen Text: $1',
  // Search and questions.
  '%s has no vectors of chunks: search by keyword': '$1 hat keine Vektoren der Abschnitte: Suchen Sie nach Wörtern',
  '%s has no vectors of queries: provide them, or search by keyword':
    '$1 hat keine Vektoren der Anfragen: Suchen Sie nach Wörtern',
  '%s has no vectors of sentences': '$1 hat keine Vektoren der Sätze',
  'the vectors of the sentences differ in length or are missing: search by keyword':
    'die Vektoren der Sätze sind unterschiedlich lang oder fehlen: Suchen Sie nach Wörtern',
  'the vector of the query has %d numbers, those of the chunks have %d':
    'der Vektor der Anfrage hat $1 Zahlen, die der Abschnitte haben $2',
  'no pages from %d to %d': 'keine Seiten von $1 bis $2',
  'no chunks from %d to %d of %d': 'keine Abschnitte von $1 bis $2 von $3',
  'chunks of %d documents': 'Abschnitte von $1 Dokumenten',
  'document %d is not open': 'das Dokument $1 ist nicht geöffnet',
  'the query is empty': 'die Anfrage ist leer',
  'the question is empty': 'die Frage ist leer',
  'no document to ask': 'kein Dokument für die Frage',
  'Open a document first.': 'Öffnen Sie zuerst ein Dokument.',
  'it is not in this page': 'es ist nicht in dieser Seite',
  'searching a collection needs a proxy, and none is connected':
    'die Suche in einer Sammlung braucht einen Proxy, und keiner ist verbunden',
  'the collection cannot be searched only by similarity from here: its vectors are from %.80q':
    'die Sammlung lässt sich von hier aus nicht allein nach Ähnlichkeit durchsuchen: Ihre Vektoren stammen von $1',
  'embed the query: %w': 'Einbetten der Anfrage: $1',
  'mark the hits: %w': 'Markieren der Treffer: $1',
  // Models.
  'the built-in model could not be loaded: %v': 'das eingebaute Modell ließ sich nicht laden: $1',
  'the model for search by meaning could not be loaded: %v':
    'das Modell für die Suche nach Bedeutung ließ sich nicht laden: $1',
  'Check your connection and try again; searching by words works without it.':
    'Prüfen Sie die Verbindung und versuchen Sie es noch einmal; die Suche nach Wörtern funktioniert auch ohne.',
  'Check your connection, or choose the lexical embedder, which needs none.':
    'Prüfen Sie die Verbindung, oder wählen Sie lexikalische Embeddings, die ohne Verbindung arbeiten.',
  'this model cannot be used: %s': 'dieses Modell lässt sich nicht verwenden: $1',
  'Choose the folder of a Model2Vec model or a BERT sentence encoder, with model.safetensors, tokenizer.json and config.json.':
    'Wählen Sie den Ordner eines Model2Vec-Modells oder eines BERT-Satz-Encoders mit model.safetensors, tokenizer.json und config.json.',
  'the model %s is not open': 'das Modell $1 ist nicht geöffnet',
  'Choose its folder again.': 'Wählen Sie seinen Ordner noch einmal.',
  'the embedder %s is not available': 'die Embeddings $1 sind nicht verfügbar',
  'the vectors of %s are not available': 'die Vektoren von $1 sind nicht verfügbar',
  'the model %s needs a proxy, and none is connected': 'das Modell $1 braucht einen Proxy, und keiner ist verbunden',
  'Connect to a proxy first.': 'Verbinden Sie sich zuerst mit einem Proxy.',
  'no network available here': 'kein Netzzugang',
  'Write the address like https://seam.example.org.':
    'Geben Sie die Adresse in dieser Form an: https://seam.example.org.',
  // The browser's own storage.
  'this browser keeps no files for the page': 'dieser Browser speichert für die Seite keine Dateien',
  'the stored data of this document is gone': 'die gespeicherten Daten dieses Dokuments sind nicht mehr da',
  'the stored index is damaged': 'der gespeicherte Index ist beschädigt',
  'delete the stored vectors: %w': 'Löschen der gespeicherten Vektoren: $1',
  'check the stored vectors: %w': 'Prüfen der gespeicherten Vektoren: $1',
  // Faults of Seam.
  '%s failed inside Seam: %v': 'Fehler in Seam bei $1: $2',
  'Your document is safe. Please report this.': 'Ihr Dokument ist sicher. Bitte melden Sie das.',
  "the PDF worker's result cannot be read: %s": 'das Ergebnis des PDF-Workers ließ sich nicht lesen: $1',
  'the result cannot be sent: %s': 'das Ergebnis lässt sich nicht senden: $1',
};

const languages: Record<string, string> = {
  Japanese: 'Japanisch',
  Korean: 'Koreanisch',
  Chinese: 'Chinesisch',
  'traditional Chinese': 'traditionelles Chinesisch',
  'simplified Chinese': 'vereinfachtes Chinesisch',
};
