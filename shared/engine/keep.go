package engine

import (
	"context"

	"seam/shared/engine/rpc"
	"seam/shared/kept"
	"seam/shared/pipeline"
	"seam/shared/text"
)

func (e *Engine) forKeep() []message {
	return []message{
		{"keep", handle(e.keep)},
		{"reopen", handle(e.reopen)},
		{"history", handle(e.history)},
	}
}

type keepParams struct {
	Doc  int    `json:"doc"`
	File string `json:"file"` // name of the new file; if empty, the data is blob 0 of the reply
	// What selects the data. "document" is the document. "vectors" are the vectors of its
	// sentences in the last cut; without a file they are returned even if they are empty.
	// "seen" is other data of that cut that takes long to compute. "index" is the data with
	// which a search covers that cut without opening the document. "bytes" is blob 0 and
	// belongs to no document.
	What string `json:"what"`
	// Has is the key of the vectors, seen data or index that is already stored.
	Has string `json:"has"`
}

type keepReply struct {
	Bytes int    `json:"bytes"` // size of the file; 0 if nothing was written because nothing is new
	Key   string `json:"key"`   // for vectors, seen and index: identifies their contents; empty if there is nothing to store
	Head  int    `json:"head"`  // for index: the size of its head, for shelve
	blobs
}

// keep writes a document, or data computed from it, to its own file.
func (e *Engine) keep(ctx context.Context, call *rpc.Call, p *keepParams) (*keepReply, error) {
	var b []byte
	var d *opened
	var err error
	if p.What == "bytes" {
		b, err = call.Blob(0)
	} else {
		d, err = e.document(p.Doc)
	}
	if err != nil {
		return nil, err
	}
	reply := &keepReply{}
	switch p.What {
	case "bytes":
	case "document":
		b = kept.Document(d.Document)
	case "vectors", "seen":
		if b, reply.Key = d.computed(p); b == nil {
			return reply, nil
		}
	case "index":
		if b, reply.Head, reply.Key, err = e.index(ctx, call, d, p.Has); b == nil || err != nil {
			return reply, err
		}
	default:
		return nil, badRequest("keep takes document, vectors, seen, index or bytes")
	}
	reply.Bytes = len(b)
	if p.File == "" {
		reply.blobs = blobs{b}
		return reply, nil
	}
	err = e.withFiles(call, func(files FileStore) error { return files.Write(ctx, p.File, b) })
	if err == nil && d != nil {
		d.kept[p.What] = reply.Key
	}
	return reply, err
}

// computed returns the file with data computed from a document, and its key. It returns nil
// if there is nothing to store, or if the page already has that file and it could be read.
func (d *opened) computed(p *keepParams) (b []byte, key string) {
	if d.current == nil || d.current.Plan.Join.Given {
		return nil, ""
	}
	var encode func(*text.Document) []byte
	if p.What == "seen" {
		if seen := d.Seen(d.current); seen != nil {
			key, encode = seen.Key(), func(of *text.Document) []byte { return kept.Seen(seen, of) }
		}
	} else if v := d.vectors(); v.Matrix.Dim > 0 || p.File == "" {
		key, encode = v.Key(), v.Encode
	}
	if encode == nil || key == p.Has && key == d.kept[p.What] {
		return nil, key
	}
	return encode(d.Document), key
}

// vectors returns the vectors of the sentences in the last cut. The vectors are empty if
// there are none.
func (d *opened) vectors() *kept.Vectors {
	model, m := d.Kept(d.current)
	m.Rows = len(d.current.Sentences)
	return &kept.Vectors{Model: model, View: d.current.Plan.View, Sentences: d.current.Sentences, Matrix: m}
}

// planJSON is a Plan without its methods, which the engine does not need here.
type planJSON pipeline.Plan

type reopenParams struct {
	Name    string                         `json:"name"`
	File    string                         `json:"file"`    // if empty, blob 0 is the document and blob 1 the vectors
	Vectors string                         `json:"vectors"` // a file name, or empty
	Seen    string                         `json:"seen"`    // a file name, or empty
	Log     map[text.ViewName]pipeline.Log `json:"log"`     // as returned by history
	Shelf   int                            `json:"shelf"`   // its number from shelve, which it loses; 0 if it has none
	Saved   string                         `json:"saved"`   // see openParams
}

// reopen opens a document that was stored or comes from a bundle. Damaged vectors, or a log
// of another text, are reported and ignored.
func (e *Engine) reopen(ctx context.Context, call *rpc.Call, p *reopenParams) (*openReply, error) {
	var b, vectors, seen []byte
	var err error
	if p.File == "" {
		if vectors, err = call.Blob(1); err == nil {
			b = call.Blobs[0]
		}
	} else {
		err = e.withFiles(call, func(files FileStore) (err error) {
			if b, err = files.Read(ctx, p.File); err != nil {
				return err
			}
			for from, to := range map[string]*[]byte{p.Vectors: &vectors, p.Seen: &seen} {
				if from != "" {
					*to, _ = files.Read(ctx, from) // if missing, it is computed again
				}
			}
			return nil
		})
	}
	if err != nil {
		return nil, err
	}
	doc, err := kept.ReadDocument(b)
	if err != nil {
		return nil, &rpc.Error{Code: rpc.Damaged, Message: err.Error()}
	}
	doc.Name = p.Name
	s := pipeline.NewSession(doc)
	notes := append([]string{}, doc.Notes...)
	if err := s.Load(p.Log); err != nil {
		notes = append(notes, err.Error())
	}
	id := e.add(s)
	e.open[id].saved = p.Saved
	e.unshelve(p.Shelf)
	if len(vectors) > 0 {
		if v, err := kept.ReadVectors(vectors, doc); err == nil {
			s.Know(v.Model, v.Texts(doc), v.Matrix)
			e.open[id].kept["vectors"] = v.Key()
		} else {
			notes = append(notes, "its vectors are made again: "+err.Error())
		}
	}
	if v, err := kept.ReadSeen(seen, doc); err == nil { // if damaged it is computed again, without a report
		s.Recall(v)
		e.open[id].kept["seen"] = v.Key()
	}
	return &openReply{id, doc.Name, doc.Title, len(doc.Pages), notes, nil}, nil
}

type historyParams struct {
	Doc   int   `json:"doc"`
	Since int64 `json:"since"` // milliseconds since 1970; 0 for no comparison
}

// changeJSON is an edit, for display.
type changeJSON struct {
	ID     int    `json:"id"`
	Action string `json:"action"`
	At     int    `json:"at"`
	To     int    `json:"to"`
	When   int64  `json:"when"`
	By     string `json:"by"`
	Undone bool   `json:"undone"`
	// Before and After are some text on either side of the place.
	Before string `json:"before"`
	After  string `json:"after"`
}

type historyReply struct {
	Log     map[text.ViewName]pipeline.Log `json:"log"`     // for reopen
	Plan    *planJSON                      `json:"plan"`    // of the last cut; null if there was none
	Changes []changeJSON                   `json:"changes"` // to the text of the last cut
	Came    []int                          `json:"came"`    // new ends of chunks since then
	Gone    []int                          `json:"gone"`
}

// history returns the edits by hand.
func (e *Engine) history(_ context.Context, call *rpc.Call, p *historyParams) (*historyReply, error) {
	d, err := e.document(p.Doc)
	if err != nil {
		return nil, err
	}
	reply := &historyReply{Log: d.Logs(), Changes: []changeJSON{}, Came: []int{}, Gone: []int{}}
	if d.current == nil {
		return reply, nil
	}
	reply.Plan = (*planJSON)(&d.current.Plan)
	units := d.utf16(d.current.Plan.View)
	for _, s := range d.History(d.current) {
		reply.Changes = append(reply.Changes, changeJSON{s.ID, s.Action, units.FromByte(s.At), units.FromByte(s.To), s.When, s.By, s.Undone != 0, s.Before, s.After})
	}
	if p.Since == 0 {
		return reply, nil
	}
	came, gone, err := d.Since(d.current, p.Since, e.hooks(call))
	for _, at := range came {
		reply.Came = append(reply.Came, units.FromByte(at))
	}
	for _, at := range gone {
		reply.Gone = append(reply.Gone, units.FromByte(at))
	}
	return reply, err
}
