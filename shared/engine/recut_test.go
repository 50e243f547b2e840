package engine

import (
	"slices"
	"strings"
	"testing"

	"seam/shared/pdftext/pdftest"
	"seam/shared/pipeline"
)

// A moving slider must give the same result as its setting at rest, and return the place of
// the line.
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

// A cut made aside for comparison must not affect the result shown: line, edits and search
// must still use the earlier chunks.
func TestChunkAside(t *testing.T) {
	p := newPage(t)
	doc := p.open("a.txt", "file", []byte(strings.Join(pdftest.Paragraphs, "\n\n")))
	var before, aside, after chunkReply
	p.must("chunk", params{"doc": doc, "method": "percentile", "setting": 80}, nil, &before)
	p.must("chunk", params{"doc": doc, "method": "fixed", "maxTokens": 40, "aside": true}, nil, &aside)
	if aside.Method != "fixed" || len(aside.Chunks) == len(before.Chunks) {
		t.Fatalf("%d chunks by %s, where %d by %s are shown", len(aside.Chunks), aside.Method, len(before.Chunks), before.Method)
	}
	line, rows := p.recut(doc, "setting", 80)
	if line.Threshold != *before.Threshold || len(rows) != rowWidth*len(before.Chunks) {
		t.Errorf("the line that moves is at %g with %d chunks, want %g with %d", line.Threshold, len(rows)/rowWidth, *before.Threshold, len(before.Chunks))
	}
	p.must("edit", params{"doc": doc, "action": "merge", "at": before.Chunks[0].End}, nil, &after)
	if after.Method != "percentile" || len(after.Chunks) != len(before.Chunks)-1 {
		t.Errorf("after a merge by hand %d chunks by %s, want %d by percentile", len(after.Chunks), after.Method, len(before.Chunks)-1)
	}
}
