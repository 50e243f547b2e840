package main

import (
	"encoding/json"
	"fmt"

	"seam/shared/chunk"
	"seam/shared/pipeline"
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

	Methods   map[string]words  `json:"methods"`   // by their names
	Embedders map[string]words  `json:"embedders"` // by their names
	Good      map[string]string `json:"good"`      // what each method is good for
}

// words take the place of those of a method, or of an embedder, in the engine's hello.
type words struct {
	Label   string `json:"label"`
	Help    string `json:"help"`
	Setting string `json:"setting,omitempty"`
}

// engineTables returns all tables: what Seam reads, as the engine's hello has it, for the
// page before there is an engine; the names of the methods of each group; what each method
// is good for; and the German words. The errors are those of encoding/json.
func engineTables() (engineRows, error) {
	german := germanWords{Labels: map[string]string{}, Ones: map[string]string{}, Methods: map[string]words{}, Embedders: map[string]words{}, Good: map[string]string{}}
	for _, f := range read.All() {
		if f.German.Label != "" {
			german.Labels[f.Label] = f.German.Label
		}
		german.Ones[f.One] = f.German.One
	}
	good := map[string]string{}
	for name, of := range chunk.AllWords() {
		good[name], german.Good[name] = of.Good, of.German.Good
		german.Methods[name] = words{of.German.Label, of.German.Help, of.German.Setting}
	}
	for name, of := range pipeline.AllEmbedderWords() {
		german.Embedders[name] = words{Label: of.German.Label, Help: of.German.Help}
	}
	out := engineRows{}
	for name, table := range map[string]any{"__FORMATS__": read.All(), "__GROUPS__": methodGroups(), "__GOOD__": good, "__GERMAN__": german} {
		b, err := json.Marshal(table)
		if err != nil {
			return nil, fmt.Errorf("the table %s: %w", name, err)
		}
		out[name] = quote(string(b))
	}
	return out, nil
}

// methodGroups returns the names of the methods of each group, in the order to show them.
func methodGroups() map[chunk.Group][]string {
	all, groups := chunk.AllWords(), map[chunk.Group][]string{}
	for _, last := range []bool{false, true} {
		for _, m := range chunk.Methods() {
			if of := all[m.Name]; of.Last == last {
				groups[of.Group] = append(groups[of.Group], m.Name)
			}
		}
	}
	return groups
}
