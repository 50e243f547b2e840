package main

import (
	"encoding/json"
	"fmt"

	"seam/shared/chunk"
	"seam/shared/pipeline"
	"seam/shared/read"
)

// engineRows has the page's data from the engine's tables, each as a JSON string, by the
// name used in the page's files. Strings only, because esbuild would put a defined object
// into a separate chunk, which the page would load without a hash.
type engineRows map[string]string

// germanWords has the German words of the engine's rows, in the form of
// words/german/engine.ts.
type germanWords struct {
	Labels map[string]string `json:"labels"` // of formats, by the English ones
	Ones   map[string]string `json:"ones"`

	Methods   map[string]words  `json:"methods"`   // by name
	Embedders map[string]words  `json:"embedders"` // by name
	Good      map[string]string `json:"good"`      // the use of each method
}

// words replaces the words of a method or an embedder in the engine's hello.
type words struct {
	Label   string `json:"label"`
	Help    string `json:"help"`
	Setting string `json:"setting,omitempty"`
}

// engineTables returns all tables: the formats, as in the engine's hello, for the page
// before there is an engine; the methods of each group; the use of each method; and the
// German words. Errors come from encoding/json.
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

// methodGroups returns the names of each group's methods, in display order.
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
