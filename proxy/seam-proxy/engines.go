//go:build engines

package main

import "seam/proxy/remote/engines"

// engine opens the search engines of collections.
var engine = engines.Open
