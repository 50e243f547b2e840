package pipeline

import (
	"encoding/json"
	"math"
	"strings"
	"testing"

	"seam/shared/chunk"
	"seam/shared/embed/builtin"
	"seam/shared/embed/encoder"
	"seam/shared/embed/lexical"
	"seam/shared/embed/precomputed"
	"seam/shared/embed/remote"
	"seam/shared/text"
)

func number[T any](x T) *T { return &x }

const english = "The miller opened the weir and let the water in. It was a cold day, and the wheel turned slowly."

// Plans can be compared, saved and hashed. Equivalent settings must give equal plans, and
// different settings different ones.
func TestPlansAreValues(t *testing.T) {
	base := plan(t, Settings{})
	for name, same := range map[string]Settings{
		"named":  {Method: "semantic", Embedder: "auto", View: text.Reading, Unit: "model"},
		"lowest": {MinTokens: number(chunk.DefaultMin)},
	} {
		if got := plan(t, same); got != base || got.Hash() != base.Hash() {
			t.Errorf("%s: %+v is not %+v", name, got, base)
		}
	}
	seen := map[string]string{base.Hash(): "the default"}
	for name, other := range map[string]Settings{
		"method": {Method: "percentile"}, "embedder": {Embedder: "lexical"}, "view": {View: text.Content}, "setting": {Setting: number(2.0)},
		"threshold": {Threshold: number(2.0)}, "count": {Count: 2}, "minimum": {MinTokens: number(5)}, "maximum": {MaxTokens: 512},
		"overlap": {Overlap: 9}, "unit": {Unit: "words"}, "headers": {Headers: true},
		"join": {View: text.Content, PageJoin: number("")}, "other join": {View: text.Content, PageJoin: number("-")},
	} {
		p := plan(t, other)
		if before := seen[p.Hash()]; before != "" {
			t.Errorf("%s and %s are one", name, before)
		}
		seen[p.Hash()] = name
		b, err := json.Marshal(p)
		if err != nil {
			t.Fatal(err)
		}
		var again Plan
		if err := json.Unmarshal(b, &again); err != nil || again != p {
			t.Errorf("%s: %s came back as %+v (%v)", name, b, again, err)
		}
	}
	if p := NewSession(text.NewPlain(english)).Settle(base); len(p.Hash()) != 16 || p.Hash()[:4] != "6dba" {
		t.Errorf("the hash of the default for English is %s, and was 6dba…: what was saved by it is not found again", p.Hash())
	}
}

func TestPlansSayWhatTheyAre(t *testing.T) {
	for want, set := range map[string]Settings{
		"semantic, reading view, auto, 32 to 512 model tokens":                              {},
		"percentile, reading view, lexical, setting 90, at most 40 words, with headers":     {Method: "percentile", Embedder: "lexical", Setting: number(90.0), MaxTokens: 40, Unit: "words", Headers: true},
		`fixed, content view, pages joined by "", builtin, at most 1000 chars, overlap 200`: {Method: "fixed", Embedder: "builtin", Unit: "chars", MaxTokens: 1000, Overlap: 200, PageJoin: number("")},
		"sentences, reading view, auto, at least 9 model tokens":                            {Method: "sentences", MinTokens: number(9)},
		"semantic, reading view, auto, count 3, in model tokens":                            {Count: 3},
	} {
		if got := plan(t, set).String(); got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
}

func TestSettingsThatNoPlanFollows(t *testing.T) {
	for says, set := range map[string]Settings{
		"unknown method":               {Method: "magic"},
		"unknown embedder":             {Embedder: "oracle"},
		"unknown view":                 {View: "sideways"},
		"unknown unit":                 {Unit: "miles"},
		"choose one of":                {Setting: number(1.0), Count: 3},
		"not a number":                 {Threshold: number(math.NaN())},
		"above 0":                      {Setting: number(-1.0)},
		"0 to 100":                     {Method: "percentile", Setting: number(math.NaN())},
		"content view":                 {PageJoin: number("")},
		"above the maximum":            {MinTokens: number(9), MaxTokens: 3},
		"does not support a minimum":   {Method: "fixed", MinTokens: number(3)},
		"does not support an overlap":  {Method: "page", Overlap: 3},
		"does not support a threshold": {Method: "cluster", Setting: number(3.0)},
	} {
		p, err := NewPlan(set)
		if err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%+v gives %v (%v)", set, p, err)
		}
	}
	// A plan that NewPlan did not make must give an error, not a panic.
	if _, err := NewSession(text.NewPlain("One. Two.")).Run(t.Context(), Plan{Method: "magic"}, Hooks{}); err == nil {
		t.Error("a plan of nothing was run")
	}
}

// Embedder names in settings must match the names in their packages.
func TestEmbeddersHaveTheNamesOfTheirPackages(t *testing.T) {
	for name, want := range map[string]string{builtin.Name: builtin.Name, lexical.Name: lexical.Name, "static:a": Static, encoder.Prefix + "a": Encoder, precomputed.Prefix + "b": Precomputed, remote.Prefix + "c": remote.Prefix} {
		if k, ok := EmbedderOf(name); !ok || k.Name != want {
			t.Errorf("%s is %q", name, k.Name)
		}
	}
	for _, name := range []string{"", "oracle", "static:", "npy:", "openai:", "Builtin", "builtin "} {
		if k, ok := EmbedderOf(name); ok {
			t.Errorf("%q is %s", name, k.Name)
		}
	}
}

// Check must accept every plan that NewPlan makes, settled or not, and refuse all others.
func TestPlansFromElsewhereAreChecked(t *testing.T) {
	few, none, join := 3, 0, ""
	half := .5
	doc := text.NewPlain("Die Mühle steht still. Der Bach friert.")
	for _, m := range Methods() {
		for _, s := range []Settings{{}, {Unit: "chars"}, {Unit: "words", MaxTokens: 40}, {MaxTokens: 40, Overlap: 5}, {MinTokens: &few}, {MinTokens: &none}, {Count: 4}, {Threshold: &half}, {Setting: &half},
			{View: text.Content, PageJoin: &join, Headers: true}} {
			s.Method = m.Name
			p, err := NewPlan(s)
			if err != nil {
				continue // covered by TestSettingsThatNoPlanFollows
			}
			if err := NewSession(doc).Settle(p).Check(); err != nil {
				t.Errorf("%+v: %v", p, err)
			}
		}
	}
	good, err := NewPlan(Settings{Method: "percentile"})
	if err != nil {
		t.Fatal(err)
	}
	for name, spoil := range map[string]func(p *Plan){
		"no method":        func(p *Plan) { p.Method = "" },
		"unknown method":   func(p *Plan) { p.Method = "oracle" },
		"unknown unit":     func(p *Plan) { p.Limits.Unit = "miles" },
		"no unit":          func(p *Plan) { p.Limits.Unit = "" },
		"negative maximum": func(p *Plan) { p.Limits.Max = -1 },
		"overlap":          func(p *Plan) { p.Method, p.Limits.Max, p.Limits.Overlap = "fixed", 5, 5 },
		"minimum":          func(p *Plan) { p.Limits.Min, p.Limits.Max = 9, 5 },
		"criterion":        func(p *Plan) { p.Criterion = chunk.Criterion{By: "taste", Value: 1} },
		"part of a chunk":  func(p *Plan) { p.Criterion = chunk.Criterion{By: chunk.ByCount, Value: 2.5} },
		"no chunk":         func(p *Plan) { p.Criterion = chunk.Criterion{By: chunk.ByCount} },
		"percentile":       func(p *Plan) { p.Criterion = chunk.Criterion{By: chunk.BySetting, Value: 101} },
		"sentences":        func(p *Plan) { p.Sentences = chunk.Notebook },
		"view":             func(p *Plan) { p.View = "upside down" },
	} {
		p := good
		if spoil(&p); p.Check() == nil {
			t.Errorf("%s passes: %+v", name, p)
		}
	}
}

// The page and the help need words for every embedder without an argument.
func TestEmbedderWords(t *testing.T) {
	words := AllEmbedderWords()
	for _, k := range Embedders() {
		own, ok := words[k.Name]
		if none := k.Argument == ""; ok != none || (k.Label != "") != none || k.Help == "" || none && (own.Short == "" || own.German.Label == "" || own.German.Help == "") {
			t.Errorf("%s lacks words, or has too many: %+v, %+v", k.Name, k, own)
		}
	}
}
