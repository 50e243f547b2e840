package engine

import (
	"bytes"
	"encoding/binary"
	"math"
	"slices"
	"strings"
	"testing"
	"unicode/utf16"

	"seam/shared/engine/rpc"
	"seam/shared/pdftext/pdftest"
	"seam/shared/pipeline"
	"seam/shared/text"
)

// With every method, the parts of a reply must be consistent with each other.
func TestChunksFitTheTextThatThePageShows(t *testing.T) {
	p := newPage(t)
	for name, in := range map[string]struct {
		kind string
		b    []byte
	}{
		"plain":   {"file", []byte(strings.Join(pdftest.Paragraphs, "\n\n"))},
		"unicode": {"file", []byte(strings.Repeat("Ä 𝄞 sentence. 日本語。 👩‍👩‍👧 goes on, and on. Then it rained; nobody minded!\n", 12))},
		"article": {"document", text.Encode(article(t))},
	} {
		doc := p.open(name, in.kind, in.b)
		for _, m := range pipeline.Methods() {
			for _, extra := range []params{{}, {"maxTokens": 12}, {"view": "content", "unit": "chars", "maxTokens": 90}} {
				set := params{"doc": doc, "method": m.Name}
				for k, v := range extra {
					set[k] = v
				}
				var r chunkReply
				p.must("chunk", set, nil, &r)
				blobs := p.last.blobs
				p.must("text", params{"doc": doc, "view": r.View}, nil, nil)
				checkResult(t, name+" "+m.Name, r, blobs, string(p.last.blobs[0]))
			}
		}
	}
}

// The sections of a PDF must reach the page with its chunks.
func TestChunksNameTheirSection(t *testing.T) {
	p := newPage(t)
	doc := p.open("article", "document", text.Encode(article(t)))
	var r chunkReply
	p.must("chunk", params{"doc": doc, "method": "percentile", "maxTokens": 40}, nil, &r)
	seen := map[string]bool{}
	for _, c := range r.Chunks {
		seen[c.Section] = true
	}
	if len(seen) != 4 || !seen["Lathes"] || seen[""] {
		t.Errorf("sections %v", seen)
	}
}

func checkResult(t *testing.T, name string, r chunkReply, blobs [][]byte, shown string) {
	t.Helper()
	units := utf16.Encode([]rune(shown))
	if len(blobs) != 3 || len(blobs[1]) != 8*r.Sentences || len(r.Chunks) == 0 {
		t.Fatalf("%s: %d blobs, %d sentences, %d chunks", name, len(blobs), r.Sentences, len(r.Chunks))
	}
	if r.Curve != "" && len(blobs[0]) != 4*(r.Sentences-1) {
		t.Fatalf("%s: %d bytes of curve for %d sentences", name, len(blobs[0]), r.Sentences)
	}
	at := 0
	for i, c := range r.Chunks {
		if c.Start < at || c.End <= c.Start || c.End > len(units) {
			t.Fatalf("%s: chunk %d is %v of %d units", name, i, c.Span, len(units))
		}
		if lost := strings.TrimSpace(sliceUTF16(units, at, c.Start)); lost != "" {
			t.Fatalf("%s: %q before chunk %d is lost", name, lost, i)
		}
		if c.Pages == nil || len(c.Pages) > 0 && c.Page != c.Pages[0] {
			t.Fatalf("%s: chunk %d on page %d of %v", name, i, c.Page, c.Pages)
		}
		at = c.End
	}
	if lost := strings.TrimSpace(sliceUTF16(units, at, len(units))); lost != "" {
		t.Fatalf("%s: %q at the end is lost", name, lost)
	}
	for i := 0; i < len(blobs[1]); i += 8 {
		s, e := int(binary.LittleEndian.Uint32(blobs[1][i:])), int(binary.LittleEndian.Uint32(blobs[1][i+4:]))
		if s > e || e > len(units) {
			t.Fatalf("%s: a sentence at %d to %d", name, s, e)
		}
	}
}

func TestMovingTheLineIsMovingTheSlider(t *testing.T) {
	p := newPage(t)
	doc := p.open("a.txt", "file", []byte(strings.Join(pdftest.Paragraphs, "\n\n")))
	var first, bySlider, byLine chunkReply
	p.must("chunk", params{"doc": doc, "method": "percentile"}, nil, &first)
	if len(first.Cached) != 0 || !slices.Contains(p.events, "vectors") {
		t.Errorf("the first time: cached %v, events %v", first.Cached, p.events)
	}
	p.must("chunk", params{"doc": doc, "method": "percentile", "setting": 70}, nil, &bySlider)
	if !slices.Equal(bySlider.Cached, []string{"sentences", "vectors", "curve"}) {
		t.Errorf("the slider computes again: cached %v", bySlider.Cached)
	}
	if len(bySlider.Chunks) <= len(first.Chunks) {
		t.Errorf("%d chunks at 95, %d at 70", len(first.Chunks), len(bySlider.Chunks))
	}
	p.must("chunk", params{"doc": doc, "method": "percentile", "threshold": *bySlider.Threshold}, nil, &byLine)
	if len(byLine.Chunks) != len(bySlider.Chunks) || math.Abs(*byLine.Setting-70) > 1e-6 {
		t.Errorf("the line at %v: %d chunks, percentile %v; want %d, 70", *bySlider.Threshold, len(byLine.Chunks), *byLine.Setting, len(bySlider.Chunks))
	}
	var byCount chunkReply
	p.must("chunk", params{"doc": doc, "method": "percentile", "count": 5}, nil, &byCount)
	if len(byCount.Chunks) != 5 {
		t.Errorf("%d chunks, 5 were asked for", len(byCount.Chunks))
	}
}

// The fast path must give the same result as the full call.
func TestRecutIsChunkWithACut(t *testing.T) {
	p := newPage(t)
	b := []byte(strings.Join(pdftest.Paragraphs, "\n\n") + "\f" + strings.Repeat("Ä last page. 𝄞 sings. ", 30))
	for _, m := range pipeline.Methods() {
		for _, extra := range []params{{}, {"maxTokens": 20, "minTokens": 4}} {
			doc := p.open("a.txt", "file", b)
			if _, rows := p.recut(doc, "threshold", 0.5); rows != nil {
				t.Errorf("%s: rows before the first cut", m.Name)
			}
			set := params{"doc": doc, "method": m.Name}
			if m.Embeds {
				for k, v := range extra {
					set[k] = v
				}
			}
			var first chunkReply
			p.must("chunk", set, nil, &first)
			if m.Curve == "" {
				if _, rows := p.recut(doc, "threshold", 0.5); rows != nil {
					t.Errorf("%s has no curve and moves it", m.Name)
				}
				continue
			}
			cut := *first.Threshold + 0.01
			_, rows := p.recut(doc, "threshold", cut)
			boundaries := p.last.blobs[1]
			var want chunkReply
			set["threshold"] = cut
			p.must("chunk", set, nil, &want)
			curve := p.last.blobs[0]
			if !bytes.Equal(boundaries, p.last.blobs[2]) {
				t.Errorf("%s: other boundaries than those of chunk", m.Name)
			}
			if len(rows) != rowWidth*len(want.Chunks) {
				t.Fatalf("%s: %d rows for %d chunks", m.Name, len(rows)/rowWidth, len(want.Chunks))
			}
			for i, c := range want.Chunks {
				row := rows[rowWidth*i:]
				first, last := 0, 0
				if len(c.Pages) > 0 {
					first, last = c.Pages[0], c.Pages[len(c.Pages)-1]
				}
				if int(row[rowStart]) != c.Start || int(row[rowEnd]) != c.End || int(row[rowTokens]) != c.Tokens ||
					int(row[rowFirstPage]) != first || int(row[rowLastPage]) != last {
					t.Errorf("%s: row %v for %+v", m.Name, row[:rowWidth], c)
				}
				after := row[rowAfter]
				if kind := pipeline.Reasons()[row[rowReason]]; kind != c.Reason.Kind || kind != "max" && (kind != "end") != (after >= 0) || (row[rowNeeded] == 1) != (c.Reason.For == "max") {
					t.Errorf("%s: row %v for %+v", m.Name, row[:rowWidth], c.Reason)
				}
				if v := c.Reason.Value; v != 0 && float32(v) != math.Float32frombits(binary.LittleEndian.Uint32(curve[4*after:])) {
					t.Errorf("%s: chunk %d has the value %g of another gap than %d", m.Name, i, v, after)
				}
			}
		}
	}
	if _, rows := p.recut(99, "threshold", 0.5); rows != nil {
		t.Error("rows of a document that is not open")
	}
}

func TestSearchFollowsTheChunks(t *testing.T) {
	p := newPage(t)
	a := p.open("a.txt", "file", []byte(strings.Join(pdftest.Paragraphs, "\n\n")))
	b := p.open("b.txt", "file", []byte("Something else. A lighthouse keeper lives alone; his lamp turns all night."))
	search := func(query string, extra params) []hitJSON {
		t.Helper()
		set := params{"query": query}
		for k, v := range extra {
			set[k] = v
		}
		var r struct{ Hits []hitJSON }
		p.must("search", set, nil, &r)
		return r.Hits
	}
	hits := search("lighthouse lamp", nil)
	if len(hits) == 0 || hits[0].Doc != b || hits[0].Name != "b.txt" {
		t.Fatalf("%+v", hits)
	}
	marks := []string{}
	units := utf16.Encode([]rune(hits[0].Text))
	for _, m := range hits[0].Marks {
		marks = append(marks, sliceUTF16(units, m[0], m[1]))
	}
	if !slices.Equal(marks, []string{"lighthouse", "lamp"}) {
		t.Errorf("marks %q", marks)
	}
	if hits := search("lighthouse", params{"docs": []int{a}, "mode": "keyword"}); len(hits) != 0 {
		t.Errorf("found in the other document: %+v", hits)
	}
	// After another cut, hits must be the new chunks.
	p.must("chunk", params{"doc": b, "method": "percentile", "count": 2}, nil, nil)
	if hits := search("lighthouse lamp", params{"k": 1}); len(hits) != 1 || hits[0].Chunk != 1 || strings.Contains(hits[0].Text, "Something") {
		t.Errorf("%+v", hits)
	}
	p.must("close", params{"doc": b}, nil, nil)
	if hits := search("lighthouse", params{"mode": "keyword"}); len(hits) != 0 {
		t.Errorf("found in a closed document: %+v", hits)
	}
}

func TestErrors(t *testing.T) {
	p := newPage(t)
	doc := p.open("a.txt", "file", []byte("One. Two."))
	for _, tt := range []struct {
		method string
		params params
		blob   []byte
		code   string
		says   string
	}{
		{"open", params{"name": "x", "kind": "file"}, []byte("\xff\xd8\xff\xe0\x00\x10JFIF"), rpc.NotText, "a JPEG picture"},
		{"open", params{"name": "x.pdf", "kind": "file"}, []byte("%PDF-1.7"), rpc.NotText, "a PDF"},
		{"open", params{"name": "x", "kind": "file"}, []byte("\x00\x01\x02"), rpc.Encoding, "not clear"},
		{"open", params{"name": "x", "kind": "file"}, []byte(" \n\t "), rpc.Empty, "no text"},
		{"open", params{"name": "x", "kind": "file"}, []byte{}, rpc.Empty, "no text"},
		{"open", params{"name": "x", "kind": "file"}, make([]byte, maxFile+1), rpc.TooLarge, "256 MB"},
		{"open", params{"name": "x", "kind": "document"}, []byte("SEAMDOC"), rpc.Internal, "damaged document"},
		{"open", params{"name": "x", "kind": "folder"}, []byte("x"), rpc.BadRequest, "document or file"},
		{"chunk", params{"doc": 99}, nil, rpc.UnknownDocument, "not open"},
		{"text", params{"doc": 99}, nil, rpc.UnknownDocument, "not open"},
		{"close", params{"doc": 99}, nil, rpc.UnknownDocument, "not open"},
		{"search", params{"query": "x", "docs": []int{99}}, nil, rpc.UnknownDocument, "not open"},
		{"search", params{"query": "x", "mode": "psychic"}, nil, rpc.BadRequest, "hybrid"},
		{"search", params{"query": "x", "k": -1}, nil, rpc.BadRequest, "hits: -1"},
		{"text", params{"doc": doc, "view": "sideways"}, nil, rpc.BadRequest, "reading or content"},
		{"chunk", params{"doc": doc, "method": "magic"}, nil, rpc.BadRequest, "unknown method"},
		{"chunk", params{"doc": doc, "embedder": "oracle"}, nil, rpc.BadRequest, "unknown embedder"},
		{"chunk", params{"doc": doc, "embedder": "openai:"}, nil, rpc.BadRequest, "unknown embedder"},
		{"chunk", params{"doc": doc, "embedder": "openai:e"}, nil, rpc.BadRequest, "needs a proxy"},
		{"preview", params{"doc": doc, "embedder": "openai:e"}, nil, rpc.BadRequest, "needs a proxy"},
		{"preview", params{"doc": 99}, nil, rpc.UnknownDocument, "not open"},
		{"preview", params{"doc": doc, "pageJoin": ""}, nil, rpc.BadRequest, "joined"},
		{"connect", params{"url": "https://example.org", "token": ""}, nil, rpc.Offline, "no network"},
		{"ask", params{"question": "why?", "model": "openai:c"}, nil, rpc.BadRequest, "needs a proxy"},
		{"ask", params{"question": " ", "model": "openai:c"}, nil, rpc.BadRequest, "empty"},
		{"chunk", params{"doc": doc, "treshold": 3}, nil, rpc.BadRequest, "treshold"},
		{"chunk", params{"doc": doc, "method": "percentile", "setting": 300}, nil, rpc.BadRequest, "0 to 100"},
		{"chunk", params{"doc": doc, "setting": 3, "threshold": 0.4}, nil, rpc.BadRequest, "choose one"},
		{"chunk", params{"doc": doc, "count": -3}, nil, rpc.BadRequest, "invalid number of chunks"},
		{"chunk", params{"doc": doc, "minTokens": 9, "maxTokens": 3}, nil, rpc.BadRequest, "above the maximum"},
		{"chunk", params{"doc": doc, "maxTokens": -3}, nil, rpc.BadRequest, "invalid length"},
		{"chunk", params{"doc": doc, "method": "sections", "overlap": 3}, nil, rpc.BadRequest, "overlap"},
		{"chunk", params{"doc": doc, "method": "page", "overlap": 3}, nil, rpc.BadRequest, "overlap"},
		{"chunk", params{"doc": doc, "method": "recursive", "count": 3}, nil, rpc.BadRequest, "count"},
		{"chunk", params{"doc": doc, "method": "cluster", "setting": 3}, nil, rpc.BadRequest, "threshold"},
		{"chunk", params{"doc": doc, "method": "cluster", "minTokens": 401}, nil, rpc.BadRequest, "400"},
		{"chunk", params{"doc": doc, "method": "recursive", "minTokens": 300}, nil, rpc.BadRequest, "256"},
		{"chunk", params{"doc": doc, "maxTokens": 3, "overlap": 3}, nil, rpc.BadRequest, "overlap"},
		{"chunk", params{"doc": doc, "overlap": -1}, nil, rpc.BadRequest, "overlap"},
		{"chunk", params{"doc": doc, "method": "fixed", "minTokens": 3}, nil, rpc.BadRequest, "fixed"},
		{"chunk", params{"doc": doc, "method": "fixed", "maxTokens": 3, "overlap": 3}, nil, rpc.BadRequest, "overlap"},
		{"chunk", params{"doc": doc, "unit": "miles"}, nil, rpc.BadRequest, "unknown unit"},
		{"chunk", params{"doc": doc, "view": "content", "pageJoin": ""}, nil, rpc.BadRequest, "joined"},
	} {
		var blobs [][]byte
		if tt.blob != nil {
			blobs = [][]byte{tt.blob}
		}
		err := p.call(tt.method, tt.params, blobs, nil)
		if err == nil || err.Code != tt.code || !strings.Contains(err.Message, tt.says) {
			t.Errorf("%s %v: %+v", tt.method, tt.params, err)
		}
	}
}

func TestOneSentenceAndNone(t *testing.T) {
	p := newPage(t)
	for _, in := range []string{"word", "One sentence.", "...", "日本語"} {
		doc := p.open("a.txt", "file", []byte(in))
		for _, m := range pipeline.Methods() {
			var r chunkReply
			p.must("chunk", params{"doc": doc, "method": m.Name}, nil, &r)
			if len(r.Chunks) > 1 || r.Threshold != nil && m.Curve == "" {
				t.Errorf("%q by %s: %+v", in, m.Name, r)
			}
		}
		p.must("search", params{"query": "word"}, nil, nil)
	}
}

func TestHello(t *testing.T) {
	p := newPage(t)
	var r struct {
		Protocol int
		Version  string
		Methods  []methodJSON
		Defaults map[string]string
	}
	p.must("hello", nil, nil, &r)
	if r.Protocol != rpc.Protocol || r.Version != "test" || len(r.Methods) != len(pipeline.Methods()) || r.Defaults["method"] != pipeline.Methods()[0].Name {
		t.Errorf("%+v", r)
	}
}

func TestCountOfTopics(t *testing.T) {
	p := newPage(t)
	doc := p.open("a.txt", "file", []byte(strings.Join(pdftest.Paragraphs, "\n\n")))
	for _, n := range []int{1, 2, 5} {
		var r chunkReply
		p.must("chunk", params{"doc": doc, "count": n}, nil, &r)
		if len(r.Chunks) != n || (r.Threshold == nil) != (n == 1) {
			t.Errorf("%d chunks with the line at %v, %d were asked for", len(r.Chunks), r.Threshold, n)
		}
	}
}
