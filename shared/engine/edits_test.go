package engine

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf16"

	"seam/shared/pdftext/pdftest"
	"seam/shared/pipeline"
)

// edited is a document that the page edits by hand.
type edited struct {
	*page
	doc   int
	units []uint16
	r     chunkReply
}

func newEdited(t *testing.T, body string, set params) *edited {
	p := &edited{page: newPage(t), units: utf16.Encode([]rune(body))}
	p.doc = p.open("a.txt", "file", []byte(body))
	p.chunk(set)
	return p
}

func (p *edited) chunk(set params) {
	p.t.Helper()
	all := params{"doc": p.doc}
	for k, v := range set {
		all[k] = v
	}
	p.r = chunkReply{}
	p.must("chunk", all, nil, &p.r)
	checkResult(p.t, "edited", p.r, p.last.blobs, string(utf16.Decode(p.units)))
}

// edit makes an edit that must succeed.
func (p *edited) edit(action string, at, to int) {
	p.t.Helper()
	p.r = chunkReply{}
	p.must("edit", params{"doc": p.doc, "action": action, "at": at, "to": to}, nil, &p.r)
	checkResult(p.t, action, p.r, p.last.blobs, string(utf16.Decode(p.units)))
}

// at returns the start of a text in UTF-16 units.
func (p *edited) at(s string) int {
	p.t.Helper()
	before, _, ok := strings.Cut(string(utf16.Decode(p.units)), s)
	if !ok {
		p.t.Fatalf("no %q", s)
	}
	return len(utf16.Encode([]rune(before)))
}

// byHand returns the starts of the chunks after a boundary made by hand.
func (p *edited) byHand() (starts []int) {
	for i, c := range p.r.Chunks {
		if c.Reason.Kind == "manual" {
			starts = append(starts, p.r.Chunks[i+1].Start)
		}
	}
	return starts
}

func (p *edited) want(count, held int, undo, redo bool) {
	p.t.Helper()
	if want := (pipeline.Edits{Count: count, Held: held, CanUndo: undo, CanRedo: redo}); p.r.Edits != want {
		p.t.Fatalf("%+v, want %+v", p.r.Edits, want)
	}
}

const article3 = "𝄞 One is sung. Two is sung too.\n\nThree is a 👩‍👩‍👧 family. Four is not."

func TestEditsByHand(t *testing.T) {
	p := newEdited(t, article3, params{"method": "sections"})
	first := slices.Clone(p.r.Chunks)
	p.want(0, 0, false, false)
	p.edit("split", p.at("Two"), 0)
	p.want(1, 0, true, false)
	if got := p.byHand(); !slices.Equal(got, []int{p.at("Two")}) || len(p.r.Chunks) != 3 {
		t.Fatalf("%v, %d chunks", got, len(p.r.Chunks))
	}
	if p.r.Chunks[2].ID != first[1].ID {
		t.Error("another chunk has another id")
	}
	p.edit("move", p.r.Chunks[0].End, p.at("is sung too"))
	p.edit("merge", p.r.Chunks[1].End, 0)
	p.want(2, 0, true, false)
	if len(p.r.Chunks) != 2 || p.r.Chunks[1].Start != p.at("is sung too") {
		t.Fatalf("%+v", p.r.Chunks)
	}
	p.edit("undo", 0, 0)
	p.edit("undo", 0, 0)
	p.edit("undo", 0, 0)
	p.want(0, 0, false, true)
	for i, c := range p.r.Chunks {
		if c.ID != first[i].ID || c.Span != first[i].Span || c.Reason != first[i].Reason {
			t.Errorf("undone, chunk %d is %+v, and was %+v", i, c, first[i])
		}
	}
	p.edit("redo", 0, 0)
	p.want(1, 0, true, true)
	p.edit("clear", 0, 0)
	p.want(0, 0, true, false)
}

// Edits must stay in force with every method, threshold and limit.
func TestEditsStay(t *testing.T) {
	body := strings.Join(pdftest.Paragraphs, "\n\n")
	p := newEdited(t, body, params{"method": "percentile"})
	two, shafts := p.at("The shaft drives"), p.at("Shavings fly")
	p.edit("split", two, 0)
	p.edit("split", shafts, 0)
	for _, m := range pipeline.Methods() {
		for _, set := range []params{{}, {"maxTokens": 30}, {"maxTokens": 9, "unit": "words"}} {
			set["method"] = m.Name
			p.chunk(set)
			starts := map[int]bool{}
			for _, c := range p.r.Chunks {
				starts[c.Start] = true
			}
			if !starts[two] || !starts[shafts] || p.r.Edits.Count != 2 {
				t.Errorf("%v: no chunk begins at %d and %d: %+v", set, two, shafts, p.r.Edits)
			}
		}
	}
	for _, m := range pipeline.Methods() {
		if m.Setting != nil {
			p.chunk(params{"method": m.Name})
			for _, x := range []float64{m.Setting.Min, m.Setting.Max} {
				_, rows := p.recut(p.doc, "setting", x)
				hand := 0
				for at := 0; at < len(rows); at += rowWidth {
					if pipeline.Reasons()[rows[at+rowReason]] == "manual" {
						hand++
					}
				}
				if hand != 2 {
					t.Errorf("%s at %g: %d ends by hand while the line moves", m.Name, x, hand)
				}
			}
		}
	}
}

// A search must find the edited chunks.
func TestSearchSeesEdits(t *testing.T) {
	p := newEdited(t, strings.Join(pdftest.Paragraphs, "\n\n"), params{"method": "sections"})
	find := func() string {
		var r struct{ Hits []hitJSON }
		p.must("search", params{"query": "curls of shavings", "k": 1, "mode": "keyword"}, nil, &r)
		return r.Hits[0].Text
	}
	if long := find(); !strings.Contains(long, "Hard wood") {
		t.Fatalf("%q", long)
	}
	p.edit("split", p.at("Shavings fly"), 0)
	p.edit("split", p.at("Hard wood"), 0)
	if got := find(); got != "Shavings fly from the chisel in long curls." {
		t.Errorf("found %q", got)
	}
}

func TestEditsRefused(t *testing.T) {
	p := newEdited(t, article3, params{"method": "sentences", "unit": "words", "maxTokens": 6})
	for name, set := range map[string]params{
		"no document":   {"doc": 99, "action": "undo"},
		"no action":     {"doc": p.doc},
		"outside":       {"doc": p.doc, "action": "split", "at": 1 << 40},
		"before":        {"doc": p.doc, "action": "move", "at": 3, "to": -1},
		"no boundary":   {"doc": p.doc, "action": "merge", "at": 3},
		"no such place": {"doc": p.doc, "action": "split", "at": 0},
		"too long":      {"doc": p.doc, "action": "merge", "at": p.r.Chunks[0].End},
		"nothing":       {"doc": p.doc, "action": "redo"},
	} {
		if err := p.call("edit", set, nil, nil); err == nil || err.Message == "" {
			t.Errorf("%s: %v", name, err)
		}
	}
	p.chunk(params{"method": "sentences", "unit": "words", "maxTokens": 6})
	p.want(0, 0, false, false)
	p.chunk(params{"method": "sentences", "unit": "words"})
	p.edit("merge", p.r.Chunks[0].End, 0)
	p.chunk(params{"method": "sentences", "unit": "words", "maxTokens": 6})
	p.want(1, 1, true, false)
	if p.r.Chunks[0].Reason.For != "max" {
		t.Errorf("the maximum keeps chunks apart, it says %v", p.r.Chunks[0].Reason)
	}
	doc := p.open("b.txt", "file", []byte("One. Two."))
	if err := p.call("edit", params{"doc": doc, "action": "undo"}, nil, nil); err == nil {
		t.Error("a document without chunks was changed")
	}
}

// A method's own size determines where it cuts, but does not limit edits like a requested
// maximum.
func TestHandsGoBeyondTheMethodsSize(t *testing.T) {
	p := newEdited(t, strings.Repeat("Words go on and on without an end. ", 200), params{"method": "fixed", "unit": "words"})
	before := len(p.r.Chunks)
	p.edit("merge", p.r.Chunks[0].End, 0)
	if len(p.r.Chunks) != before-1 || p.r.Chunks[0].Tokens != 2*256 {
		t.Errorf("%d chunks of %d, the first has %d", len(p.r.Chunks), before, p.r.Chunks[0].Tokens)
	}
}

// A replaced document must keep its number, and a search must see the new text.
func TestOpenReplaces(t *testing.T) {
	p := newEdited(t, strings.Join(pdftest.Paragraphs, "\n\n"), params{"method": "sections"})
	p.edit("split", p.at("Shavings fly"), 0)
	body := "𝄞 first.\n\n" + strings.Join(pdftest.Paragraphs[:6], "\n\n") // another length, in bytes and in units
	var r struct{ Doc, Lost int }
	p.must("open", params{"name": "a.txt", "kind": "file", "replace": p.doc}, [][]byte{[]byte(body)}, &r)
	if r.Doc != p.doc || r.Lost != 0 {
		t.Errorf("%+v", r)
	}
	if err := p.call("edit", params{"doc": p.doc, "action": "clear"}, nil, nil); err == nil {
		t.Error("changed before it was cut")
	}
	p.units = utf16.Encode([]rune(body))
	p.chunk(params{"method": "sections"})
	if got := p.byHand(); !slices.Equal(got, []int{p.at("Shavings fly")}) {
		t.Errorf("ends by hand at %v, want %d", got, p.at("Shavings fly"))
	}
	var found struct{ Hits []hitJSON }
	p.must("search", params{"query": "dancer", "mode": "keyword"}, nil, &found)
	if len(found.Hits) != 0 {
		t.Errorf("found in a version that is gone: %+v", found.Hits)
	}
	if err := p.call("open", params{"name": "a.txt", "kind": "file", "replace": 99}, [][]byte{[]byte("text")}, nil); err == nil {
		t.Error("a document that is not open was replaced")
	}
}
