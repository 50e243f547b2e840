// Package pipeline cuts documents. Settings become a Plan, in which every choice is made. A
// Session runs the Plan through its stages: sentences, vectors, curve, boundaries, chunks.
// The output of each stage is cached and reused for every Plan with the same choices up to
// that stage.
package pipeline

import (
	"fmt"

	"seam/shared/chunk"
	"seam/shared/text"
)

// Version must be raised when the same Plan cuts a document into other chunks than before
// or gives them other reasons, or when a model with the same ID embeds a text differently. Data saved by another version
// is not used. A test of the command line checks this against results.
const Version = 8

// Settings holds a user's choices. The zero value selects all defaults.
type Settings struct {
	Method    string        `json:"method"`    // a name in chunk.Methods
	Embedder  string        `json:"embedder"`  // one of Embedders, with its argument
	View      text.ViewName `json:"view"`      // empty for the method's own
	Setting   *float64      `json:"setting"`   // the method's number; nil for its default
	Threshold *float64      `json:"threshold"` // a value on the curve, instead of Setting
	Count     int           `json:"count"`     // exactly this many chunks, instead of both
	MinTokens *int          `json:"minTokens"` // nil for the method's own
	MaxTokens int           `json:"maxTokens"` // 0 for the method's own
	Overlap   int           `json:"overlap"`
	Unit      string        `json:"unit"`    // unit of the lengths, see token.Normal; empty for the embedder's tokens
	Headers   bool          `json:"headers"` // give chunks a header, and include it in their length
	// PageJoin, if not nil, replaces the single space between the pages of the content
	// view, and nothing is stripped (pipeline D uses "").
	PageJoin *string `json:"pageJoin"`
}

// Methods returns the methods of package chunk: the valid values of Settings.Method.
func Methods() []chunk.Method { return chunk.Methods() }

// Reason is chunk.Reason, the reason a chunk ends.
type Reason = chunk.Reason

// Reasons returns the kinds of reasons, in a fixed order that programs may rely on.
func Reasons() []chunk.Kind { return chunk.Kinds() }

// SettingsError reports an invalid setting, for the user to change.
type SettingsError struct{ Reason string }

// Error returns the reason, one sentence without a full stop.
func (e *SettingsError) Error() string { return e.Reason }

func badf(format string, args ...any) error { return &SettingsError{fmt.Sprintf(format, args...)} }
