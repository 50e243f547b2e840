//go:build !engines

package main

import "seam/proxy/remote"

// engine is nil: the clients of search engines add 12 MB, most of it gRPC, which the thin
// proxy does not need. -tags engines includes them.
var engine func(remote.Address, string) (remote.Engine, error)
