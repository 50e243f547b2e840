package protocol

import "strconv"

// Type is the value of "type" in a text frame.
type Type string

// The types of messages. The package comment shows their order.
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
	TypeReason Type = "r"
	TypeHits   Type = "hits"
	TypeEnd    Type = "end"
	TypeErr    Type = "err"
)

// Message is implemented by pointers to the structs below. Decode returns such a pointer.
type Message interface{ message() }

// messages lists every message: its type, its sender, whether it names a request, and its
// struct. A new message needs a row here, a struct and a fixture.
var messages = []struct {
	name Type
	from side
	id   bool // requires an id of 1 or more
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
	{TypeReason, server, true, (*Reason)(nil)},
	{TypeHits, server, true, (*Hits)(nil)},
	{TypeEnd, server, true, (*End)(nil)},
	{TypeErr, server, false, (*Err)(nil)},
}

// side is the sender of a message.
type side uint8

const (
	client side = 1 << iota
	server
)

// head is embedded in every message and implements Message. Its field takes the place of
// "type", which the codec reads and writes itself.
type head struct {
	Type skipped `json:"type,omitzero"`
}

func (*head) message() {}

// skipped accepts any JSON and stores nothing.
type skipped struct{}

func (*skipped) UnmarshalJSON([]byte) error { return nil }

// Init opens a session.
type Init struct {
	head
	Token  string `json:"token,omitempty"` // from POST /session, or the user's own
	Client string `json:"client"`          // name and version, for the log
}

// Ack answers Init.
type Ack struct {
	head
	Session string  `json:"session"` // for logs and support; it grants no access
	Limits  Limits  `json:"limits"`
	Models  []Model `json:"models"`
	Prompts Prompts `json:"prompts"`
	Time    int64   `json:"time"` // the server's clock, milliseconds since 1970

	Collection *Collection `json:"collection,omitempty"` // the collection this client may search; absent if none
	Answer     *Template   `json:"answer,omitempty"`     // the server's template "answer", for display; absent from older servers
	Marked     *Template   `json:"marked,omitempty"`     // the server's template "answer-marked", which asks for NoAnswer; absent from older servers, and where "answer" is the operator's
	Reasoning  bool        `json:"reasoning,omitempty"`  // a chat may ask for the reasoning; absent from older servers
}

// Collection describes the collection that a client may search.
type Collection struct {
	Name       string   `json:"name"`
	Hits       int      `json:"hits"`                 // maximum for one search
	Embedder   string   `json:"embedder,omitempty"`   // ID of the embedder of its vectors, which queries must use, too; absent if unknown
	Dimensions int      `json:"dimensions,omitempty"` // of its vectors; absent if unknown
	Embeds     bool     `json:"embeds,omitempty"`     // the server embeds a query that has no vector
	Filters    []string `json:"filters,omitempty"`    // accepted filters: section, types, pages, and meta. with a name
}

// Limits holds the server's limits. A client respects them, but the server also enforces
// them.
type Limits struct {
	Texts     int `json:"texts"`      // texts of one embed
	TextBytes int `json:"text_bytes"` // bytes of one text
	Tokens    int `json:"tokens"`     // tokens of one embed, as the server estimates them; 0 for no limit
	InFlight  int `json:"in_flight"`  // concurrent requests
	Answer    int `json:"answer"`     // maximum tokens of one answer
	Context   int `json:"context"`    // bytes of a chat's messages, or of question, passages and history
	Credits   int `json:"credits"`    // frames of a request before the first credit

	// Limits on a chat's history. If absent, the server accepts none; older servers do not
	// know the field.
	Turns   int `json:"turns,omitempty"`   // earlier questions, each with its answer
	History int `json:"history,omitempty"` // bytes of all turns
}

// Kind is the purpose of a model.
type Kind string

// The purposes of models.
const (
	Embedding Kind = "embed"
	Chatting  Kind = "chat"
)

// Model is a model that the server relays to.
type Model struct {
	ID         string   `json:"id"`
	Kind       Kind     `json:"kind"`
	Label      string   `json:"label,omitempty"`      // for users; ID if empty
	Dimensions int      `json:"dimensions,omitempty"` // of its vectors; 0 until the first vector
	Input      int      `json:"input,omitempty"`      // maximum tokens of one text; 0 if unknown
	Context    int      `json:"context,omitempty"`    // tokens of prompt and answer together; 0 if unknown
	Price      *float64 `json:"price,omitempty"`      // US dollars per million input tokens; absent if unknown
	PriceOut   *float64 `json:"price_out,omitempty"`  // US dollars per million output tokens
	Here       bool     `json:"here,omitempty"`       // it runs on the machine of the proxy
	// Query and Passage are the texts that the client puts before each text to embed.
	Query   string `json:"query_prefix,omitempty"`
	Passage string `json:"passage_prefix,omitempty"`
}

// Prefixes returns the prefixes quoted, each after a space, or "" if there are none.
func (m *Model) Prefixes() string {
	if m.Query+m.Passage == "" {
		return ""
	}
	return " " + strconv.Quote(m.Query) + " " + strconv.Quote(m.Passage)
}

// Prompts names the side that writes the prompts of a chat.
type Prompts string

const (
	ByClient Prompts = "client" // any messages
	ByServer Prompts = "server" // templates, filled with a question and passages
)

// Template is a prompt to fill with a question and passages.
type Template struct {
	System string `json:"system"`
	Ask    string `json:"ask,omitempty"`  // placed before a question; if empty, the question is sent alone
	JSON   bool   `json:"json,omitempty"` // the answer is a JSON object
}

// Embed asks for the vectors of texts.
type Embed struct {
	head
	ID         uint32   `json:"id"`
	Model      string   `json:"model"`
	Texts      []string `json:"texts"`
	Dimensions int      `json:"dimensions,omitempty"` // fewer than the model's own, if it supports that
}

// Chat asks for an answer, with messages or with a template of the server. With a template
// it may have a history: alternating questions and answers, oldest first.
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

	Reasoning bool `json:"reasoning,omitempty"` // the client understands Reason; only if the Ack says so
}

// ChatMessage is one turn of a chat.
type ChatMessage struct {
	Role    string `json:"role"` // system, user or assistant
	Content string `json:"content"`
}

// Params are the model parameters that a client may set.
type Params struct {
	Temperature *float64 `json:"temperature,omitempty"` // 0 to 2
	MaxTokens   int      `json:"max_tokens,omitempty"`  // 0 for the server's limit
	JSON        bool     `json:"json,omitempty"`        // the answer must be a JSON object

	// These are only for the server's requests to a provider.
	Sent   map[string][]byte `json:"-"` // more parameters in JSON; "messages" replaces the messages
	Images int               `json:"-"` // number of images in these messages
}

// Send adds a parameter to Sent.
func (p *Params) Send(name string, value []byte) {
	if p.Sent == nil {
		p.Sent = map[string][]byte{}
	}
	p.Sent[name] = value
}

// Search searches the collection behind the server. Without a vector it searches words
// only, unless the server embeds the query.
type Search struct {
	head
	ID     uint32 `json:"id"`
	Text   string `json:"text"`
	Vector string `json:"vector,omitempty"` // float32, little-endian, in base64
	K      int    `json:"k,omitempty"`      // 0 for the server's default

	Filter *Filter `json:"filter,omitempty"` // absent for all chunks
}

// Filter restricts the chunks to search. A server accepts the parts that Collection.Filters
// names.
type Filter struct {
	Section string              `json:"section,omitempty"` // part of a title above the chunk
	Types   []string            `json:"types,omitempty"`   // file extensions without the dot; one must match
	From    int                 `json:"from,omitempty"`    // page, counted from 1; 0 for no bound
	To      int                 `json:"to,omitempty"`
	Meta    map[string][]string `json:"meta,omitempty"` // by name, in lower case; one of the values must match
}

// Cancel ends a request. The server answers with an err with the code cancelled.
type Cancel struct {
	head
	ID uint32 `json:"id"`
}

// Credit allows the server to send n more frames of a request.
type Credit struct {
	head
	ID uint32 `json:"id"`
	N  int    `json:"n"`
}

// Ping asks for a Pong. A browser cannot send the websocket's own ping.
type Ping struct{ head }

// Pong answers Ping.
type Pong struct{ head }

// Delta is the next part of an answer. Seq counts from 0 without gaps.
type Delta struct {
	head
	ID    uint32 `json:"id"`
	Seq   int    `json:"seq"`
	Delta string `json:"delta"`
}

// Reason is a part of the model's reasoning, which does not belong to the answer. Without
// text it says that the model is reasoning. It has no Seq of its own.
type Reason struct {
	head
	ID    uint32 `json:"id"`
	Delta string `json:"delta"`
	Moved bool   `json:"moved,omitempty"` // all earlier parts of the answer were reasoning, too
}

// Part is a part of a chat's reply: of the answer, or of the reasoning.
type Part struct {
	Text      string
	Reasoning bool
	Moved     bool // all earlier parts of the answer were reasoning, too

	Calls string // calls of tools, a list in JSON; then there is no text
}

// Add returns an answer with the part added.
func (p Part) Add(answer string) string {
	if p.Moved {
		answer = ""
	}
	if !p.Reasoning {
		answer += p.Text
	}
	return answer
}

// Hits answers Search, best first.
type Hits struct {
	head
	ID   uint32 `json:"id"`
	Hits []Hit  `json:"hits"`
}

// Hit is a passage found.
type Hit struct {
	ID     string  `json:"id"`
	Text   string  `json:"text"`
	Source string  `json:"source,omitempty"` // file or address
	Page   int     `json:"page,omitempty"`   // counted from 1; 0 if none
	Score  float64 `json:"score"`

	Title   string `json:"title,omitempty"`   // of the document
	Section string `json:"section,omitempty"` // titles, outermost first
	Part    string `json:"part,omitempty"`    // "references" or "contents": no passage for a model that is not asked for it
	Pages   []int  `json:"pages,omitempty"`   // every page the passage touches
	Start   int    `json:"start,omitempty"`   // byte offset in the document's text
	End     int    `json:"end,omitempty"`
}

// End ends a successful request.
type End struct {
	head
	ID     uint32 `json:"id"`
	Usage  Usage  `json:"usage"`
	Finish string `json:"finish,omitempty"` // for a chat: stop, length or filter
}

// Usage is the cost of a request.
type Usage struct {
	Tokens    int `json:"tokens"`               // input tokens
	TokensOut int `json:"tokens_out,omitempty"` // output tokens
	Cached    int `json:"cached,omitempty"`     // texts answered from a cache

	Estimated bool `json:"estimated,omitempty"` // Tokens is an estimate, or has tokens of a probe
	// Read is the number of tokens of this prompt that the model read, in the provider's
	// word; 0 if it gives none. Sent is the estimated number that was sent, and absent
	// unless the model certainly read less. Context is the model's context, in tokens, if
	// its server says it.
	Read    int `json:"read,omitempty"`
	Sent    int `json:"sent,omitempty"`
	Context int `json:"context,omitempty"`
}

// Cut returns a sentence if the model read only a part of a prompt, otherwise "".
func (u *Usage) Cut() string {
	if u.Sent <= u.Read {
		return ""
	}
	say := "The model read " + strconv.Itoa(u.Read) + " of about " + strconv.Itoa(u.Sent) + " tokens"
	if u.Context > 0 {
		say += "; its context is " + strconv.Itoa(u.Context)
	}
	return say + "."
}

// Err ends a failed request. With ID 0 it explains why the socket is about to close.
type Err struct {
	head
	ID           uint32 `json:"id,omitempty"`
	Code         Code   `json:"code"`
	Message      string `json:"message"`
	RetryAfterMS int64  `json:"retry_after_ms,omitempty"`
	Whose        Whose  `json:"whose"`
	Reason       Fault  `json:"reason,omitempty"` // why a provider refused it; absent from older servers
}
