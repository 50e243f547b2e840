package evaluate

import (
	"crypto/sha256"
	"fmt"

	"seam/proxy/command/terminal"
	"seam/shared/text"
)

// gridDocument identifies a document of a report.
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

// made returns the number of questions made by a model.
func (x *exam) made() (n int) {
	for _, q := range x.asked() {
		if q.Made != "" {
			n++
		}
	}
	return n
}
