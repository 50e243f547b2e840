package engine

import (
	"context"

	"seam/shared/engine/rpc"
)

// none stands for empty parameters or an empty reply.
type none struct{}

// blobs are the large values of a reply, sent separately from its JSON.
type blobs [][]byte

func (b blobs) beside() [][]byte { return b }

// message is a message from the page with its handler. Each file has the messages of one
// family; shared/README.md lists the files a new one needs.
type message struct {
	name    string
	handler rpc.Handler
}

// handle converts a function with typed parameters and reply to an rpc.Handler. Both are
// pointers to structs, so that the compiler generates one function for all. A reply with
// blobs embeds blobs.
func handle[P, R any](h func(ctx context.Context, call *rpc.Call, p P) (R, error)) rpc.Handler {
	return func(ctx context.Context, call *rpc.Call) (rpc.Reply, error) {
		var p P
		if err := call.Params(&p); err != nil {
			return rpc.Reply{}, err
		}
		r, err := h(ctx, call, p)
		return replied(r, err)
	}
}

func replied(r any, err error) (rpc.Reply, error) {
	if err != nil {
		return rpc.Reply{}, coded(err)
	}
	reply := rpc.Reply{Result: r}
	if with, ok := r.(interface{ beside() [][]byte }); ok {
		reply.Blobs = with.beside()
	}
	return reply, nil
}
