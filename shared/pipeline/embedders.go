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

// Prefixes of embedder names that take an argument. Package remote has the prefix for
// hosted ones.
const (
	Static      = "static:"  // followed by the name of a Model2Vec model
	Encoder     = "encoder:" // followed by the name of a sentence encoder
	Precomputed = "npy:"     // followed by the files of vectors made elsewhere
	Bundled     = "cache:"   // followed by a bundle with vectors of an earlier run
)

// Auto stands for the built-in model if it knows the document's language, and for the
// lexical embedder otherwise. Session.Settle makes that choice.
const Auto = "auto"

// DefaultEmbedder is used if Settings name no embedder.
const DefaultEmbedder = Auto

// known is the language of the built-in model.
const known = "en"

// EmbedderKind describes the embedders with one name or one prefix.
type EmbedderKind struct {
	Name     string // a prefix before an argument if it ends with a colon
	Argument string // describes the argument after the prefix, for users
	Label    string // a few words; empty if Argument is description enough
	Help     string // one sentence
	Language string // code of the only language it knows; empty if it is not tied to one
	// Noise is a similarity that it gives to unrelated texts. 0 means unknown.
	Noise float64
	// Pieces reports whether it works on word pieces. It then knows nothing about a query
	// word that it can only spell out in letters.
	Pieces bool
	// Dear reports whether its vectors cost something to compute again. Searches then use
	// the vectors of sentences, which are kept.
	Dear bool
	// Hosted reports whether texts leave this machine.
	Hosted bool
	// Open returns the embedder if nothing else is needed. If it is nil, Hooks.Embedder
	// opens the embedder.
	Open func() embed.Embedder
}

// Embedders returns all kinds in display order. An embedder is a row here and a package
// that implements it. Embedders that need files or a network are opened by Hooks.
func Embedders() []EmbedderKind {
	return []EmbedderKind{
		{Name: Auto, Label: "Automatic", Help: "The built-in model for English documents, lexical vectors for other languages. Your text stays here.",
			Language: known},
		{Name: builtin.Name, Label: "built in · offline · free", Help: "Seam's own small English model: it knows that a doctor and a hospital are related. Your text stays here.",
			Language: known, Noise: builtinNoise, Pieces: true},
		{Name: meaning.Name, Label: "meaning · offline · free", Help: "Seam's own English sentence encoder: it reads words in context, and is slower than the built-in model. Your text stays here.",
			Language: known, Noise: meaningNoise},
		{Name: lexical.Name, Label: "lexical · offline · free", Help: "Compares the words of your document, without a language model: it does not recognize synonyms.",
			Open: func() embed.Embedder { return &lexical.Embedder{} }},
		{Name: Static, Argument: "FOLDER", Help: "A Model2Vec model from your disk. Your text stays here."},
		{Name: Encoder, Argument: "FOLDER", Help: "A BERT sentence encoder from your disk, which reads words in context. Your text stays here."},
		{Name: Precomputed, Argument: "FILE", Help: "Your own vectors.", Dear: true},
		{Name: Bundled, Argument: "BUNDLE", Help: "Vectors of an earlier run, stored in a bundle.", Dear: true},
		{Name: remote.Prefix, Argument: "MODEL", Help: "A model behind a proxy; your texts are sent to it.", Dear: true, Hosted: true},
	}
}

// EmbedderWords holds more texts about an embedder without an argument.
type EmbedderWords struct {
	Short  string // short description for a list
	German germanOf
}

// germanOf holds the German texts of an embedder.
type germanOf struct{ Label, Help string }

// AllEmbedderWords returns the words of all embedders without an argument, keyed by name.
// They are not part of EmbedderKind so that the engine binary, which shows none of them,
// does not contain them.
func AllEmbedderWords() map[string]EmbedderWords {
	return map[string]EmbedderWords{
		Auto:         {"builtin for texts in English, lexical for others", germanOf{"Automatisch", "Das eingebaute Modell für englische Dokumente, lexikalische Vektoren für andere Sprachen. Ihr Text bleibt hier."}},
		builtin.Name: {"a small English model", germanOf{"eingebaut · offline · kostenlos", "Seams eigenes kleines Modell für Englisch: Es weiß, dass Ärztin und Krankenhaus zusammengehören. Ihr Text bleibt hier."}},
		meaning.Name: {"an English sentence encoder that reads words in context", germanOf{"Bedeutung · offline · kostenlos", "Seams eigener Satz-Encoder für Englisch: Er liest Wörter im Zusammenhang und ist langsamer als das eingebaute Modell. Ihr Text bleibt hier."}},
		lexical.Name: {"the document's own words", germanOf{"lexikalisch · offline · kostenlos", "Vergleicht die Wörter Ihres Dokuments, ohne Sprachmodell: Synonyme erkennt es nicht."}},
	}
}

// builtinNoise comes from Chroma's questions and chunks of 800 characters. For chunks of
// unrelated corpora, nine similarities in ten are below .134. The best chunk of the right
// corpus is never below .238.
const builtinNoise = .15

// meaningNoise is the same figure for the encoder. For the same questions, nine chunks in
// ten of unrelated corpora are below .129. The best chunk of the right corpus is never
// below .231.
const meaningNoise = .15

// EmbedderOf returns the kind of an embedder. It returns false for an unknown name.
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

// embedderUsage lists the valid embedder names for an error.
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
