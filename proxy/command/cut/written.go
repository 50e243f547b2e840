package cut

import (
	"seam/shared/enrich"
)

// knowledgeJSON is a section with what a model has made of it.
type knowledgeJSON struct {
	ID         string          `json:"id"`
	Start      int             `json:"start"`
	End        int             `json:"end"`
	Page       int             `json:"page"` // the first one, 0 where there is none
	Text       string          `json:"text"`
	Statements []StatementJSON `json:"statements"`
	Warning    string          `json:"warning,omitempty"`
}

// StatementJSON is a statement that a model wrote, with its id.
type StatementJSON struct {
	ID string `json:"id"`
	enrich.Statement
}
