package main

import (
	"encoding/json"
	"fmt"

	"seam/shared/read"
)

// engineRows are what the page takes from the rows of the engine, each as a string of JSON, by
// the name that the page's files have for it. Strings alone: esbuild puts a defined object
// into a part of its own, which the page would load without a hash.
type engineRows map[string]string

// germanWords are the German words of the engine's rows, as words/german/engine.ts has them.
type germanWords struct {
	Labels map[string]string `json:"labels"` // of formats, by their English ones
	Ones   map[string]string `json:"ones"`
}

// engineTables returns all tables: what Seam reads, as the engine's hello has it, for the
// page before there is an engine, and the German words. The errors are those of
// encoding/json.
func engineTables() (engineRows, error) {
	german := germanWords{Labels: map[string]string{}, Ones: map[string]string{}}
	for _, f := range read.All() {
		if f.German.Label != "" {
			german.Labels[f.Label] = f.German.Label
		}
		german.Ones[f.One] = f.German.One
	}
	out := engineRows{}
	for name, table := range map[string]any{"__FORMATS__": read.All(), "__GERMAN__": german} {
		b, err := json.Marshal(table)
		if err != nil {
			return nil, fmt.Errorf("the table %s: %w", name, err)
		}
		out[name] = quote(string(b))
	}
	return out, nil
}
