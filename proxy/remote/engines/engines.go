// Package engines opens the search engine that an address names. It is apart from package
// remote, as the clients of the three weigh 12 MB, which the thin proxy does without.
package engines

import (
	"seam/proxy/remote"
	"seam/proxy/remote/opensearch"
	"seam/proxy/remote/postgres"
	"seam/proxy/remote/weaviate"
)

// Open makes the engine of an address; key is the password or the API key, or empty.
func Open(a remote.Address, key string) (remote.Engine, error) {
	switch a.Engine {
	case remote.Weaviate:
		return weaviate.Open(a, key)
	case remote.OpenSearch:
		return opensearch.Open(a, key)
	}
	return postgres.Open(a, key)
}
