// Package schema has the JSON Schema of the files that package export writes.
package schema

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"seam/shared/export"
)

// All is the whole schema, in JSON.
//
//go:embed schema.json
var All string

// Parts lists the parts for a whole file or a line of one.
func Parts() []string {
	return []string{"documents", "chunk", "line", "langchain", "settings", "hits", "siteHits", "remoteHits", "manifest"}
}

// Part returns the schema of one part, which needs no other file.
func Part(name string) (string, error) {
	if !slices.Contains(Parts(), name) {
		return "", fmt.Errorf("unknown part %q: choose %s", name, strings.Join(Parts(), ", "))
	}
	var whole struct {
		Schema string          `json:"$schema"`
		Defs   json.RawMessage `json:"$defs"`
	}
	if err := json.Unmarshal([]byte(All), &whole); err != nil {
		return "", err
	}
	b, err := json.MarshalIndent(struct {
		Schema string          `json:"$schema"`
		ID     string          `json:"$id"`
		Ref    string          `json:"$ref"`
		Defs   json.RawMessage `json:"$defs"`
	}{whole.Schema, export.ID + ":" + name, "#/$defs/" + name, whole.Defs}, "", "  ")
	return string(b) + "\n", err
}
