// Package engines opens the search engine of an address. It is separate from package remote
// because the three clients add 12 MB, which the thin proxy does not need.
package engines

import (
	"seam/proxy/remote"
	"seam/proxy/remote/opensearch"
	"seam/proxy/remote/postgres"
	"seam/proxy/remote/weaviate"
)

// Open opens the engine of an address. key is the password or the API key, or empty.
func Open(a remote.Address, key string) (remote.Engine, error) {
	switch a.Engine {
	case remote.Weaviate:
		return weaviate.Open(a, key)
	case remote.OpenSearch:
		return opensearch.Open(a, key)
	}
	return postgres.Open(a, key)
}
