package engine

import (
	"slices"

	"seam/shared/breakpoint"
	"seam/shared/chunk"
	"seam/shared/text"
	"seam/shared/topic"
)

// Method describes a way to chunk, for the page and for help texts.
type Method struct {
	Name            string              `json:"name"`
	Label           string              `json:"label"`
	Help            string              `json:"help"`
	View            text.ViewName       `json:"view"` // by default
	NeedsEmbeddings bool                `json:"needsEmbeddings"`
	Curve           breakpoint.Curve    `json:"curve"` // empty: none, and no threshold and no count
	Threshold       *breakpoint.Setting `json:"threshold"`
	Size            int                 `json:"size"`      // the maximum where none is given; 0: none
	Least           int                 `json:"least"`     // the minimum where none is given; 0: none
	Min             bool                `json:"minTokens"` // takes a minimum
	Overlap         bool                `json:"overlap"`   // takes an overlap

	notebook  bool // splits sentences, and joins them, as the notebook does
	sentences bool // needs them
	vectors   bool // needs those, and not the similarities of neighbours alone
	chunker   chunk.Chunker
}

// granularity is the setting of semantic.
var granularity = breakpoint.Setting{Label: "Granularity", Default: topic.Default, Min: topic.Finest, Max: topic.Coarsest, Step: 0.25, AtLeast: 1e-9, Below: 1e9, Logarithmic: true}

// Methods lists all methods in the order to show them.
func Methods() []Method {
	out := []Method{{Name: MethodSemantic, Label: "Semantic", View: text.Reading, NeedsEmbeddings: true,
		Help:  "Finds the topics of the whole text at once, by meaning, words and layout, and as many as there are.",
		Curve: breakpoint.Strength, Threshold: &granularity, Size: chunk.DefaultMax, Least: chunk.DefaultMin,
		Min: true, Overlap: true, sentences: true, vectors: true, chunker: chunk.Semantic{}}}
	for _, m := range breakpoint.Methods() {
		notebook := m.Curve == breakpoint.Similarity
		view := text.Reading
		if notebook {
			view = text.Content
		}
		out = append(out, Method{Name: m.Name, Label: m.Label, Help: m.Help, View: view, NeedsEmbeddings: true, Curve: m.Curve, Threshold: m.Setting,
			Min: true, Overlap: true, notebook: notebook, sentences: true, chunker: chunk.Threshold{Method: m}})
	}
	return append(out,
		Method{Name: MethodCluster, Label: "Cluster", View: text.Reading, NeedsEmbeddings: true, Size: chunk.DefaultCluster,
			Help: "Chooses all boundaries at once so that the sentences of a chunk are as similar to each other as can be.",
			Min:  true, Overlap: true, sentences: true, vectors: true, chunker: chunk.Cluster{}},
		Method{Name: MethodSections, Label: "Sections", View: text.Reading, Min: true, sentences: true, chunker: chunk.Sections{},
			Help: "Makes a chunk of each section: what stands below a heading, or a paragraph where there are no headings."},
		Method{Name: MethodRecursive, Label: "Recursive", View: text.Reading, Size: chunk.DefaultSize, Min: true, Overlap: true, chunker: chunk.Recursive{},
			Help: "Fills each chunk up to the maximum and ends it behind a paragraph, or else a line, a sentence, a clause, a word."},
		Method{Name: MethodSentences, Label: "Sentences", View: text.Reading, Min: true, Overlap: true, sentences: true, chunker: chunk.Sentences{},
			Help: "Makes a chunk of each sentence; a minimum joins short ones."},
		Method{Name: MethodPage, Label: "Pages", View: text.Reading, Min: true, sentences: true, chunker: chunk.Pages{},
			Help: "Makes a chunk of each page."},
		Method{Name: MethodFixed, Label: "Fixed size", View: text.Content, Size: chunk.DefaultSize, Overlap: true, chunker: chunk.Fixed{},
			Help: "Cuts windows of the maximum size, whatever they say: the baseline to compare with."},
	)
}

// lookup returns the method of that name, the default for an empty one.
func lookup(name string) (Method, error) {
	if name == "" {
		name = DefaultMethod
	}
	all := Methods()
	if i := slices.IndexFunc(all, func(m Method) bool { return m.Name == name }); i >= 0 {
		return all[i], nil
	}
	names := ""
	for i, m := range all {
		if i > 0 {
			names += ", "
		}
		names += m.Name
	}
	return Method{}, badf("unknown method %q: choose one of %s", name, names)
}
