package pipeline

import (
	"slices"
	"strings"

	"seam/shared/embed"
	"seam/shared/embed/builtin"
	"seam/shared/embed/lexical"
	"seam/shared/embed/meaning"
	"seam/shared/embed/remote"
)

// What stands before an embedder's argument; package remote has that of hosted ones.
const (
	Static      = "static:"  // before the name of a Model2Vec model
	Encoder     = "encoder:" // before the name of a sentence encoder
	Precomputed = "npy:"     // before the files of vectors that were made elsewhere
	Bundled     = "cache:"   // before a bundle that has vectors of an earlier run
)

// Auto is the built-in model for a document whose language it knows, and the lexical
// embedder for any other: Session.Settle makes that choice.
const Auto = "auto"

// DefaultEmbedder is the one of Settings that name none.
const DefaultEmbedder = Auto

// known is the language that the built-in model knows.
const known = "en"

// EmbedderKind describes the embedders of one name, or of one prefix.
type EmbedderKind struct {
	Name     string // with a colon at its end, a prefix before an argument
	Argument string // what stands behind the prefix, for people
	Label    string // a few words; empty where the argument says it
	Help     string // one sentence
	Language string // the code of the only language that it knows; empty: it is of none
	// Noise is a similarity that it gives to texts which have nothing to do with
	// each other; 0: that is not known.
	Noise float64
	// Pieces says that it goes by pieces of words, and knows nothing of a query of
	// whose words it has the letters alone.
	Pieces bool
	// Dear says that its vectors cannot be had again for nothing: searches use those
	// of sentences, which are kept.
	Dear bool
	// Hosted says that texts leave this machine.
	Hosted bool
	// Open makes it, where that takes nothing; nil: Hooks.Embedder does.
	Open func() embed.Embedder
}

// Embedders lists all kinds in the order to show them. An embedder is a row here, and
// a package that makes it; one that needs files or a network is opened by Hooks.
func Embedders() []EmbedderKind {
	return []EmbedderKind{
		{Name: Auto, Label: "Automatic", Help: "The built-in model for documents in English; one in another language is compared by its own words. Your text stays here.",
			Language: known},
		{Name: builtin.Name, Label: "built in · offline · free", Help: "Seam's own small model of English: it knows that a doctor is near to a hospital. Your text stays here.",
			Language: known, Noise: builtinNoise, Pieces: true},
		{Name: meaning.Name, Label: "meaning · offline · free", Help: "Seam's own sentence encoder of English: it reads words in their context, and is slower than the built-in model. Your text stays here.",
			Language: known, Noise: meaningNoise},
		{Name: lexical.Name, Label: "lexical · offline · free", Help: "Compares the words of your document, without a language model: synonyms are strangers to it.",
			Open: func() embed.Embedder { return &lexical.Embedder{} }},
		{Name: Static, Argument: "FOLDER", Help: "A Model2Vec model from your disk. Your text stays here."},
		{Name: Encoder, Argument: "FOLDER", Help: "A sentence encoder of the BERT family from your disk, which reads words in their context. Your text stays here."},
		{Name: Precomputed, Argument: "FILE", Help: "Vectors that were made elsewhere.", Dear: true},
		{Name: Bundled, Argument: "BUNDLE", Help: "Vectors of an earlier run, kept in a bundle.", Dear: true},
		{Name: remote.Prefix, Argument: "MODEL", Help: "A model behind a proxy, to which the texts are sent.", Dear: true, Hosted: true},
	}
}

// EmbedderWords are more words of an embedder without an argument.
type EmbedderWords struct {
	Short  string // what it is, for a list
	German germanOf
}

// germanOf are the words of an embedder in German.
type germanOf struct{ Label, Help string }

// AllEmbedderWords returns the words of all embedders without an argument, by their names.
// They are apart from the rows, so that the program of the engine, which shows none of them,
// is without them.
func AllEmbedderWords() map[string]EmbedderWords {
	return map[string]EmbedderWords{
		Auto:         {"builtin for texts in English, lexical for others", germanOf{"Automatisch", "Das eingebaute Modell für englische Dokumente; andere werden nach ihren eigenen Wörtern verglichen. Ihr Text bleibt hier."}},
		builtin.Name: {"a small model of English", germanOf{"eingebaut · offline · kostenlos", "Seams eigenes kleines Modell des Englischen: Es weiß, dass Ärztin und Krankenhaus einander nahe sind. Ihr Text bleibt hier."}},
		meaning.Name: {"a sentence encoder of English, which reads words in their context", germanOf{"Bedeutung · offline · kostenlos", "Seams eigener Satz-Encoder für Englisch: Er liest Wörter in ihrem Zusammenhang und ist langsamer als das eingebaute Modell. Ihr Text bleibt hier."}},
		lexical.Name: {"the document's own words", germanOf{"lexikalisch · offline · kostenlos", "Vergleicht die Wörter Ihres Dokuments, ohne Sprachmodell: Synonyme sind ihm fremd."}},
	}
}

// builtinNoise: of Chroma's questions with chunks of 800 characters of the other
// corpora nine in ten are below .134; the best chunk of the right one is never below
// .238.
const builtinNoise = .15

// meaningNoise is for the encoder what builtinNoise is for the table: of the same questions
// nine in ten chunks of the other corpora are below .129, and the best one of the right
// corpus is never below .231.
const meaningNoise = .15

// EmbedderOf is the kind of an embedder; false for a name that there is not.
func EmbedderOf(name string) (EmbedderKind, bool) {
	all := Embedders()
	i := slices.IndexFunc(all, func(k EmbedderKind) bool {
		return name == k.Name && k.Argument == "" || k.Argument != "" && strings.HasPrefix(name, k.Name) && len(name) > len(k.Name)
	})
	if i < 0 {
		return EmbedderKind{}, false
	}
	return all[i], true
}

// embedderUsage lists how embedders are named, for an error.
func embedderUsage() string {
	var sb strings.Builder
	all := Embedders()
	for i, k := range all {
		switch {
		case i == len(all)-1:
			sb.WriteString(", or ")
		case i > 0:
			sb.WriteString(", ")
		}
		sb.WriteString(k.Name + k.Argument)
	}
	return sb.String() + " of a proxy"
}
