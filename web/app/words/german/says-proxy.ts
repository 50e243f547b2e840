// German: a proxy's answers, and errors when there is none.

export const ofProxy: Readonly<Record<string, string>> = {
  // The connection.
  'The connection to the proxy was lost.': 'Die Verbindung zum Proxy ist abgebrochen.',
  'The connection to the proxy was closed.': 'Die Verbindung zum Proxy wurde geschlossen.',
  'The proxy cannot be reached: check its address and your connection.':
    'Der Proxy ist nicht erreichbar: Prüfen Sie seine Adresse und Ihre Verbindung.',
  'The proxy closed the connection.': 'Der Proxy hat die Verbindung geschlossen.',
  'The proxy closed the connection: too many connections or messages.':
    'Der Proxy hat die Verbindung geschlossen: zu viele Verbindungen oder Nachrichten.',
  'The proxy has stopped answering.': 'Der Proxy antwortet nicht mehr.',
  'The proxy is not available at the moment.': 'Der Proxy ist gerade nicht verfügbar.',
  'The proxy is restarting.': 'Der Proxy startet gerade neu.',
  'The proxy is restarting. Try again in a moment.':
    'Der Proxy startet gerade neu. Versuchen Sie es gleich noch einmal.',
  'Not connected to a proxy yet.': 'Es gibt noch keine Verbindung zu einem Proxy.',
  'No Seam proxy at this address.': 'Unter dieser Adresse ist kein Seam-Proxy.',
  'The server at this address is not a Seam proxy, or has another version.':
    'Der Server unter dieser Adresse ist kein Seam-Proxy oder hat eine andere Version.',
  'The server at this address is not a Seam proxy.': 'Der Server unter dieser Adresse ist kein Seam-Proxy.',
  'The proxy did not understand this client: check that both have the same version.':
    'Der Proxy hat diese Seite nicht verstanden: Prüfen Sie, ob beide dieselbe Version haben.',
  'The proxy does not speak %s.': 'Der Proxy spricht $1 nicht.',
  'The proxy answered with the error %.50q.': 'Der Proxy hat mit dem Fehler $1 geantwortet.',
  'The proxy failed with status %s.': 'Der Proxy hat mit dem Fehlerstatus $1 geantwortet.',
  'The proxy broke the protocol: %v.': 'Der Proxy hat das Protokoll verletzt: $1.',
  'The proxy broke the protocol: an event of more than %d bytes.':
    'Der Proxy hat das Protokoll verletzt: ein Ereignis von mehr als $1 Bytes.',
  'The proxy broke the protocol: vectors that are not base64.':
    'Der Proxy hat das Protokoll verletzt: Vektoren, die kein base64 sind.',
  'The proxy ended a search without an answer.': 'Der Proxy hat eine Suche ohne Antwort beendet.',
  'The proxy sent vectors of %d numbers after vectors of %d.':
    'Der Proxy hat Vektoren mit $1 Zahlen gesendet, nach Vektoren mit $2.',
  'The request was cancelled.': 'Die Anfrage wurde abgebrochen.',
  'Invalid request: %v.': 'Ungültige Anfrage: $1.',
  'Something went wrong in the proxy.': 'Im Proxy ist etwas schiefgegangen.',
  'This request failed inside the proxy.': 'Diese Anfrage ist im Proxy gescheitert.',
  "Check your connection and the proxy's address. Results received so far are kept.":
    'Prüfen Sie Ihre Verbindung und die Adresse des Proxys. Bisherige Ergebnisse bleiben erhalten.',
  'Results received so far are kept.': 'Bisherige Ergebnisse bleiben erhalten.',
  'Try again in a moment.': 'Versuchen Sie es gleich noch einmal.',
  'Try again in %d seconds.': 'Versuchen Sie es in $1\u00a0Sekunden noch einmal.',
  'The answer broke off: %s': 'Die Antwort ist abgebrochen: $1',
  'The question cannot be sent.': 'Die Frage lässt sich nicht senden.',
  'The vectors cannot be sent: %v.': 'Die Vektoren lassen sich nicht senden: $1.',
  'No texts to embed.': 'Keine Texte zum Einbetten.',
  'These messages cannot be sent.': 'Diese Nachrichten lassen sich nicht senden.',
  'These texts cannot be sent.': 'Diese Texte lassen sich nicht senden.',
  'Too many dimensions for a vector.': 'Zu viele Dimensionen für einen Vektor.',
  // Permissions.
  'The proxy does not serve this site.': 'Der Proxy ist nicht für diese Seite da.',
  'This proxy does not serve that site.': 'Dieser Proxy ist nicht für diese Seite da.',
  'The proxy does not accept this token.': 'Der Proxy nimmt diesen Schlüssel nicht an.',
  'The token is not valid.': 'Der Schlüssel ist ungültig.',
  "The token is not valid. Programs must send their token from the proxy's operator as the API key.":
    'Der Schlüssel ist ungültig. Programme müssen ihren Schlüssel vom Betreiber dieses Proxys als API-Schlüssel senden.',
  'A program needs its own token: ask the operator of this proxy for one.':
    'Ein Programm braucht einen eigenen Schlüssel: Bitten Sie den Betreiber dieses Proxys um einen.',
  'The proof of work is not valid.': 'Der Arbeitsnachweis ist ungültig.',
  'The proxy asks for too much proof of work: try again later.':
    'Der Proxy verlangt einen zu großen Arbeitsnachweis: Versuchen Sie es später noch einmal.',
  'The proxy gave no token for the proof of work.':
    'Der Proxy hat für den Arbeitsnachweis keinen Schlüssel ausgegeben.',
  'This is not a request for a token.': 'Das ist keine Anfrage nach einem Schlüssel.',
  'This proxy serves only its own machine, but this request came for another host or through another server: to allow others, list that server in trusted_proxies and the sites in origins.':
    'Dieser Proxy bedient nur seinen eigenen Rechner, aber diese Anfrage galt einem anderen Host oder kam über einen anderen Server: Um andere zuzulassen, tragen Sie diesen Server in trusted_proxies ein und die Seiten in origins.',
  'This proxy needs a token: open the page at the full address that seam serve printed, which ends in #token= and the token.':
    'Dieser Proxy braucht einen Schlüssel: Öffnen Sie die Seite mit der vollständigen Adresse, die seam serve ausgegeben hat; sie endet mit #token= und dem Schlüssel.',
  'This session has expired.': 'Diese Sitzung ist abgelaufen.',
  'This session has ended.': 'Diese Sitzung ist beendet.',
  'the session has ended': 'die Sitzung ist beendet',
  'This provider has no such model.': 'Dieser Anbieter hat kein solches Modell.',
  'This proxy has no %s model %.60q.': 'Dieser Proxy hat kein Modell $2 ($1).',
  'This proxy answers only with its own prompts: send a template, a question and passages.':
    'Dieser Proxy antwortet nur mit seinen eigenen Prompts.',
  'This proxy allows a temperature of at most %g for that model.':
    'Dieser Proxy erlaubt für dieses Modell eine Temperatur von höchstens $1.',
  'This proxy does not accept a history: send only the question.':
    'Dieser Proxy nimmt keinen Verlauf an: Senden Sie nur die Frage.',
  'the proxy has no collection for this page': 'der Proxy hat keine Sammlung für diese Seite',
  'the proxy has no model for this': 'der Proxy hat dafür kein Modell',
  'the proxy has no model %.60q: choose one of %s': 'der Proxy hat das Modell $1 nicht: Wählen Sie eines von $2',
  // Limits of amount and rate.
  'About %d tokens in one request: the limit is %d.': 'Etwa $1 Token in einer Anfrage: Erlaubt sind höchstens $2.',
  '%d texts in one request: the limit is %d.': '$1 Texte in einer Anfrage: Erlaubt sind höchstens $2.',
  'More than %d requests at a time.': 'Mehr als $1 Anfragen gleichzeitig.',
  'Text %d is %d bytes as a message: the limit is %d.':
    'Text $1 hat als Nachricht $2 Bytes: Erlaubt sind höchstens $3.',
  'Text %d is %d bytes: the limit is %d.': 'Text $1 hat $2 Bytes: Erlaubt sind höchstens $3.',
  "Text %d is %d bytes: the proxy's limit is %d.": 'Text $1 hat $2 Bytes: Der Proxy erlaubt höchstens $3.',
  'Text %d is too large for the proxy: %s': 'Text $1 ist zu groß für den Proxy: $2',
  'The text is %d bytes: the limit is %d.': 'Der Text hat $1 Bytes: Erlaubt sind höchstens $2.',
  'The text is too long for this model. Send less of it.':
    'Der Text ist zu lang für dieses Modell. Senden Sie weniger davon.',
  'The history is %d bytes, but the limit is %d: leave out the oldest questions.':
    'Der Verlauf hat $1 Bytes, erlaubt sind höchstens $2: Lassen Sie die ältesten Fragen weg.',
  'The history has %d questions, but the limit is %d: leave out the oldest.':
    'Der Verlauf hat $1 Fragen, erlaubt sind höchstens $2: Lassen Sie die ältesten weg.',
  'The question and its context are %d bytes: the limit is %d.':
    'Die Frage mit ihrem Kontext hat $1 Bytes: Erlaubt sind höchstens $2.',
  'The request is %d bytes: the limit is %d.': 'Die Anfrage hat $1 Bytes: Erlaubt sind höchstens $2.',
  'The request is too large for the proxy.': 'Die Anfrage ist zu groß für den Proxy.',
  'The answer would be %d bytes, but this proxy holds at most %d for all clients: ask for less at once.':
    'Die Antwort hätte $1 Bytes, aber dieser Proxy puffert höchstens $2 für alle Clients: Fragen Sie nach weniger auf einmal.',
  'The results are too long to send: ask for fewer hits.':
    'Die Treffer sind zu lang zum Senden: Fragen Sie nach weniger.',
  '%s may send %d requests per minute: try again in a moment.':
    '$1 darf $2 Anfragen pro Minute senden: Versuchen Sie es gleich noch einmal.',
  'The %d tokens per minute of %s are used up: try again in a moment.':
    'Die $1 Token pro Minute von $2 sind verbraucht: Versuchen Sie es gleich noch einmal.',
  "The proxy's buffers for slow clients are full. Try again in a moment.":
    'Die Puffer des Proxys für langsame Clients sind voll. Versuchen Sie es gleich noch einmal.',
  'Too many requests to the proxy from your address.': 'Zu viele Anfragen an den Proxy von Ihrer Adresse.',
  'The proxy is full. Try again later.': 'Der Proxy ist ausgelastet. Versuchen Sie es später noch einmal.',
  'Too many connections from your address.': 'Zu viele Verbindungen von Ihrer Adresse.',
  'Too many requests at a time with this token.': 'Zu viele gleichzeitige Anfragen mit diesem Token.',
  'This proxy has no %.60q: use %s, %s or %s.': 'Dieser Proxy hat $1 nicht: Verwenden Sie $2, $3 oder $4.',
  'This proxy has no model %.60q.': 'Dieser Proxy hat kein Modell $1.',
  'Too many messages.': 'Zu viele Nachrichten.',
  'Too many requests.': 'Zu viele Anfragen.',
  'Too many token requests from your address.': 'Zu viele Anfragen nach Schlüsseln von Ihrer Adresse.',
  'The client read the answer too slowly.': 'Der Client hat die Antwort zu langsam gelesen.',
  'The answer was not read to its end.': 'Die Antwort wurde nicht bis zum Ende gelesen.',
  // Budgets.
  'The budget cannot be checked, so nothing is sent.':
    'Das Budget lässt sich nicht prüfen, deshalb wird nichts gesendet.',
  'The budget of %s is used up.%s': 'Das Budget von $1 ist aufgebraucht.$2',
  ' It is renewed on %s at %s UTC.': ' Es wird am $1 um $2 UTC erneuert.',
  'The budget of this site for today is used up.': 'Das Budget dieser Seite für heute ist aufgebraucht.',
  'This session has used up its budget.': 'Diese Sitzung hat ihr Budget aufgebraucht.',
  'Your address has used up its budget for today.': 'Ihre Adresse hat ihr Budget für heute aufgebraucht.',
  'Your network has used up its budget for today.': 'Ihr Netz hat sein Budget für heute aufgebraucht.',
  'One request like this may cost more than the whole budget of %s.':
    'Eine Anfrage wie diese kann mehr kosten als das ganze Budget von $1.',
  'Running requests may need the rest of the budget of %s: try again when they finish.':
    'Laufende Anfragen brauchen vielleicht den Rest des Budgets von $1: Versuchen Sie es noch einmal, wenn sie beendet sind.',
  'The rest of the budget of %s may not be enough for this request.%s':
    'Der Rest des Budgets von $1 reicht für diese Anfrage vielleicht nicht.$2',
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
  'The provider did not answer within the time left.': 'Der Anbieter hat nicht in der verbleibenden Zeit geantwortet.',
  'The provider did not answer in time.': 'Der Anbieter hat nicht rechtzeitig geantwortet.',
  "The provider does not accept the proxy's key. The operator must check it.":
    'Der Anbieter nimmt den Schlüssel des Proxys nicht an. Der Betreiber muss ihn prüfen.',
  "The provider does not know this model. The operator must check the model's name and the base URL.":
    'Der Anbieter kennt dieses Modell nicht. Der Betreiber muss den Namen des Modells und die Adresse prüfen.',
  'The text is too long for this model: it has %d tokens, and the context has %d. Send less of it.':
    'Der Text ist zu lang für dieses Modell: Er hat $1\u00a0Tokens, der Kontext $2. Senden Sie weniger davon.',
  "Nothing listens at the provider's address: start its server, for example with `ollama serve`, or check the address.":
    'Unter der Adresse des Anbieters ist nichts zu erreichen: Starten Sie seinen Server, zum Beispiel mit `ollama serve`, oder prüfen Sie die Adresse.',
  'Ollama does not have this model: get it with `ollama pull`, or choose another one.':
    'Ollama hat dieses Modell nicht: Holen Sie es mit `ollama pull`, oder wählen Sie ein anderes.',
  'The model is busy with other requests. Try again in a moment.':
    'Das Modell ist mit anderen Anfragen beschäftigt. Versuchen Sie es gleich noch einmal.',
  'The provider cannot make this model answer in JSON. Choose another model for this step.':
    'Der Anbieter kann dieses Modell nicht in JSON antworten lassen. Wählen Sie für diesen Schritt ein anderes.',
  'This model does not answer questions. Choose another one.':
    'Dieses Modell beantwortet keine Fragen. Wählen Sie ein anderes.',
  'This model makes no embeddings. Choose one that does; llama.cpp needs --embeddings and --pooling for it.':
    'Dieses Modell bettet nicht ein. Wählen Sie eines, das es tut; llama.cpp braucht dafür --embeddings und --pooling.',
  'The provider rejected this request.': 'Der Anbieter hat diese Anfrage abgelehnt.',
  "The provider's content filter rejected this request.":
    'Der Inhaltsfilter des Anbieters hat diese Anfrage abgelehnt.',
  'The provider rejected this request, in which text %d of %d is empty.':
    'Der Anbieter hat diese Anfrage abgelehnt, in der Text $1 von $2 leer ist.',
  'The provider stopped in the middle of the answer. Try again.':
    'Der Anbieter hat mitten in der Antwort aufgehört. Versuchen Sie es noch einmal.',
  'The provider is still loading the model. Try again soon.':
    'Der Anbieter lädt das Modell noch. Versuchen Sie es gleich noch einmal.',
  'The provider has a problem. Try again later.': 'Der Anbieter hat ein Problem. Versuchen Sie es später noch einmal.',
  "The provider's rate limit is reached. Try again later.":
    'Die Anfragegrenze des Anbieters ist erreicht. Versuchen Sie es später noch einmal.',
  'The provider redirects the proxy to another address. The operator must check the base URL.':
    'Der Anbieter leitet den Proxy zu einer anderen Adresse um. Der Betreiber muss die Basisadresse prüfen.',
  "The provider's answer broke off.": 'Die Antwort des Anbieters ist abgebrochen.',
  "The provider's answer cannot be used.": 'Die Antwort des Anbieters ist unbrauchbar.',
  "The proxy's account with the provider is used up. The operator must check it.":
    'Das Konto des Proxys beim Anbieter ist aufgebraucht. Der Betreiber muss es prüfen.',
};
