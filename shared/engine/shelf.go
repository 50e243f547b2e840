package engine

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"hash/crc32"
	"slices"

	"seam/shared/embed/builtin"
	"seam/shared/engine/rpc"
	"seam/shared/pipeline"
	"seam/shared/search"
)

func (e *Engine) forShelf() []message { return []message{{"shelve", handle(e.shelve)}} }

type shelveParams struct {
	Docs []struct {
		Name string `json:"name"`
		File string `json:"file"` // written by keep
		Head int    `json:"head"` // size of its head, as returned by keep
		// Given is the size of the file if blob 0 has it, after the given files before it;
		// otherwise 0. If it is damaged there, the file itself is read.
		Given int    `json:"given"`
		Saved string `json:"saved"` // see openParams
	} `json:"docs"`
}

type shelveReply struct {
	Docs []int `json:"docs"` // one per document; 0 if its file is missing or damaged
}

// shelve lets searches cover stored documents without opening them. close ends that, and
// reopen if it gets the number.
func (e *Engine) shelve(ctx context.Context, call *rpc.Call, p *shelveParams) (*shelveReply, error) {
	all, from := make([]*search.Shelved, len(p.Docs)), 0
	read := func(i int, head []byte) error {
		all[i], _ = search.ReadShelf(head, p.Docs[i].Name) // nil if damaged
		return call.Progress(pipeline.StageIndex, i, len(p.Docs))
	}
	var parts []FilePart
	var of []int // the document of each part
	for i, d := range p.Docs {
		if len(call.Blobs) > 0 && d.Head > 0 && d.Head <= d.Given && d.Given <= len(call.Blobs[0])-from {
			file := call.Blobs[0][from : from+d.Given]
			if err := read(i, file[:d.Head]); err != nil {
				return nil, err
			}
			from += d.Given
			if texts := file[d.Head:]; all[i] != nil && !all[i].Holds(texts) {
				all[i] = nil
			} else if all[i] != nil && e.texts.bytes+len(texts) <= mostTexts {
				e.texts.put(d.File, bytes.Clone(texts))
			}
		}
		if all[i] == nil {
			parts, of = append(parts, FilePart{d.File, 0, d.Head}), append(of, i)
		}
	}
	if len(parts) > 0 {
		var heads [][]byte
		err := e.withFiles(call, func(files FileStore) (err error) {
			heads, err = files.ReadParts(ctx, parts)
			return err
		})
		for j := 0; j < len(heads) && err == nil; j++ {
			err = read(of[j], heads[j])
		}
		if err != nil {
			return nil, err
		}
	}
	reply := &shelveReply{make([]int, len(p.Docs))}
	for i, s := range all {
		if s == nil {
			continue
		}
		e.last++
		e.shelves[e.last] = &stored{s, p.Docs[i].File, p.Docs[i].Head, p.Docs[i].Saved}
		e.shelved = append(e.shelved, e.last)
		reply.Docs[i] = e.last
	}
	return reply, nil
}

// unshelve drops a stored document.
func (e *Engine) unshelve(id int) {
	if e.shelves[id] == nil {
		return
	}
	delete(e.shelves, id)
	e.shelved = slices.DeleteFunc(e.shelved, func(other int) bool { return other == id })
	if e.searcher != nil {
		e.searcher.stale = true
	}
}

// mostTexts is the most bytes of files that are kept for the next searches.
const mostTexts = 16 << 20

// loader returns the function that reads the texts of a search's stored documents.
func (s *searching) loader(ctx context.Context, e *Engine, call *rpc.Call) func([]search.FilePart) [][]byte {
	return func(wanted []search.FilePart) [][]byte {
		found := map[string][]byte{}
		var parts []FilePart
		for _, w := range wanted {
			shelf := s.shelves[w.Source]
			if _, asked := found[shelf.file]; asked {
				continue
			}
			texts, known := e.texts.files[shelf.file]
			if found[shelf.file] = texts; !known {
				parts = append(parts, FilePart{shelf.file, shelf.size, mostTexts})
			}
		}
		var read [][]byte
		if len(parts) > 0 {
			_ = e.withFiles(call, func(files FileStore) (err error) { // a file that cannot be read stays nil
				read, err = files.ReadParts(ctx, parts)
				return err
			})
		}
		for i, b := range read {
			found[parts[i].Name] = b
			e.texts.put(parts[i].Name, b)
		}
		out := make([][]byte, len(wanted))
		for i, w := range wanted {
			shelf := s.shelves[w.Source]
			if texts, from := found[shelf.file], w.From-shelf.size; from >= 0 && from+w.Size <= len(texts) {
				out[i] = texts[from : from+w.Size]
			}
		}
		return out
	}
}

// put keeps the texts of a file, unless they cannot be read.
func (t *fileTexts) put(file string, b []byte) {
	if b == nil || len(b) > mostTexts/4 {
		return
	}
	if t.files == nil || t.bytes+len(b) > mostTexts {
		*t = fileTexts{files: map[string][]byte{}}
	}
	t.files[file] = b
	t.bytes += len(b)
}

// lose drops the stored documents whose texts could not be read, and returns their numbers.
func (e *Engine) lose(s *searching, sources []int) []int {
	ids := make([]int, len(sources))
	for i, source := range sources {
		ids[i] = s.ids[source]
		e.unshelve(ids[i])
	}
	return ids
}

// index returns the file with which a search covers a document without opening it, the size
// of its head, and its key. It returns nil if there is nothing to store.
func (e *Engine) index(ctx context.Context, call *rpc.Call, d *opened, has string) (b []byte, head int, key string, err error) {
	r := d.current
	if r == nil || r.Plan.Join.Given || len(d.writtenOf(r)) > 0 {
		return nil, 0, "", nil
	}
	var spans []byte
	for _, c := range r.Chunks {
		spans = fmt.Appendf(spans, "%d %d,", c.Start, c.End)
	}
	key = fmt.Sprintf("%s %s %d %08x", r.Plan.Embedder, r.Plan.View, len(r.Chunks), crc32.ChecksumIEEE(spans))
	if key == has {
		return nil, 0, key, nil
	}
	made, err := search.Make(ctx, r, r.Plan.Embedder == builtin.Name, e.hooks(call))
	var refused *rpc.Error
	if err != nil && !errors.As(err, &refused) {
		return nil, 0, "", err
	}
	if err != nil { // the model could not be loaded: it is found by its words
		made.Embedder = ""
	}
	b = search.Shelve(r, made)
	head, err = search.ShelfHead(b)
	return b, head, key, err
}
