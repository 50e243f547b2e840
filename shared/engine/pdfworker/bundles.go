package pdfworker

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"seam/shared/bundle"
	"seam/shared/engine/rpc"
	"seam/shared/kept"
	"seam/shared/pipeline"
	"seam/shared/text"
)

// Limits on a bundle for the page: each document is a row there, and all share one memory
// limited to 4 GB.
const (
	maxDocuments = 200
	maxUnpacked  = 512 << 20
)

// bundled is a document from a bundle. Its blobs are the two files of package kept: the
// document, and the vectors of its sentences, which may be empty.
type bundled struct {
	Name   string        `json:"name"`
	Source bundle.Source `json:"source"`
	Log    bundle.Logs   `json:"log"`    // null without edits
	Plan   pipeline.Plan `json:"plan"`   // without a method if the document was not cut
	Digest string        `json:"digest"` // of the document, its edits, questions and statements
	Tags   []string      `json:"tags"`
	// Questions and Statements have their places in UTF-16 units.
	Questions  []bundle.Question  `json:"questions"`
	Statements []bundle.Statement `json:"statements"`
}

type unbundleReply struct {
	Documents []bundled `json:"documents"`
}

// unbundle reads the bytes of a bundle.
func unbundle(call *rpc.Call) (rpc.Reply, error) {
	if err := call.Params(&struct{}{}); err != nil {
		return rpc.Reply{}, err
	}
	raw, err := call.Blob(0)
	if err != nil {
		return rpc.Reply{}, err
	}
	b, err := bundle.Open(bytes.NewReader(raw), int64(len(raw)))
	if err != nil {
		return rpc.Reply{}, codedBundle(err)
	}
	if err := fits(&b.Manifest); err != nil {
		return rpc.Reply{}, err
	}
	all := unbundleReply{Documents: []bundled{}}
	var blobs [][]byte
	for i := range b.Manifest.Documents {
		if err := call.Progress("documents", i, len(b.Manifest.Documents)); err != nil {
			return rpc.Reply{}, err
		}
		it, err := b.Item(i)
		if err == nil {
			err = b.Vectors(i, it)
		}
		if err != nil {
			return rpc.Reply{}, codedBundle(err)
		}
		two, one, err := unpacked(it)
		if err != nil {
			return rpc.Reply{}, codedBundle(err)
		}
		all.Documents, blobs = append(all.Documents, one), append(blobs, two...)
	}
	return rpc.Reply{Result: all, Blobs: blobs}, nil
}

// fits returns an error if a bundle is too large for the page.
func fits(m *bundle.Manifest) error {
	hint := "Read it with the command line: seam chunk FILE.seam."
	if n := len(m.Documents); n == 0 {
		return &rpc.Error{Code: rpc.Empty, Message: "this bundle has no documents", Hint: "Rebuild it from its files."}
	} else if n > maxDocuments {
		return &rpc.Error{Code: rpc.TooLarge, Message: fmt.Sprintf("this bundle has %d documents, but the page opens at most %d", n, maxDocuments), Hint: hint}
	}
	size := int64(0)
	for _, member := range m.Members {
		size += member.Size // at most 4 GB each, according to the file's directory
	}
	if size > maxUnpacked {
		return &rpc.Error{Code: rpc.TooLarge, Message: fmt.Sprintf("this bundle would be %d MB unpacked, but the page has room for only %d", size>>20, maxUnpacked>>20), Hint: hint}
	}
	return nil
}

// unpacked returns a document of a bundle for the page.
func unpacked(it *bundle.Item) (blobs [][]byte, made bundled, err error) {
	s, err := it.Session()
	if err != nil {
		return nil, made, err
	}
	plan := it.Chunking.Plan
	made = bundled{Name: it.Document.Name, Source: it.Source, Log: s.Logs(), Plan: plan, Tags: append([]string{}, it.Tags...), Questions: questions(it.Document, it.Questions, (*text.UTF16).FromByte),
		Statements: statements(it.Document, it.Statements, (*text.UTF16).Span)}
	blobs = [][]byte{kept.Document(it.Document), nil}
	if it.Vectors.Rows > 0 && !plan.Join.Given {
		v := kept.Vectors{Model: it.Chunking.Model, View: plan.View, Sentences: it.Sentences, Matrix: it.Vectors}
		blobs[1] = v.Encode(it.Document)
	}
	sum := sha256.New()
	hand, err := json.Marshal(made.Log)
	sum.Write(blobs[0])
	sum.Write(hand)
	if len(made.Questions) > 0 {
		asked, failed := json.Marshal(made.Questions)
		err = errors.Join(err, failed)
		sum.Write(asked)
	}
	if len(made.Statements) > 0 {
		written, failed := json.Marshal(made.Statements)
		err = errors.Join(err, failed)
		sum.Write(written)
	}
	of := sum.Sum(nil)
	made.Digest = hex.EncodeToString(of[:])
	return blobs, made, err
}

// packed is a document for a bundle, as returned by the engine's pack. Its blobs are the
// same as for bundled, including the sentences even without vectors.
type packed struct {
	Name   string        `json:"name"`
	Source bundle.Source `json:"source"`
	Plan   pipeline.Plan `json:"plan"`
	Log    bundle.Logs   `json:"log"`
	Tags   []string      `json:"tags"`
	// Questions and Statements have their places in UTF-16 units.
	Questions  []bundle.Question  `json:"questions"`
	Statements []bundle.Statement `json:"statements"`
	Chunks     []struct {
		ID string `json:"id"`
		text.Span
		Tokens  int             `json:"tokens"`
		Page    int             `json:"page"`
		Pages   []int           `json:"pages"`
		Section string          `json:"section"`
		Header  string          `json:"header"`
		Reason  pipeline.Reason `json:"reason"`
		Topic   int             `json:"topic"`
	} `json:"chunks"`
}

type bundleReply struct {
	Bytes int `json:"bytes"`
}

// write makes a bundle from documents. The bundle is blob 0 of the answer.
func write(call *rpc.Call) (rpc.Reply, error) {
	var p struct {
		Documents []packed `json:"documents"`
	}
	if err := call.Params(&p); err != nil {
		return rpc.Reply{}, err
	}
	var out bytes.Buffer
	w, err := bundle.NewWriter(&out)
	if err != nil {
		return rpc.Reply{}, err
	}
	for i := range p.Documents {
		if err := call.Progress("documents", i, len(p.Documents)); err != nil {
			return rpc.Reply{}, err
		}
		if _, err := call.Blob(2*i + 1); err != nil {
			return rpc.Reply{}, err
		}
		it, err := p.Documents[i].item(call.Blobs[2*i], call.Blobs[2*i+1])
		if err == nil {
			err = w.Add(it)
		}
		if err != nil {
			return rpc.Reply{}, fmt.Errorf("%s: %w", p.Documents[i].Name, err)
		}
		call.Blobs[2*i], call.Blobs[2*i+1] = nil, nil // each document is used once, so free its blobs
	}
	if err := w.Close(); err != nil {
		return rpc.Reply{}, err
	}
	return rpc.Reply{Result: bundleReply{out.Len()}, Blobs: [][]byte{out.Bytes()}}, nil
}

// questions converts the places of questions and drops their files.
func questions(d *text.Document, from []bundle.Question, place func(*text.UTF16, int) int) []bundle.Question {
	out := make([]bundle.Question, len(from))
	units := map[text.ViewName]*text.UTF16{}
	for i, q := range from {
		out[i] = bundle.Question{Question: q.Question, Excerpts: q.Excerpts, Made: q.Made}
		for _, p := range q.Places {
			if units[p.View] == nil {
				units[p.View] = text.NewUTF16(d.View(p.View).Text)
			}
			out[i].Places = append(out[i].Places, bundle.Place{View: p.View, Start: place(units[p.View], p.Start)})
		}
	}
	return out
}

// statements converts the places of statements.
func statements(d *text.Document, from []bundle.Statement, place func(*text.UTF16, text.Span) text.Span) []bundle.Statement {
	out := slices.Clone(from)
	units := map[text.ViewName]*text.UTF16{}
	for i, s := range from {
		if units[s.View] == nil {
			units[s.View] = text.NewUTF16(d.View(s.View).Text)
		}
		out[i].Span = place(units[s.View], s.Span)
	}
	return append([]bundle.Statement{}, out...)
}

// inBytes converts a UTF-16 span to bytes.
func inBytes(u *text.UTF16, s text.Span) text.Span {
	return text.Span{Start: u.ToByte(s.Start), End: u.ToByte(s.End)}
}

// item returns the bundle's entry for a document.
func (p *packed) item(document, vectors []byte) (*bundle.Item, error) {
	d, err := kept.ReadDocument(document)
	if err != nil {
		return nil, err
	}
	d.Name = p.Name
	v, err := kept.ReadVectors(vectors, d)
	if err != nil {
		return nil, err
	}
	s := pipeline.NewSession(d)
	if err := s.Load(p.Log); err != nil {
		return nil, err
	}
	it := &bundle.Item{Document: d, Source: p.Source, Tags: p.Tags, Edits: s.Marks(), Logs: s.Logs(), Sentences: v.Sentences}
	it.Questions = questions(d, p.Questions, (*text.UTF16).ToByte)
	for i := range it.Questions {
		it.Questions[i].File = d.Name
	}
	it.Statements = statements(d, p.Statements, inBytes)
	it.Chunking = bundle.Chunking{Plan: p.Plan, Chunks: make([]bundle.Chunk, len(p.Chunks))}
	if v.Matrix.Dim > 0 {
		it.Vectors, it.Chunking.Model, it.Chunking.Dimensions = v.Matrix, v.Model, v.Matrix.Dim
	}
	units := text.NewUTF16(d.View(p.Plan.View).Text)
	for i, c := range p.Chunks {
		it.Chunking.Chunks[i] = bundle.Chunk{ID: c.ID, Start: units.ToByte(c.Start), End: units.ToByte(c.End), Tokens: c.Tokens,
			Pages: c.Pages, Header: c.Header, Titles: c.Section, Reason: c.Reason, Topic: c.Topic}
	}
	return it, nil
}

// codedBundle converts an error of the bundle reader to one for the page.
func codedBundle(err error) error {
	hint := "Get another copy, or rebuild it from its files."
	switch {
	case errors.Is(err, bundle.ErrNewer):
		return &rpc.Error{Code: rpc.Damaged, Message: "this bundle cannot be opened here: " + err.Error(), Hint: "Reload the page to get the newest version."}
	case errors.Is(err, bundle.ErrNot):
		return &rpc.Error{Code: rpc.Damaged, Message: "this is not a Seam bundle, despite its name", Hint: hint}
	case errors.Is(err, bundle.ErrDamaged):
		return &rpc.Error{Code: rpc.Damaged, Message: "this bundle is damaged and cannot be opened: " + err.Error(), Hint: hint}
	}
	return err
}
