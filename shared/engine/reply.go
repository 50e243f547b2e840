package engine

import (
	"context"

	"seam/shared/engine/rpc"
)

// none are the parameters, or the reply, of a message that has none.
type none struct{}

// blobs are the large values of a reply, which travel beside its JSON.
type blobs [][]byte

func (b blobs) beside() [][]byte { return b }

// message is what the page can ask for. Each file has those of its family: shared/README.md
// lists the files of a new one.
type message struct {
	name    string
	handler rpc.Handler
}

// handle makes an rpc.Handler of one that takes and returns pointers to structs: of
// pointers the compiler makes one function for all. A reply with blobs embeds these.
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
