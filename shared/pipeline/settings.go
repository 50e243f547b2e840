// Package pipeline cuts a document up: Settings and a document become a Plan, in which
// every choice is made, and a Session runs it through its stages, sentences, vectors,
// curve, boundaries, chunks. What a stage has made is kept and used again for every
// Plan that agrees with this one so far.
package pipeline

import (
	"fmt"

	"seam/shared/chunk"
	"seam/shared/text"
)

// Version is raised where a document is cut to other chunks than before by the same Plan,
// or a model embeds a text otherwise under the same ID: what was kept by another version is
// not used. A test of the command line holds it to results.
const Version = 4

// Settings are what a user chooses; the zero value is the default of each.
type Settings struct {
	Method    string        `json:"method"`    // of chunk.Methods
	Embedder  string        `json:"embedder"`  // of Embedders, with its argument
	View      text.ViewName `json:"view"`      // empty: the method's own
	Setting   *float64      `json:"setting"`   // the method's number; nil: its default
	Threshold *float64      `json:"threshold"` // instead of Setting: a value on the curve
	Count     int           `json:"count"`     // instead of both: exactly this many chunks
	MinTokens *int          `json:"minTokens"` // nil: the method's own
	MaxTokens int           `json:"maxTokens"` // 0: the method's own
	Overlap   int           `json:"overlap"`
	Unit      string        `json:"unit"`    // of the lengths, see token.Normal; empty: the embedder's tokens
	Headers   bool          `json:"headers"` // chunks have a header, and their length is with it
	// PageJoin, when not nil, stands between the pages of the content view in
	// place of one blank, and nothing is stripped (pipeline D uses "").
	PageJoin *string `json:"pageJoin"`
}

// Methods are those of package chunk: what Settings.Method may be.
func Methods() []chunk.Method { return chunk.Methods() }

// Reason is that of package chunk: why a chunk ends.
type Reason = chunk.Reason

// Reasons are the kinds of why a chunk ends, in an order that programs may count on.
func Reasons() []chunk.Kind { return chunk.Kinds() }

// SettingsError is a setting that cannot be followed: the user's to change.
type SettingsError struct{ Reason string }

// Error is the reason, one sentence without a full stop.
func (e *SettingsError) Error() string { return e.Reason }

func badf(format string, args ...any) error { return &SettingsError{fmt.Sprintf(format, args...)} }
