package engine

import (
	"context"

	"seam/shared/engine/rpc"
	"seam/shared/pipeline"
	"seam/shared/read"
	"seam/shared/text"
)

func (e *Engine) forHello() []message { return []message{{"hello", handle(e.hello)}} }

// settingJSON is the number that a method takes.
type settingJSON struct {
	Label       string  `json:"label"`
	Default     float64 `json:"default"`
	Min         float64 `json:"min"`
	Max         float64 `json:"max"`
	Step        float64 `json:"step"`
	Logarithmic bool    `json:"logarithmic"` // equal ratios are equal steps; Step is in units of the binary logarithm
	Finer       bool    `json:"finer"`       // larger values make finer chunks
}

// methodJSON is a chunk.Method for the page.
type methodJSON struct {
	Name         string        `json:"name"`
	Label        string        `json:"label"`
	Help         string        `json:"help"`
	View         text.ViewName `json:"view"`
	NeedsVectors bool          `json:"needsVectors"`
	Curve        string        `json:"curve"`
	Setting      *settingJSON  `json:"setting"` // null for a method without one
	MaxTokens    int           `json:"maxTokens"`
	MinTokens    int           `json:"minTokens"`
	TakesMin     bool          `json:"takesMin"`
	TakesOverlap bool          `json:"takesOverlap"`
}

// embedderJSON is an embedder that the page can choose.
type embedderJSON struct {
	Name  string `json:"name"`
	Label string `json:"label"`
	Help  string `json:"help"`
}

type helloReply struct {
	Protocol  int            `json:"protocol"`
	Version   string         `json:"version"`
	Methods   []methodJSON   `json:"methods"`
	Embedders []embedderJSON `json:"embedders"` // embedders that need no proxy and no file
	Formats   read.Formats   `json:"formats"`
	Reasons   []string       `json:"reasons"` // in the order of recut's numbers
	Meaning   int            `json:"meaning"` // size in bytes of the encoder used by encode
	Defaults  struct {
		Method   string `json:"method"`
		Embedder string `json:"embedder"`
	} `json:"defaults"`
}

// hello returns the features of the engine.
func (e *Engine) hello(context.Context, *rpc.Call, *none) (*helloReply, error) {
	r := &helloReply{Protocol: rpc.Protocol, Version: e.host.Version, Methods: methods(), Formats: read.All(), Meaning: e.host.MeaningBytes}
	for _, k := range pipeline.Reasons() {
		r.Reasons = append(r.Reasons, string(k))
	}
	for _, k := range pipeline.Embedders() {
		if k.Argument == "" {
			r.Embedders = append(r.Embedders, embedderJSON{k.Name, k.Label, k.Help})
		}
	}
	r.Defaults.Method, r.Defaults.Embedder = r.Methods[0].Name, pipeline.DefaultEmbedder
	return r, nil
}

func methods() (out []methodJSON) {
	for _, m := range pipeline.Methods() {
		j := methodJSON{m.Name, m.Label, m.Help, m.View, m.Embeds, string(m.Curve), nil, m.Max, m.Min, m.TakeMin, m.Overlap}
		if s := m.Setting; s != nil {
			j.Setting = &settingJSON{s.Label, s.Default, s.Min, s.Max, s.Step, s.Logarithmic, s.Finer}
		}
		out = append(out, j)
	}
	return out
}
