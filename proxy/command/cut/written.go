package cut

import (
	"seam/shared/enrich"
)

// knowledgeJSON is a section with the statements that a model wrote about it.
type knowledgeJSON struct {
	ID         string          `json:"id"`
	Start      int             `json:"start"`
	End        int             `json:"end"`
	Page       int             `json:"page"` // the first page, from 1; 0 in a document without pages
	Text       string          `json:"text"`
	Statements []StatementJSON `json:"statements"`
	Warning    string          `json:"warning,omitempty"`
}

// StatementJSON is a statement written by a model, with its id.
type StatementJSON struct {
	ID string `json:"id"`
	enrich.Statement
}
