package engine

import (
	"maps"

	"seam/shared/engine/rpc"
)

// Handlers are those of everything that the page can ask for, from the files of all
// families.
func (e *Engine) Handlers() map[string]rpc.Handler {
	all := messages{}
	for _, family := range []messages{e.forHello(), e.forDocuments(), e.forWords(), e.forChunks(), e.forRecut(), e.forSearch(), e.forCollection(), e.forRetrieve(),
		e.forAsk(), e.forChat(), e.forRead(), e.forProxy(), e.forModels(), e.forKeep(), e.forWritten()} {
		maps.Copy(all, family)
	}
	return all
}
