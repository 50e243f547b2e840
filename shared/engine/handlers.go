package engine

import "seam/shared/engine/rpc"

// Handlers are those of everything that the page can ask for: a message is a row here,
// a handler in the file of its family, a fixture, and a type in web/lib/api.ts.
func (e *Engine) Handlers() map[string]rpc.Handler {
	return map[string]rpc.Handler{
		"hello":      handle(e.hello),
		"open":       handle(e.openDocument),
		"text":       handle(e.text),
		"words":      handle(e.words),
		"close":      handle(e.close),
		"chunk":      handle(e.chunk),
		"recut":      handle(e.recut),
		"steps":      handle(e.steps),
		"preview":    handle(e.preview),
		"edit":       handle(e.edit),
		"search":     handle(e.search),
		"collection": handle(e.collection),
		"retrieve":   handle(e.retrieve),
		"cohesion":   handle(e.cohesion),
		"ask":        handle(e.ask),
		"chat":       handle(e.chat),
		"encode":     handle(e.encode),
		"read":       handle(e.read),
		"connect":    handle(e.connect),
		"model":      handle(e.model),
		"cache":      handle(e.cache),
		"clear":      handle(e.clear),
		"keep":       handle(e.keep),
		"reopen":     handle(e.reopen),
		"files":      handle(e.files),
		"history":    handle(e.history),
		"written":    handle(e.written),
	}
}
