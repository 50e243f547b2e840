package engine

import (
	"math"
	"slices"
	"strings"
	"testing"
)

// A slider that moves must give what its setting gives when it rests, and say
// where that has put the line.
func TestRecutAtIsChunkWithAThreshold(t *testing.T) {
	p := newPage(t)
	doc := p.open("a.txt", "file", []byte(strings.Join(paragraphs, "\n\n")))
	if cut, setting := p.engine.Line(doc); !math.IsNaN(cut) || !math.IsNaN(setting) {
		t.Errorf("a line at %g (%g) before the first cut", cut, setting)
	}
	for _, m := range Methods() {
		if m.Threshold == nil {
			continue
		}
		p.must("chunk", params{"doc": doc, "method": m.Name}, nil, &chunksJSON{})
		threshold := (m.Threshold.Default + m.Threshold.Min) / 2
		rows := slices.Clone(p.engine.RecutAt(doc, threshold))
		cut, setting := p.engine.Line(doc)
		var want chunksJSON
		p.must("chunk", params{"doc": doc, "method": m.Name, "threshold": threshold}, nil, &want)
		if cut != *want.Cut || setting != threshold {
			t.Errorf("%s: the line is at %g (%g), want %g (%g)", m.Name, cut, setting, *want.Cut, threshold)
		}
		if !slices.Equal(rows, p.engine.Recut(doc, *want.Cut)) {
			t.Errorf("%s: other rows than with the line at %g", m.Name, *want.Cut)
		}
		if len(rows) != rowWidth*len(want.Chunks) {
			t.Errorf("%s: %d rows for %d chunks", m.Name, len(rows)/rowWidth, len(want.Chunks))
		}
	}
	p.must("chunk", params{"doc": doc, "method": "percentile"}, nil, &chunksJSON{})
	if p.engine.RecutAt(doc, 101) != nil {
		t.Error("rows for a percentile of 101")
	}
}
