package sites

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"

	"seam/proxy/command/terminal"
	"seam/shared/embed"
	"seam/shared/embed/encoder"
	"seam/shared/embed/meaning"
	"seam/shared/language"
	"seam/shared/site/shards"
)

// meaningReport describes the part of an index for search by meaning.
type meaningReport struct {
	Chunks int `json:"chunks"` // with vectors
	Parts  int `json:"parts"`  // parts of chunks, each with a vector
	Made   int `json:"made"`   // of these, not cached
	Bytes  int `json:"bytes"`  // of the files
	// Without lists the languages that the encoder does not know.
	Without []string `json:"without,omitempty"`
}

func (r *meaningReport) print(w *bufio.Writer) {
	if r.Chunks > 0 {
		fmt.Fprintf(w, "  by meaning: %d chunks in %d parts (%d of them new), %d kB\n", r.Chunks, r.Parts, r.Made, (r.Bytes+500)/1000)
	}
	if len(r.Without) > 0 {
		fmt.Fprintf(w, "  by words only, because the encoder knows only English: %s\n", strings.Join(r.Without, ", "))
	}
}

// openMeaning opens the encoder of chunks, with a cache of vectors for the next run.
func (c IndexCommand) openMeaning() (*embed.Cached, error) {
	m, err := meaning.Default()
	if err != nil {
		return nil, err
	}
	return embed.NewStored(m, c.Made()), nil
}

// addMeaning adds to files the vectors that search by meaning needs for one language. It
// returns the name of its first file, or "" if this is not wanted or the encoder does not
// know the language.
func (x *indexer) addMeaning(ctx context.Context, l string, pages []shards.Page, files map[string][]byte, report *indexReport, m *terminal.Meter) (string, error) {
	if x.vectors == nil {
		return "", nil
	}
	r := report.Meaning
	if r == nil {
		r = &meaningReport{}
		report.Meaning = r
	}
	texts, counts := shards.Readings(pages, x.vectors.Counter())
	if l != meaningLanguage && (l != "und" || !isEnglish(texts)) {
		r.Without = append(r.Without, l)
		return "", nil
	}
	vectors, fresh, err := x.vectors.EmbedCounted(ctx, texts, func(done, total int) error { return m.Report("vector", done, total) })
	if err != nil {
		return "", fmt.Errorf("vectors of the pages in %s: %w", l, err)
	}
	parts, err := encoderParts()
	if err != nil {
		return "", err
	}
	entry, made := shards.BuildMeaning(l+"/", shards.Meaning{Model: x.vectors.ID(), Vectors: vectors, Parts: counts, Encoder: parts.names})
	r.Chunks, r.Parts, r.Made = r.Chunks+len(counts), r.Parts+vectors.Rows, r.Made+fresh
	for _, added := range []shards.Files{parts.files, made} {
		for name, b := range added {
			if files[name] == nil {
				r.Bytes += len(b)
			}
			files[name] = b
		}
	}
	return entry, nil
}

// warnUncached warns, once, if vectors could not be cached for the next run.
func (x *indexer) warnUncached(std terminal.IO) {
	if !x.told && x.vectors != nil && x.vectors.Trouble() != nil {
		fmt.Fprintf(std.Err, "seam: cannot cache the vectors of the pages: %s\n", terminal.OneLine(x.vectors.Trouble().Error()))
	}
}

// meaningLanguage is the only language the encoder knows.
const meaningLanguage = "en"

// isEnglish reports whether most of the first 50 texts is in English.
func isEnglish(texts []string) bool {
	shares := language.Detect(strings.Join(texts[:min(len(texts), 50)], "\n"))
	return len(shares) > 0 && shares[0].Code == meaningLanguage
}

// Sizes of the files of the encoder's word table. rowsPerBlock is the rows per file,
// firstRows the rows in the first file, which every query needs. It has the most frequent
// words, because ids are roughly in order of frequency.
const (
	rowsPerBlock = 32
	firstRows    = 2048
)

// encoderParts returns the files of the encoder and their names. A page loads only the
// files it needs. Packing takes a second, so it is done once.
var encoderParts = sync.OnceValues(func() (out struct {
	files shards.Files
	names shards.EncoderFiles
}, err error) {
	head, blocks, err := encoder.Parts(meaning.Packed(), rowsPerBlock, firstRows)
	if err != nil {
		return out, err
	}
	out.files = shards.Files{}
	out.names = shards.PutEncoder(out.files, head, blocks)
	return out, nil
})

var errVectors = errors.New("it has vectors of another version of Seam: rebuild it with seam index --meaning")

// openVectors opens the vectors of an index, and returns the encoder of queries. It returns
// nil if the index has no vectors.
func openVectors(x *shards.Index, l shards.Language) (vector func(text string) ([]float32, error), err error) {
	if l.Meaning == "" {
		return nil, nil
	}
	if err := x.OpenMeaning(l.Meaning); err != nil {
		return nil, err
	}
	m, err := meaning.Default()
	if err != nil {
		return nil, err
	}
	if m.ID() != x.Model() {
		return nil, errVectors
	}
	return func(text string) ([]float32, error) {
		if !m.Knows(text) {
			return nil, nil
		}
		v, err := m.Embed(context.Background(), []string{text}, nil)
		if err != nil {
			return nil, err
		}
		return v.Row(0), nil
	}, nil
}
