// German: the engine's sentences. They begin in lower case because others may precede them.

import { length, number } from './helpers.ts';

const tokens = (n: string) => length(Number(n), '');

export const ofEngine: Readonly<Record<string, string | ((...values: string[]) => string)>> = {
  // Parts of a file that could not be read.
  '%s could not be read completely': '$1: nicht vollständig lesbar',
  '%s hold images without text (scanned)': '$1: Bilder ohne Text (gescannt)',
  '%s holds images without text (scanned)': '$1: Bild ohne Text (gescannt)',
  '%s took too long and could not be read completely': '$1: dauerte zu lange und wurde nicht vollständig gelesen',
  'characters of %s fonts could not be read: %w': (language, why) =>
    `Zeichen aus Schriften (${languages[language] ?? language}) ließen sich nicht lesen: ${why}`,
  'some bytes are no UTF-8, and read as �; offsets count with those':
    'einige Bytes sind kein UTF-8, sie sind als � gelesen; Stellen zählen mit diesen',
  'not UTF-8, read as Windows-1252; offsets count in its UTF-8 form':
    'kein UTF-8, als Windows-1252 gelesen; Stellen zählen in seiner UTF-8-Form',
  'read as UTF-16; offsets count in its UTF-8 form': 'als UTF-16 gelesen; Stellen zählen in seiner UTF-8-Form',
  // Why nothing was cut.
  'the text is one topic at coarseness %g': 'bei Körnung $1 ist der Text ein einziges Thema',
  'no distance is %g interquartile ranges above the mean':
    'kein Abstand liegt $1 Interquartilsabstände über dem Mittel',
  'no distance is %g standard deviations above the mean': 'kein Abstand liegt $1 Standardabweichungen über dem Mittel',
  'no similarity is 1.5 interquartile ranges below the first quartile':
    'keine Ähnlichkeit liegt 1,5 Interquartilsabstände unter dem ersten Quartil',
  'no similarity is %g standard deviations below the mean':
    'keine Ähnlichkeit liegt $1 Standardabweichungen unter dem Mittel',
  'none of the distances is beyond the percentile %g of all': 'kein Abstand liegt jenseits des Perzentils $1 von allen',
  'none of the gradients is beyond the percentile %g of all': 'kein Anstieg liegt jenseits des Perzentils $1 von allen',
  'none of the similarities is beyond the percentile %g of all':
    'keine Ähnlichkeit liegt jenseits des Perzentils $1 von allen',
  // Why a model's answer cannot be used.
  'it has no "knowledge_chunks" with a description': 'sie hat keine „knowledge_chunks“ mit einer Beschreibung',
  'it has no "sub_questions"': 'sie hat keine „sub_questions“',
  'it is cut off: %w': (why) => `sie ist abgeschnitten: ${why}`,
  'it is empty': 'sie ist leer',
  'its JSON is damaged: %w': (why) => `ihr JSON ist beschädigt: ${why}`,
  'there is no JSON object in it': 'es ist kein JSON-Objekt darin',
  // Files.
  'there is no text in this file': 'in dieser Datei ist kein Text',
  'If it is a scan, run it through text recognition (OCR) first.':
    'Ist sie ein Scan, lassen Sie zuerst eine Texterkennung (OCR) darüber laufen.',
  'not a text: it holds binary data': 'kein Text: Sie enthält Binärdaten',
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
  'this file is no PDF, whatever its name says': 'diese Datei ist kein PDF, was immer ihr Name sagt',
  'Open it with the program that made it and save it as a PDF.':
    'Öffnen Sie sie mit dem Programm, das sie gemacht hat, und speichern Sie sie als PDF.',
  'the book cannot be opened': 'das Buch lässt sich nicht öffnen',
  'this book cannot be opened: %s': 'dieses Buch lässt sich nicht öffnen: $1',
  'it is no zip file': 'Es ist keine Zip-Datei',
  'it is locked': 'Es ist gesperrt',
  'its shop has locked it (DRM)': 'Der Händler hat es gesperrt (DRM)',
  'it has no list of its pages': 'Es hat keine Liste seiner Seiten',
  'it would take more than %d MB unpacked': 'Entpackt wäre es größer als $1\u00a0MB',
  'Get another copy of it, one without a lock.': 'Besorgen Sie ein anderes Exemplar, eines ohne Sperre.',
  'this PDF is damaged and cannot be opened': 'dieses PDF ist beschädigt und lässt sich nicht öffnen',
  'Get another copy of it, or open it elsewhere and print it to a PDF.':
    'Besorgen Sie eine andere Kopie, oder öffnen Sie es anderswo und drucken Sie es in ein PDF.',
  'the file is damaged': 'die Datei ist beschädigt',
  'the file is encrypted': 'die Datei ist verschlüsselt',
  'the file is of no such format': 'die Datei hat kein solches Format',
  'the text is in an encoding that is not read': 'der Text ist in einer Kodierung, die nicht gelesen wird',
  'the page is in the encoding %.40q, which Seam does not read; save it as UTF-8':
    'die Seite ist in der Kodierung $1, die Seam nicht liest; speichern Sie sie als UTF-8',
  'this document is not open any more': 'dieses Dokument ist nicht mehr offen',
  'Open it again.': 'Öffnen Sie es noch einmal.',
  'this document has no chunks yet': 'dieses Dokument hat noch keine Abschnitte',
  'the document was replaced by another version meanwhile':
    'an die Stelle des Dokuments ist inzwischen eine andere Version getreten',
  // Bundles.
  'there is no document in this bundle': 'in diesem Bündel ist kein Dokument',
  'Make it again from its files.': 'Machen Sie es neu aus seinen Dateien.',
  'Get another copy of it, or make it again from its files.':
    'Besorgen Sie eine andere Kopie, oder machen Sie es neu aus seinen Dateien.',
  'Read it with the command line: seam chunk FILE.seam.': 'Lesen Sie es mit der Kommandozeile: seam chunk DATEI.seam.',
  'Reload the page for its newest version.': 'Laden Sie die Seite neu, um ihre neueste Version zu bekommen.',
  'this bundle cannot be opened here: %s': 'dieses Bündel lässt sich hier nicht öffnen: $1',
  'this bundle has %d documents, and the page opens up to %d':
    'dieses Bündel hat $1 Dokumente, und die Seite öffnet bis zu $2',
  'this bundle is damaged and cannot be opened: %s': 'dieses Bündel ist beschädigt und lässt sich nicht öffnen: $1',
  'this bundle would take %d MB unpacked, and the page has room for %d':
    'dieses Bündel hätte entpackt $1\u00a0MB, und die Seite hat Platz für $2',
  'this is no bundle of Seam, whatever its name says': 'dies ist kein Seam-Bündel, was immer der Name sagt',
  // Settings.
  '%s takes no minimum: it takes a maximum and an overlap':
    '$1 nimmt kein Minimum, nur ein Maximum und eine Überlappung',
  '%s takes no overlap: its chunks are whole': '$1 nimmt keine Überlappung: Die Abschnitte sind ganz',
  '%s takes no threshold and no count: only methods with a curve do':
    '$1 nimmt weder Schwelle noch Anzahl, das tun nur Verfahren mit einer Kurve',
  '%d chunks are not possible': '$1 Abschnitte sind nicht möglich',
  'a %s of %g: it is more than 0, and %g by default': (_, value, normal) =>
    `eine Körnung von ${value}: Sie ist größer als 0 und sonst ${normal}`,
  'setting %g for %s: it takes %g to %g': '$1 für $2: Möglich ist $3 bis $4',
  'a length of %d tokens is not possible': (n) => `eine Länge von ${tokens(n)} ist nicht möglich`,
  'an overlap of %d does not fit chunks of %d': 'eine Überlappung von $1 passt nicht zu Abschnitten von $2',
  'the minimum of %d tokens is above the maximum of %d': (min, max) =>
    `das Minimum von ${tokens(min)} liegt über dem Maximum von ${number.format(Number(max))}`,
  'that chunk would have more than the maximum of %d tokens: raise it first': (max) =>
    `dieser Abschnitt hätte mehr als das Maximum von ${tokens(max)}: Heben Sie es zuerst an`,
  'the threshold is not a number': 'die Schwelle ist keine Zahl',
  'lengths in %s cannot be counted here': 'Längen in $1 lassen sich hier nicht zählen',
  'tokens of %s cannot be counted now: their table could not be fetched (%v)':
    'Token von $1 lassen sich jetzt nicht zählen: Ihre Tabelle ließ sich nicht abrufen ($2)',
  'there is no method %q': 'das Verfahren $1 gibt es nicht',
  'unknown method %q: choose one of %s': 'das Verfahren $1 gibt es nicht: Wählen Sie eines von $2',
  'unknown embedder %q: choose %s': 'die Embeddings $1 gibt es nicht: Wählen Sie $2',
  'too large for the memory': 'zu groß für den Speicher',
  '%w: %d vectors of %d numbers take %.0f MB, and %.0f MB are free: %.0f of them would fit':
    '$1: $2 Vektoren von $3 Zahlen brauchen $4\u00a0MB, frei sind $5\u00a0MB: Für $6 von ihnen ist Platz',
  'Close documents, divide this one, or choose an embedder with shorter vectors.':
    'Schließen Sie Dokumente, teilen Sie dieses, oder wählen Sie Embeddings mit kürzeren Vektoren.',
  // Changes by hand.
  'a boundary cannot be moved over the next one: merge the chunks instead':
    'eine Grenze lässt sich nicht über die nächste schieben: Verbinden Sie stattdessen die Abschnitte',
  'a chunk begins here already': 'hier beginnt schon ein Abschnitt',
  'no chunk can begin at %d': 'bei $1 kann kein Abschnitt beginnen',
  'no chunk ends here any more': 'hier endet kein Abschnitt mehr',
  'nothing was changed by hand': 'von Hand wurde nichts geändert',
  'nothing was done since': 'seither wurde nichts getan',
  'that is not in the list of changes': 'das steht nicht in der Liste der Änderungen',
  'the boundary is here already': 'die Grenze ist schon hier',
  'the maximum keeps these two chunks apart: raise it to merge them':
    'das Maximum hält diese beiden Abschnitte auseinander: Heben Sie es an, um sie zu verbinden',
  'the text begins here': 'hier beginnt der Text',
  'the text ends here': 'hier endet der Text',
  'the text has no place %d': 'der Text hat keine Stelle $1',
  'place %d of the text is inside of a character': 'die Stelle $1 des Textes liegt in einem Zeichen',
  'there is nothing to redo': 'es gibt nichts zu wiederholen',
  'there is nothing to undo': 'es gibt nichts rückgängig zu machen',
  'this was not undone': 'das wurde nicht rückgängig gemacht',
  'this was undone already': 'das wurde schon rückgängig gemacht',
  'the changes by hand are damaged: %d comes after %d': 'die Änderungen von Hand sind beschädigt: $1 kommt nach $2',
  'the changes by hand are damaged: step %d comes after %d':
    'die Änderungen von Hand sind beschädigt: Schritt $1 kommt nach $2',
  'the changes by hand are of another text: %w': 'die Änderungen von Hand gehören zu einem anderen Text: $1',
  // Search and questions.
  '%s has no vectors of chunks: search by keyword': '$1 hat keine Vektoren der Abschnitte: Suchen Sie nach Wörtern',
  '%s has no vectors of queries: give them, or search by keyword':
    '$1 hat keine Vektoren der Anfragen: Suchen Sie nach Wörtern',
  '%s has no vectors of sentences': '$1 hat keine Vektoren der Sätze',
  'the vectors of the sentences differ in length, or are not there: search by keyword':
    'die Vektoren der Sätze sind verschieden lang oder fehlen: Suchen Sie nach Wörtern',
  'the vector of the query has %d numbers, those of the chunks have %d':
    'der Vektor der Anfrage hat $1 Zahlen, die der Abschnitte haben $2',
  'there are no pages from %d to %d': 'Seiten von $1 bis $2 gibt es nicht',
  'the query is empty': 'die Anfrage ist leer',
  'the question is empty': 'die Frage ist leer',
  'there is no document to ask': 'es gibt kein Dokument, das befragt werden kann',
  'Open a document first.': 'Öffnen Sie zuerst ein Dokument.',
  'it is not in this page': 'es ist nicht in dieser Seite',
  'a collection is searched through a proxy, and none is connected':
    'eine Sammlung wird über einen Proxy durchsucht, und keiner ist verbunden',
  'the collection cannot be searched by similarity alone from here: its vectors are by %.80q':
    'die Sammlung lässt sich von hier nicht nur nach Ähnlichkeit durchsuchen: Ihre Vektoren sind von $1',
  'embed the query: %w': 'Einbetten der Anfrage: $1',
  'mark what was found: %w': 'Markieren der Treffer: $1',
  // Models.
  'the built-in model could not be loaded: %v': 'das eingebaute Modell ließ sich nicht laden: $1',
  'the model of meaning could not be loaded: %v': 'das Modell der Bedeutung ließ sich nicht laden: $1',
  'Check your connection and try again; searching by words goes on without it.':
    'Prüfen Sie die Verbindung und versuchen Sie es noch einmal; die Suche nach Wörtern geht ohne es weiter.',
  'Check your connection, or choose the lexical embedder, which needs none.':
    'Prüfen Sie die Verbindung, oder wählen Sie die lexikalischen Embeddings, die keine brauchen.',
  'this model cannot be used: %s': 'dieses Modell lässt sich nicht verwenden: $1',
  'Choose the folder of a Model2Vec model or of a sentence encoder of the BERT family, with model.safetensors, tokenizer.json and config.json in it.':
    'Wählen Sie den Ordner eines Model2Vec-Modells oder eines Satz-Encoders der BERT-Familie, in dem model.safetensors, tokenizer.json und config.json sind.',
  'the model %s is not open': 'das Modell $1 ist nicht offen',
  'Choose its folder again.': 'Wählen Sie seinen Ordner noch einmal.',
  'the embedder %s is not here': 'die Embeddings $1 sind nicht hier',
  'the vectors of %s are not here': 'die Vektoren von $1 sind nicht hier',
  'the model %s needs a proxy, and none is connected': 'das Modell $1 braucht einen Proxy, und keiner ist verbunden',
  'Connect to a proxy first.': 'Verbinden Sie sich zuerst mit einem Proxy.',
  'there is no network here': 'hier gibt es kein Netz',
  'Write the address like https://seam.example.org.': 'Schreiben Sie die Adresse wie https://seam.example.org.',
  // The browser's own storage.
  'this browser keeps no files for the page': 'dieser Browser speichert für die Seite keine Dateien',
  'what was kept of this document is not there any more': 'was von diesem Dokument gespeichert war, ist nicht mehr da',
  'delete the stored vectors: %w': 'Löschen der gespeicherten Vektoren: $1',
  'look at the stored vectors: %w': 'Nachsehen bei den gespeicherten Vektoren: $1',
  // Faults of Seam.
  '%s failed inside Seam: %v': '$1 ist in Seam selbst gescheitert: $2',
  'Your document is safe. Please report this.': 'Ihr Dokument ist sicher. Bitte melden Sie das.',
  "the PDF worker's result cannot be read: %s": 'was aus dem PDF gelesen wurde, ließ sich nicht lesen: $1',
  'the result cannot be sent: %s': 'das Ergebnis lässt sich nicht senden: $1',
};

const languages: Record<string, string> = {
  Japanese: 'Japanisch',
  Korean: 'Koreanisch',
  Chinese: 'Chinesisch',
  'traditional Chinese': 'traditionelles Chinesisch',
  'simplified Chinese': 'vereinfachtes Chinesisch',
};
