package evaluate

import (
	"crypto/sha256"
	"fmt"

	"seam/proxy/command/terminal"
	"seam/shared/text"
)

// gridDocument says which document a report is of.
type gridDocument struct {
	Name   string `json:"name"`
	SHA256 string `json:"sha256"` // of its text
}

func (x *exam) documents() []gridDocument {
	out := make([]gridDocument, len(x.sources))
	for i, s := range x.sources {
		out[i] = gridDocument{terminal.Called(s.name), fmt.Sprintf("%x", sha256.Sum256(text.Encode(s.session.Document)))}
	}
	return out
}

// made is how many of the questions a model has made.
func (x *exam) made() (n int) {
	for _, q := range x.asked() {
		if q.Made != "" {
			n++
		}
	}
	return n
}
