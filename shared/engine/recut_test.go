package engine

import (
	"slices"
	"strings"
	"testing"

	"seam/shared/pdftext/pdftest"
	"seam/shared/pipeline"
)

// A slider that moves must give what its setting gives when it rests, and say
// where that has put the line.
func TestRecutIsChunkWithASetting(t *testing.T) {
	p := newPage(t)
	doc := p.open("a.txt", "file", []byte(strings.Join(pdftest.Paragraphs, "\n\n")))
	for _, m := range pipeline.Methods() {
		if m.Setting == nil {
			continue
		}
		p.must("chunk", params{"doc": doc, "method": m.Name}, nil, &chunkReply{})
		setting := (m.Setting.Default + m.Setting.Min) / 2
		line, rows := p.recut(doc, "setting", setting)
		var want chunkReply
		p.must("chunk", params{"doc": doc, "method": m.Name, "setting": setting}, nil, &want)
		if line.Threshold != *want.Threshold || line.Setting != setting {
			t.Errorf("%s: the line is at %g (%g), want %g (%g)", m.Name, line.Threshold, line.Setting, *want.Threshold, setting)
		}
		if _, again := p.recut(doc, "threshold", *want.Threshold); !slices.Equal(rows, again) {
			t.Errorf("%s: other rows than with the line at %g", m.Name, *want.Threshold)
		}
		if len(rows) != rowWidth*len(want.Chunks) {
			t.Errorf("%s: %d rows for %d chunks", m.Name, len(rows)/rowWidth, len(want.Chunks))
		}
	}
	p.must("chunk", params{"doc": doc, "method": "percentile"}, nil, &chunkReply{})
	if _, rows := p.recut(doc, "setting", 101); rows != nil {
		t.Error("rows for a percentile of 101")
	}
}
