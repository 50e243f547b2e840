package engine

import "seam/shared/engine/rpc"

// Handlers returns the handlers of all messages of the page.
func (e *Engine) Handlers() map[string]rpc.Handler {
	all := map[string]rpc.Handler{}
	for _, family := range [][]message{e.forHello(), e.forDocuments(), e.forWords(), e.forChunks(), e.forRecut(), e.forSearch(), e.forCollection(), e.forRetrieve(),
		e.forAsk(), e.forChat(), e.forRead(), e.forProxy(), e.forModels(), e.forKeep(), e.forWritten(), e.forShelf(), e.forExport()} {
		for _, m := range family {
			all[m.name] = m.handler
		}
	}
	return all
}
