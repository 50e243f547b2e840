// German: a proxy's answers, and errors when there is none.

export const ofProxy: Readonly<Record<string, string>> = {
  // The connection.
  'The connection to the proxy broke.': 'Die Verbindung zum Proxy ist abgebrochen.',
  'The connection to the proxy was closed.': 'Die Verbindung zum Proxy wurde geschlossen.',
  'The proxy cannot be reached: check its address and your connection.':
    'Der Proxy ist nicht erreichbar: Prüfen Sie seine Adresse und Ihre Verbindung.',
  'The proxy closed the connection.': 'Der Proxy hat die Verbindung geschlossen.',
  'The proxy closed the connection: too many connections or messages.':
    'Der Proxy hat die Verbindung geschlossen: zu viele Verbindungen oder Nachrichten.',
  'The proxy does not answer any more.': 'Der Proxy antwortet nicht mehr.',
  'The proxy is not there at the moment.': 'Der Proxy ist gerade nicht da.',
  'The proxy restarts.': 'Der Proxy startet neu.',
  'The proxy restarts. Try again in a moment.': 'Der Proxy startet neu. Versuchen Sie es gleich noch einmal.',
  'There is no connection to a proxy yet.': 'Es gibt noch keine Verbindung zu einem Proxy.',
  'There is no proxy of Seam at this address.': 'Unter dieser Adresse ist kein Seam-Proxy.',
  'What answers at this address is no proxy of Seam, or one of another version.':
    'Was unter dieser Adresse antwortet, ist kein Seam-Proxy oder einer von anderer Version.',
  'What answers at this address is no proxy of Seam.': 'Was unter dieser Adresse antwortet, ist kein Seam-Proxy.',
  'The proxy did not understand this client: is it of another version?':
    'Der Proxy hat diese Seite nicht verstanden: Ist sie von anderer Version?',
  'The proxy does not speak %s.': 'Der Proxy spricht nicht $1.',
  'The proxy answered with the error %.50q.': 'Der Proxy hat mit dem Fehler $1 geantwortet.',
  'The proxy failed with status %s.': 'Der Proxy ist mit dem Status $1 gescheitert.',
  'The proxy broke the protocol: %v.': 'Der Proxy hat das Protokoll verletzt: $1.',
  'The proxy broke the protocol: an event of more than %d bytes.':
    'Der Proxy hat das Protokoll verletzt: ein Ereignis von mehr als $1 Bytes.',
  'The proxy broke the protocol: vectors that are no base64.':
    'Der Proxy hat das Protokoll verletzt: Vektoren, die kein base64 sind.',
  'The proxy ended a search without an answer.': 'Der Proxy hat eine Suche ohne Antwort beendet.',
  'The proxy gave vectors of %d numbers after some of %d.':
    'Der Proxy hat Vektoren von $1 Zahlen gegeben, nach solchen von $2.',
  'The request was cancelled.': 'Die Anfrage wurde abgebrochen.',
  'The request cannot be done: %v.': 'Die Anfrage lässt sich nicht ausführen: $1.',
  'Something went wrong in the proxy.': 'Im Proxy ist etwas schiefgegangen.',
  'This request has failed inside the proxy.': 'Diese Anfrage ist im Proxy selbst gescheitert.',
  "Check your connection and the proxy's address. What has arrived is kept.":
    'Prüfen Sie Ihre Verbindung und die Adresse des Proxys. Was angekommen ist, bleibt.',
  'What has arrived is kept.': 'Was angekommen ist, bleibt.',
  'Try again. What has arrived is kept.': 'Versuchen Sie es noch einmal. Was angekommen ist, bleibt.',
  'Try again in a moment.': 'Versuchen Sie es gleich noch einmal.',
  'Try again in %d seconds.': 'Versuchen Sie es in $1\u00a0Sekunden noch einmal.',
  'The answer broke off: %s': 'Die Antwort ist abgebrochen: $1',
  'The question cannot be sent.': 'Die Frage lässt sich nicht senden.',
  'The vectors cannot be sent: %v.': 'Die Vektoren lassen sich nicht senden: $1.',
  'There are no texts to embed.': 'Es gibt keine Texte, die eingebettet werden könnten.',
  'These messages cannot be sent.': 'Diese Nachrichten lassen sich nicht senden.',
  'These texts cannot be sent.': 'Diese Texte lassen sich nicht senden.',
  'No vector has that many dimensions.': 'So viele Dimensionen hat kein Vektor.',
  // Permissions.
  'The proxy does not serve this site.': 'Der Proxy ist nicht für diese Seite da.',
  'This proxy does not serve that site.': 'Dieser Proxy ist nicht für diese Seite da.',
  'The proxy does not take this token.': 'Der Proxy nimmt diesen Schlüssel nicht an.',
  'The token does not hold.': 'Der Schlüssel gilt nicht.',
  'The token does not hold. Programs send the one that the operator of this proxy gave them as the API key.':
    'Der Schlüssel gilt nicht. Programme senden den, den sie vom Betreiber dieses Proxys als API-Schlüssel haben.',
  'A program needs a token of its own: ask the operator of this proxy for one.':
    'Ein Programm braucht einen eigenen Schlüssel: Bitten Sie den Betreiber dieses Proxys um einen.',
  'The proof of work does not hold.': 'Der Arbeitsnachweis gilt nicht.',
  'The proxy asks for more work than a visitor can do: try again later.':
    'Der Proxy verlangt mehr Arbeit, als ein Besucher leisten kann: Versuchen Sie es später noch einmal.',
  'The proxy gave no token for the work that it asked for.':
    'Der Proxy hat für die Arbeit, die er verlangt hat, keinen Schlüssel gegeben.',
  'This is no request for a token.': 'Das ist keine Bitte um einen Schlüssel.',
  'This proxy serves its own machine alone, and this request came for another host or through another server: to let others in, name that server in trusted_proxies and the sites in origins.':
    'Dieser Proxy ist nur für seinen eigenen Rechner da, und diese Anfrage galt einem anderen Host oder kam über einen anderen Server: Um andere einzulassen, nennen Sie diesen Server in trusted_proxies und die Seiten in origins.',
  'This proxy serves one person of this machine: open the page with the address that seam serve has printed, which ends in #token= and the token.':
    'Dieser Proxy ist für eine Person an diesem Rechner da: Öffnen Sie die Seite mit der Adresse, die seam serve ausgegeben hat; sie endet mit #token= und dem Schlüssel.',
  'This session is old.': 'Diese Sitzung ist alt.',
  'This session is over.': 'Diese Sitzung ist vorbei.',
  'the session is over': 'die Sitzung ist vorbei',
  'This provider has no such model for that.': 'Dieser Anbieter hat dafür kein solches Modell.',
  'This proxy has no %s model %.60q.': 'Dieser Proxy hat kein Modell $2 ($1).',
  'This proxy answers with its own prompts only: send a template, a question and passages.':
    'Dieser Proxy antwortet nur mit seinen eigenen Prompts.',
  'This proxy takes a temperature of at most %g for that model.':
    'Dieser Proxy nimmt für dieses Modell eine Temperatur von höchstens $1.',
  'This proxy takes no history: ask the question alone.':
    'Dieser Proxy nimmt keinen Verlauf: Stellen Sie die Frage allein.',
  'the proxy has no collection for this page': 'der Proxy hat keine Sammlung für diese Seite',
  'the proxy has no model for this': 'der Proxy hat dafür kein Modell',
  'the proxy has no such model as %.60q: choose one of %s':
    'der Proxy hat das Modell $1 nicht: Wählen Sie eines von $2',
  // Limits of amount and rate.
  'About %d tokens at once: at most %d are taken.': 'Etwa $1 Token auf einmal: Höchstens $2 werden angenommen.',
  '%d texts at once: at most %d are taken.': '$1 Texte auf einmal: Höchstens $2 werden angenommen.',
  'More than %d requests at a time.': 'Mehr als $1 Anfragen zugleich.',
  'Text %d has %d bytes as a message: at most %d are taken.':
    'Text $1 hat als Nachricht $2 Bytes: Höchstens $3 werden angenommen.',
  'Text %d has %d bytes: at most %d are taken.': 'Text $1 hat $2 Bytes: Höchstens $3 werden angenommen.',
  'Text %d has %d bytes: the proxy takes at most %d.': 'Text $1 hat $2 Bytes: Der Proxy nimmt höchstens $3.',
  'Text %d is too large for the proxy: %s': 'Text $1 ist zu groß für den Proxy: $2',
  'The text has %d bytes: at most %d are taken.': 'Der Text hat $1 Bytes: Höchstens $2 werden angenommen.',
  'The text is longer than this model takes. Send less of it.':
    'Der Text ist länger, als dieses Modell ihn nimmt. Senden Sie weniger davon.',
  'The history has %d bytes: at most %d are taken, so leave out the oldest questions.':
    'Der Verlauf hat $1 Bytes: Höchstens $2 werden angenommen. Lassen Sie die ältesten Fragen weg.',
  'The history has %d questions: at most %d are taken, so leave out the oldest.':
    'Der Verlauf hat $1 Fragen: Höchstens $2 werden angenommen. Lassen Sie die ältesten weg.',
  'The question and what goes with it have %d bytes: at most %d are taken.':
    'Die Frage und was mit ihr geht haben $1 Bytes: Höchstens $2 werden angenommen.',
  'The request has %d bytes: at most %d are taken.': 'Die Anfrage hat $1 Bytes: Höchstens $2 werden angenommen.',
  'The proxy does not take so much at once.': 'Der Proxy nimmt nicht so viel auf einmal.',
  'The answer would have %d bytes, and this proxy holds %d at most for all: ask for less at once.':
    'Die Antwort hätte $1 Bytes, und dieser Proxy hält höchstens $2 für alle: Fragen Sie nach weniger auf einmal.',
  'What was found is too long to be sent: ask for fewer hits.':
    'Die Treffer sind zu lang, um gesendet zu werden: Fragen Sie nach weniger.',
  '%s may send %d requests a minute: try again in a moment.':
    '$1 darf $2 Anfragen je Minute senden: Versuchen Sie es gleich noch einmal.',
  'The %d tokens a minute of %s are used up: try again in a moment.':
    'Die $1 Token je Minute von $2 sind verbraucht: Versuchen Sie es gleich noch einmal.',
  'The proxy holds as much as it can for clients that do not take it. Try again in a moment.':
    'Der Proxy hält so viel zurück, wie er kann. Versuchen Sie es gleich noch einmal.',
  'The proxy is asked too often from your address.': 'Der Proxy wird von Ihrer Adresse zu oft gefragt.',
  'The proxy is full. Try again later.': 'Der Proxy ist voll. Versuchen Sie es später noch einmal.',
  'There are too many connections from your address.': 'Es gibt zu viele Verbindungen von Ihrer Adresse.',
  'Too many messages.': 'Zu viele Nachrichten.',
  'Too many requests.': 'Zu viele Anfragen.',
  'Too many tokens were asked for from your address.': 'Von Ihrer Adresse wurde um zu viele Schlüssel gebeten.',
  'The answer came faster than it was taken.': 'Die Antwort kam schneller, als sie angenommen wurde.',
  'The answer was not taken to its end.': 'Die Antwort wurde nicht bis zu ihrem Ende angenommen.',
  // Budgets.
  'The budget cannot be checked, so nothing is sent.':
    'Das Budget lässt sich nicht prüfen, darum wird nichts gesendet.',
  'The budget of %s is used up.%s': 'Das Budget von $1 ist aufgebraucht.$2',
  ' It is renewed on %s at %s UTC.': ' Es wird am $1 um $2 UTC erneuert.',
  'The budget of this site for today is used up.': 'Das Budget dieser Seite für heute ist aufgebraucht.',
  'This session has used up its budget.': 'Diese Sitzung hat ihr Budget aufgebraucht.',
  'Your address has used up its budget for today.': 'Ihre Adresse hat ihr Budget für heute aufgebraucht.',
  'Your network has used up its budget for today.': 'Ihr Netz hat sein Budget für heute aufgebraucht.',
  'One request like this may cost more than the whole budget of %s.':
    'Eine Anfrage wie diese kann mehr kosten als das ganze Budget von $1.',
  'Requests under way hold what is left of the budget of %s: try again when they have ended.':
    'Was vom Budget von $1 übrig ist, halten laufende Anfragen: Versuchen Sie es noch einmal, wenn sie beendet sind.',
  'What is left of the budget of %s may not be enough for this request.%s':
    'Was vom Budget von $1 übrig ist, reicht für diese Anfrage vielleicht nicht.$2',
  'this site for today': 'dieser Seite für heute',
  'this session': 'dieser Sitzung',
  'your address for today': 'Ihrer Adresse für heute',
  'your network for today': 'Ihrem Netz für heute',
  '%s for this day': '$1 für diesen Tag',
  '%s for this week': '$1 für diese Woche',
  '%s for this month': '$1 für diesen Monat',
  // The provider.
  'The provider cannot be reached in time.': 'Der Anbieter ist nicht rechtzeitig erreichbar.',
  'The provider cannot be reached.': 'Der Anbieter ist nicht erreichbar.',
  'The provider did not answer in the time there was.': 'Der Anbieter hat in der Zeit, die es gab, nicht geantwortet.',
  'The provider did not answer in time.': 'Der Anbieter hat nicht rechtzeitig geantwortet.',
  "The provider does not accept the proxy's key for this. The operator has to look at it.":
    'Der Anbieter nimmt den Schlüssel des Proxys dafür nicht an. Der Betreiber muss nachsehen.',
  "The provider does not know this model. The operator has to look at the model's name and the base URL.":
    'Der Anbieter kennt dieses Modell nicht. Der Betreiber muss den Namen des Modells und die Adresse prüfen.',
  'The provider does not take this request.': 'Der Anbieter nimmt diese Anfrage nicht an.',
  'The provider gave up in the middle of the answer. Try again.':
    'Der Anbieter hat mitten in der Antwort aufgegeben. Versuchen Sie es noch einmal.',
  'The provider has a problem. Try again later.': 'Der Anbieter hat ein Problem. Versuchen Sie es später noch einmal.',
  'The provider limits how fast it can be asked. Try again later.':
    'Der Anbieter begrenzt, wie schnell er gefragt werden kann. Versuchen Sie es später noch einmal.',
  'The provider sends the proxy to another address. The operator has to look at the base URL.':
    'Der Anbieter schickt den Proxy zu einer anderen Adresse. Der Betreiber muss die Adresse prüfen.',
  "The provider's answer broke off before its end.": 'Die Antwort des Anbieters ist vor ihrem Ende abgebrochen.',
  "The provider's answer cannot be used.": 'Die Antwort des Anbieters ist nicht zu gebrauchen.',
  "The proxy's account with the provider is used up. The operator has to look at it.":
    'Das Konto des Proxys beim Anbieter ist aufgebraucht. Der Betreiber muss nachsehen.',
};
