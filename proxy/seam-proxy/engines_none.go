//go:build !engines

package main

import "seam/proxy/remote"

// engine is none: the clients of search engines weigh 12 MB, most of it gRPC, which the
// thin proxy does without. -tags engines brings them.
var engine func(remote.Address, string) (remote.Engine, error)
