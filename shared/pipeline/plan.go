package pipeline

import (
	"encoding/hex"
	"encoding/json"
	"fmt"
	"math"
	"strings"

	"seam/shared/chunk"
	"seam/shared/digest"
	"seam/shared/text"
	"seam/shared/token"
)

// Plan is Settings with every choice made. With the same embedder and counter, equal Plans
// cut a document into the same chunks. It holds plain values, so == compares Plans and JSON
// preserves them. Make one with NewPlan.
//
// Two choices depend on the document: the embedder for Auto, and the default minimum in
// characters. Session.Settle makes them, and the Plan of a Result includes them.
type Plan struct {
	Method    string          `json:"method"`
	View      text.ViewName   `json:"view"`
	Join      Join            `json:"join"`
	Sentences chunk.Rule      `json:"sentences"` // empty if the method needs none
	Embedder  string          `json:"embedder"`
	Criterion chunk.Criterion `json:"criterion"`
	Limits    Limits          `json:"limits"`
	Headers   bool            `json:"headers"`
}

// Join is the text between the pages of the content view.
type Join struct {
	Given bool   `json:"given"` // if false, pages are joined by one space and both ends of the text are stripped
	With  string `json:"with"`
}

// Limits holds the lengths of a Plan.
type Limits struct {
	Unit    string `json:"unit"` // as returned by token.Normal
	Min     int    `json:"min"`  // 0 means none; same for Max
	Max     int    `json:"max"`
	Overlap int    `json:"overlap"`
	// Asked reports whether the user gave Max. Such a maximum also binds boundaries made by
	// hand; the method's own does not.
	Asked bool `json:"asked"`
	// English reports whether Min is the method's own minimum, in English letters.
	// Session.Settle converts it for the document's scripts.
	English bool `json:"english,omitempty"`
	// EnglishMax reports whether Max is the method's own maximum, in tokens of English. For
	// the lexical embedder, Session.Settle converts it for the document's scripts, and the
	// method's own minimum with it.
	EnglishMax bool `json:"englishMax,omitempty"`
}

// NewPlan makes every choice that the settings leave open. It returns a SettingsError if
// settings contradict each other or the method.
func NewPlan(s Settings) (Plan, error) {
	m, err := chunk.Lookup(s.Method)
	if err != nil {
		return Plan{}, badf("%v", err)
	}
	p := Plan{Method: m.Name, View: s.View, Sentences: m.Sentences, Embedder: s.Embedder, Headers: s.Headers}
	if p.View == "" {
		p.View = m.View
	}
	if p.Embedder == "" {
		p.Embedder = DefaultEmbedder
	}
	if s.PageJoin != nil {
		p.Join = Join{true, *s.PageJoin}
	}
	if p.Limits, err = limits(s, m); err != nil {
		return Plan{}, err
	}
	if p.Criterion, err = criterion(s, m); err != nil {
		return Plan{}, err
	}
	_, known := EmbedderOf(p.Embedder)
	switch {
	case !known:
		return Plan{}, badf("unknown embedder %q: choose %s", p.Embedder, embedderUsage())
	case p.View != text.Content && p.View != text.Reading:
		return Plan{}, badf("unknown view %q: choose reading or content", p.View)
	case p.Join.Given && p.View != text.Content:
		return Plan{}, badf("a page join needs the content view")
	}
	return p, nil
}

// Check returns an error for a Plan that NewPlan cannot make. A plan from outside may
// contain anything. Check does not look at the embedder.
func (p Plan) Check() error {
	s := Settings{Method: p.Method, View: p.View, MaxTokens: p.Limits.Max, Overlap: p.Limits.Overlap, Unit: p.Limits.Unit}
	if p.Limits.Min != 0 {
		s.MinTokens = &p.Limits.Min
	}
	if p.Join.Given {
		s.PageJoin = &p.Join.With
	}
	switch c := p.Criterion; c.By {
	case chunk.BySetting:
		s.Setting = &c.Value
	case chunk.ByThreshold:
		s.Threshold = &c.Value
	case chunk.ByCount:
		s.Count = int(c.Value)
	}
	q, err := NewPlan(s)
	if err == nil && (q.Method != p.Method || q.Criterion != p.Criterion || q.Sentences != p.Sentences || q.Limits.Unit != p.Limits.Unit) {
		err = badf("a plan that does not fit the method %s", p.Method)
	}
	return err
}

// charsPerToken converts the default minimum to characters. English has 4 to 5 characters
// per token.
const charsPerToken = 4

// limits returns the limits from the settings, or the method's own. With a requested number
// of chunks, only the limits from the settings apply, because others would change the
// number.
func limits(s Settings, m chunk.Method) (Limits, error) {
	unit, err := token.Normal(s.Unit)
	if err != nil {
		return Limits{}, badf("%v", err)
	}
	l := Limits{Unit: unit, Max: s.MaxTokens, Overlap: s.Overlap, Asked: s.MaxTokens > 0}
	if s.Count == 0 {
		l.Min = m.Min
		if unit == token.Characters.Name() {
			l.Min *= charsPerToken
			l.English = l.Min > 0 && s.MinTokens == nil && s.MaxTokens == 0
		}
		if l.Max == 0 {
			l.Max = m.Max
			l.EnglishMax = l.Max > 0 && unit == token.Model
		}
	}
	switch {
	case s.MinTokens != nil:
		l.Min = *s.MinTokens
	case s.MaxTokens > 0 && l.Min > 0:
		// Pieces of similar size are found better; see shared/README.md.
		l.Min = min(s.MaxTokens/3, 4*l.Min)
	}
	if err := (chunk.Limits{Min: l.Min, Max: l.Max, Overlap: l.Overlap}).Check(); err != nil {
		return Limits{}, badf("%v", err)
	}
	switch {
	case s.MinTokens != nil && *s.MinTokens != 0 && !m.TakeMin:
		return Limits{}, badf("%s does not support a minimum: use a maximum and an overlap", m.Name)
	case s.Overlap != 0 && !m.Overlap:
		return Limits{}, badf("%s does not support an overlap", m.Name)
	}
	return l, nil
}

// criterion returns the criterion from the settings. The zero value means the method's
// default.
func criterion(s Settings, m chunk.Method) (chunk.Criterion, error) {
	var given []chunk.Criterion
	if s.Setting != nil {
		given = append(given, chunk.Criterion{By: chunk.BySetting, Value: *s.Setting})
	}
	if s.Threshold != nil {
		given = append(given, chunk.Criterion{By: chunk.ByThreshold, Value: *s.Threshold})
	}
	if s.Count != 0 {
		given = append(given, chunk.Criterion{By: chunk.ByCount, Value: float64(s.Count)})
	}
	if len(given) == 0 {
		return chunk.Criterion{}, nil
	}
	c := given[0]
	switch {
	case len(given) > 1:
		return c, badf("choose one of setting, threshold and count")
	case s.Count < 0:
		return c, badf("invalid number of chunks: %d", s.Count)
	case m.Curve == "":
		return c, badf("%s does not support a threshold or a count: use a method with a curve", m.Name)
	case c.By == chunk.ByThreshold && (math.IsNaN(c.Value) || math.IsInf(c.Value, 0)):
		return c, badf("the threshold is not a number")
	case c.By == chunk.BySetting && m.Setting != nil:
		if err := m.Setting.Check(m.Name, c.Value); err != nil {
			return c, badf("%v", err)
		}
	}
	return c, nil
}

// Hash returns hexadecimal digits that identify a Plan. Equal Plans have the same hash on
// every machine, different Plans have different ones.
func (p Plan) Hash() string {
	b, _ := json.Marshal(p) // plain values cannot fail
	sum := digest.Sum256(b)
	return hex.EncodeToString(sum[:8])
}

// String describes a Plan in one line, such as "semantic, reading view, builtin, 32 to 512
// model tokens".
func (p Plan) String() string {
	parts := []string{p.Method, string(p.View) + " view"}
	if p.Join.Given {
		parts = append(parts, fmt.Sprintf("pages joined by %q", p.Join.With))
	}
	parts = append(parts, p.Embedder)
	if c := p.Criterion; c.By != "" {
		parts = append(parts, fmt.Sprintf("%s %g", c.By, c.Value))
	}
	unit := p.Limits.Unit
	if unit == token.Model {
		unit = "model tokens"
	}
	switch l := p.Limits; {
	case l.Max > 0 && l.Min > 0:
		parts = append(parts, fmt.Sprintf("%d to %d %s", l.Min, l.Max, unit))
	case l.Max > 0:
		parts = append(parts, fmt.Sprintf("at most %d %s", l.Max, unit))
	case l.Min > 0:
		parts = append(parts, fmt.Sprintf("at least %d %s", l.Min, unit))
	default:
		parts = append(parts, "in "+unit)
	}
	if p.Limits.Overlap > 0 {
		parts = append(parts, fmt.Sprintf("overlap %d", p.Limits.Overlap))
	}
	if p.Headers {
		parts = append(parts, "with headers")
	}
	return strings.Join(parts, ", ")
}

// Hosted reports whether the embedder is a model behind a proxy. If so, and if the method
// compares vectors, sentences leave this machine.
func (p Plan) Hosted() bool {
	k, _ := EmbedderOf(p.Embedder)
	return k.Hosted
}

// Embeds reports whether the method compares vectors.
func (p Plan) Embeds() bool {
	m, err := p.method()
	return err == nil && m.Embeds
}

// method looks up the method by name. It succeeds for every plan that NewPlan made.
func (p Plan) method() (chunk.Method, error) {
	m, err := chunk.Lookup(p.Method)
	if err != nil {
		return m, badf("%v", err)
	}
	return m, nil
}

// key identifies the output of a stage for a document. It contains every part of a Plan
// that affects the output.
type key string

// with returns the key of a later stage that depends on k.
func (k key) with(part string) key { return k + "\x00" + key(part) }

// textKey returns the key of the text.
func (p Plan) textKey() key {
	k := key(p.View)
	if p.Join.Given {
		k = k.with(p.Join.With)
	}
	return k
}

// Text returns the text that a plan cuts.
func (p Plan) Text(d *text.Document) *text.View {
	if !p.Join.Given {
		return d.View(p.View)
	}
	v := text.JoinPages(d.Pages, p.Join.With, false)
	return &v
}

// rule returns the rule for sentences. It is Seam's own if the method needs none.
func (p Plan) rule() chunk.Rule {
	if p.Sentences == "" {
		return chunk.Sentenced
	}
	return p.Sentences
}

func (p Plan) sentenceKey() key { return p.textKey().with(string(p.rule())) }

// vectorKey takes an embed.Embedder's ID, which includes its version, or "" if no vectors
// are compared.
func (p Plan) vectorKey(embedder string) key { return p.sentenceKey().with(embedder) }

func (p Plan) curveKey(embedder string) key { return p.vectorKey(embedder).with(p.Method) }

// lengthKey returns the key of the lengths of spans.
func (p Plan) lengthKey(counter token.Counter) key {
	k := p.textKey().with(counter.Name())
	if p.Limits.Unit == token.Model {
		k = k.with(p.Embedder)
	}
	return k
}
