package engine

import (
	"context"

	"seam/shared/engine/rpc"
	"seam/shared/export"
)

func (e *Engine) forExport() []message {
	return []message{{"export", handle(e.export)}}
}

type exportParams struct {
	Doc     int           `json:"doc"`
	File    string        `json:"file"` // name of the document in the file
	Format  export.Format `json:"format"`
	Offsets export.Unit   `json:"offsets"`
	// Settings asks for the file of settings beside the chunks instead. SHA256 is the
	// digest of the document's file, or empty.
	Settings bool   `json:"settings"`
	SHA256   string `json:"sha256"`
}

// exportReply has one blob, the file.
type exportReply struct {
	Chunks int `json:"chunks"`
	blobs
}

// export makes a file of the chunks of the last cut.
func (e *Engine) export(_ context.Context, _ *rpc.Call, p *exportParams) (*exportReply, error) {
	d, err := e.document(p.Doc)
	if err != nil {
		return nil, err
	}
	if d.current == nil {
		return nil, badRequest("this document has no chunks yet")
	}
	if err := export.Check(p.Format, p.Offsets); err != nil {
		return nil, badRequest("%v", err)
	}
	var b []byte
	of := &export.Of{Result: d.current, File: p.File, Unit: p.Offsets, SHA256: p.SHA256, Seam: e.host.Version}
	if p.Settings {
		b, err = export.Beside{Schema: export.ID, Seam: e.host.Version, Format: string(p.Format), Documents: []export.Made{of.Made()}}.Encode()
	} else {
		b, err = export.All(of, p.Format)
	}
	return &exportReply{Chunks: len(d.current.Chunks), blobs: blobs{b}}, err
}
