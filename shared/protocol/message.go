package protocol

// Type is the "type" of a text frame.
type Type string

// The types of messages; the package comment has their order.
const (
	TypeInit   Type = "init"
	TypeAck    Type = "ack"
	TypeEmbed  Type = "embed"
	TypeChat   Type = "chat"
	TypeSearch Type = "search"
	TypeCancel Type = "cancel"
	TypeCredit Type = "credit"
	TypePing   Type = "ping"
	TypePong   Type = "pong"
	TypeDelta  Type = "d"
	TypeHits   Type = "hits"
	TypeEnd    Type = "end"
	TypeErr    Type = "err"
)

// Message is one of the structs below. A pointer to it is what Decode returns.
type Message interface{ message() }

// messages are all there are: who sends a type, whether it names a request, and
// its struct. A new message is a row here, its struct, and a fixture.
var messages = []struct {
	name Type
	from side
	id   bool // it has an id of 1 or more
	is   Message
}{
	{TypeInit, client, false, (*Init)(nil)},
	{TypeAck, server, false, (*Ack)(nil)},
	{TypeEmbed, client, true, (*Embed)(nil)},
	{TypeChat, client, true, (*Chat)(nil)},
	{TypeSearch, client, true, (*Search)(nil)},
	{TypeCancel, client, true, (*Cancel)(nil)},
	{TypeCredit, client, true, (*Credit)(nil)},
	{TypePing, client | server, false, (*Ping)(nil)},
	{TypePong, client | server, false, (*Pong)(nil)},
	{TypeDelta, server, true, (*Delta)(nil)},
	{TypeHits, server, true, (*Hits)(nil)},
	{TypeEnd, server, true, (*End)(nil)},
	{TypeErr, server, false, (*Err)(nil)},
}

// side is who sends a message.
type side uint8

const (
	client side = 1 << iota
	server
)

// head begins every message. It makes a struct one, and stands where a frame has
// "type": the codec reads and writes that itself.
type head struct {
	Type skipped `json:"type,omitzero"`
}

func (*head) message() {}

// skipped reads any JSON and keeps nothing.
type skipped struct{}

func (*skipped) UnmarshalJSON([]byte) error { return nil }

// Init opens a session.
type Init struct {
	head
	Token  string `json:"token,omitempty"` // from POST /session, or of a user's own
	Client string `json:"client"`          // name and version, for the log
}

// Ack answers Init.
type Ack struct {
	head
	Session string  `json:"session"` // for logs and complaints; it opens nothing
	Limits  Limits  `json:"limits"`
	Models  []Model `json:"models"`
	Prompts Prompts `json:"prompts"`
	Time    int64   `json:"time"` // the server's clock, milliseconds since 1970

	Collection *Collection `json:"collection,omitempty"` // that this client may search; absent: none
	Answer     *Template   `json:"answer,omitempty"`     // the server's template "answer", for people to read; absent: an older server
}

// Collection is what a client can know of the collection that it may search.
type Collection struct {
	Name       string   `json:"name"`
	Hits       int      `json:"hits"`                 // of one search, at most
	Embedder   string   `json:"embedder,omitempty"`   // the id of what made its vectors, by which those of queries have to be made; absent: not known yet
	Dimensions int      `json:"dimensions,omitempty"` // of its vectors; absent: not known yet
	Embeds     bool     `json:"embeds,omitempty"`     // the server makes the vector of a query that comes without one
	Filters    []string `json:"filters,omitempty"`    // that it takes: section, types, pages, and meta. with a name
}

// Limits are what the server takes. A client keeps them; the server does not
// rely on that.
type Limits struct {
	Texts     int `json:"texts"`      // texts of one embed
	TextBytes int `json:"text_bytes"` // bytes of one text
	Tokens    int `json:"tokens"`     // tokens of one embed, as the server estimates them; 0: no limit
	InFlight  int `json:"in_flight"`  // requests at a time
	Answer    int `json:"answer"`     // tokens of one answer, at most
	Context   int `json:"context"`    // bytes of a chat's messages, or of question, passages and history
	Credits   int `json:"credits"`    // frames of a request before the first credit

	// What of a chat's history is taken; absent: nothing, as of an older server, which
	// does not know the field.
	Turns   int `json:"turns,omitempty"`   // earlier questions, each with its answer
	History int `json:"history,omitempty"` // bytes of them all
}

// Kind is what a model is for.
type Kind string

// What models are for.
const (
	Embedding Kind = "embed"
	Chatting  Kind = "chat"
)

// Model is one that the server relays to.
type Model struct {
	ID         string   `json:"id"`
	Kind       Kind     `json:"kind"`
	Label      string   `json:"label,omitempty"`      // for people; "": ID
	Dimensions int      `json:"dimensions,omitempty"` // of its vectors; 0: not known before the first
	Input      int      `json:"input,omitempty"`      // tokens of one text; 0: not known
	Price      *float64 `json:"price,omitempty"`      // US dollars for a million tokens read; absent: not known
	PriceOut   *float64 `json:"price_out,omitempty"`  // for a million tokens written
}

// Prompts says who writes the prompts of a chat.
type Prompts string

const (
	ByClient Prompts = "client" // any messages
	ByServer Prompts = "server" // templates, filled with a question and passages
)

// Template is a prompt that is filled with a question and passages.
type Template struct {
	System string `json:"system"`
	Ask    string `json:"ask,omitempty"`  // stands before a question; "" asks it alone
	JSON   bool   `json:"json,omitempty"` // the answer is a JSON object
}

// Embed asks for the vectors of texts.
type Embed struct {
	head
	ID         uint32   `json:"id"`
	Model      string   `json:"model"`
	Texts      []string `json:"texts"`
	Dimensions int      `json:"dimensions,omitempty"` // fewer than the model's own, where it can
}

// Chat asks for an answer: with messages, or with a template of the server's. With a
// template there may be a history: earlier questions and their answers, in turn, the
// oldest first.
type Chat struct {
	head
	ID       uint32        `json:"id"`
	Model    string        `json:"model"`
	Messages []ChatMessage `json:"messages,omitempty"`
	Template string        `json:"template,omitempty"`
	Question string        `json:"question,omitempty"`
	Passages []string      `json:"passages,omitempty"`
	History  []ChatMessage `json:"history,omitempty"`
	Params   Params        `json:"params"`
}

// ChatMessage is one turn.
type ChatMessage struct {
	Role    string `json:"role"` // system, user or assistant
	Content string `json:"content"`
}

// Params are what a client may ask of the model.
type Params struct {
	Temperature *float64 `json:"temperature,omitempty"` // 0 to 2
	MaxTokens   int      `json:"max_tokens,omitempty"`  // 0: the server's limit
	JSON        bool     `json:"json,omitempty"`        // the answer is to be a JSON object
}

// Search asks the collection behind the server. Without a vector it is a search
// for words only.
type Search struct {
	head
	ID     uint32 `json:"id"`
	Text   string `json:"text"`
	Vector string `json:"vector,omitempty"` // float32, little-endian, in base64
	K      int    `json:"k,omitempty"`      // 0: the server's default

	Filter *Filter `json:"filter,omitempty"` // absent: all chunks
}

// Filter says which chunks may be found. A server takes the parts that Collection.Filters
// names.
type Filter struct {
	Section string              `json:"section,omitempty"` // a part of the titles that a chunk stands below
	Types   []string            `json:"types,omitempty"`   // extensions of files, without the dot: one of them
	From    int                 `json:"from,omitempty"`    // page, counted from 1; 0: open
	To      int                 `json:"to,omitempty"`
	Meta    map[string][]string `json:"meta,omitempty"` // by name, in lower case: one of the values
}

// Cancel ends a request; its err says cancelled.
type Cancel struct {
	head
	ID uint32 `json:"id"`
}

// Credit lets the server send n more frames of a request.
type Credit struct {
	head
	ID uint32 `json:"id"`
	N  int    `json:"n"`
}

// Ping asks for a Pong: a browser cannot send the websocket's own.
type Ping struct{ head }

// Pong answers Ping.
type Pong struct{ head }

// Delta is the next part of an answer. Seq counts from 0 without a gap.
type Delta struct {
	head
	ID    uint32 `json:"id"`
	Seq   int    `json:"seq"`
	Delta string `json:"delta"`
}

// Hits answers Search, best first.
type Hits struct {
	head
	ID   uint32 `json:"id"`
	Hits []Hit  `json:"hits"`
}

// Hit is one passage.
type Hit struct {
	ID     string  `json:"id"`
	Text   string  `json:"text"`
	Source string  `json:"source,omitempty"` // file or address
	Page   int     `json:"page,omitempty"`   // counted from 1; 0: none
	Score  float64 `json:"score"`

	Title   string `json:"title,omitempty"`   // of the document
	Section string `json:"section,omitempty"` // titles from the outermost in
	Pages   []int  `json:"pages,omitempty"`   // all that the passage touches
	Start   int    `json:"start,omitempty"`   // bytes of the document's text
	End     int    `json:"end,omitempty"`
}

// End ends a request that succeeded.
type End struct {
	head
	ID     uint32 `json:"id"`
	Usage  Usage  `json:"usage"`
	Finish string `json:"finish,omitempty"` // chat: stop, length or filter
}

// Usage is what a request cost.
type Usage struct {
	Tokens    int `json:"tokens"`               // read by the model
	TokensOut int `json:"tokens_out,omitempty"` // written
	Cached    int `json:"cached,omitempty"`     // texts that needed no call
}

// Err ends a request that failed, or tells why the socket is about to close
// (ID 0).
type Err struct {
	head
	ID           uint32 `json:"id,omitempty"`
	Code         Code   `json:"code"`
	Message      string `json:"message"`
	RetryAfterMS int64  `json:"retry_after_ms,omitempty"`
	Whose        Whose  `json:"whose"`
}
