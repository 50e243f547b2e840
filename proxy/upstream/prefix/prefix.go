// Package prefix has the prefixes with which embedding models were trained: one before a
// query, one before a passage. Without them such a model finds less.
package prefix

import (
	"regexp"
	"strconv"
	"strings"
)

// Flags are the options of commands that embed texts with a hosted model.
type Flags struct {
	QueryPrefix   *string `name:"query-prefix" placeholder:"TEXT" help:"Text before each query for a hosted embedding model; '' for none (default: known by the model's name, such as nomic-embed-text)."`
	PassagePrefix *string `name:"passage-prefix" placeholder:"TEXT" help:"Text before each passage for a hosted embedding model, as for queries."`
}

// rule gives the prefixes of the models whose bare name matches. The first rule that matches
// counts.
type rule struct {
	name           string // a pattern of the whole name
	query, passage string
}

// instruct is the form of an instruction for queries
// (https://huggingface.co/Qwen/Qwen3-Embedding-0.6B).
const instruct = "Instruct: Given a web search query, retrieve relevant passages that answer the query\nQuery:"

const represent = "Represent this sentence for searching relevant passages: "

// rules lists the models by the cards that name the prefixes, at https://huggingface.co.
// Other models get none: OpenAI's, bge-m3, jina, all-MiniLM, gte, paraphrase.
var rules = []rule{
	{`nomic-embed-text.*|nomic-embed-v1.*`, "search_query: ", "search_document: "}, // nomic-ai/nomic-embed-text-v1.5, -v2-moe
	{`modernbert-embed.*`, "search_query: ", "search_document: "},                  // nomic-ai/modernbert-embed-base
	{`e5-mistral.*|multilingual-e5-large-instruct.*`, instruct + " ", ""},          // intfloat/e5-mistral-7b-instruct
	{`(multilingual-)?e5-(small|base|large).*`, "query: ", "passage: "},            // intfloat/multilingual-e5-small
	{`bge-(small|base|large)-en.*`, represent, ""},                                 // BAAI/bge-base-en-v1.5
	{`bge-(small|base|large)-zh.*`, "为这个句子生成表示以用于检索相关文章：", ""},                     // BAAI/bge-base-zh-v1.5
	{`mxbai-embed-(large|xsmall|2d).*`, represent, ""},                             // mixedbread-ai/mxbai-embed-large-v1
	{`qwen3-embedding.*`, instruct, ""},                                            // Qwen/Qwen3-Embedding-0.6B
	{`(snowflake-)?arctic-embed-?2.*|(snowflake-)?arctic-embed-[ml]-v2.*`, "query: ", ""},
	{`(snowflake-)?arctic-embed.*`, represent, ""},                                          // Snowflake/snowflake-arctic-embed-m, -m-v1.5
	{`(google-)?embeddinggemma.*`, "task: search result | query: ", "title: none | text: "}, // google/embeddinggemma-300m
}

var patterns = func() (all []*regexp.Regexp) {
	for _, r := range rules {
		all = append(all, regexp.MustCompile(`^(?:`+r.name+`)$`))
	}
	return all
}()

// Of returns the prefixes of a model by its name, or "" and "" for none. It knows the ways in
// which Ollama, llama.cpp and LM Studio write a name.
func Of(name string) (query, passage string) {
	name = bare(name)
	for i, p := range patterns {
		if p.MatchString(name) {
			return rules[i].query, rules[i].passage
		}
	}
	return "", ""
}

// OfID returns the prefixes in the ID of an embedder, see remote.Embedder.
func OfID(id string) (query, passage string) {
	var all [2]string
	at := strings.Index(id, ` "`)
	for i := range all {
		if at < 0 {
			return "", ""
		}
		quoted, err := strconv.QuotedPrefix(id[at+1:])
		if err != nil {
			return "", ""
		}
		all[i], _ = strconv.Unquote(quoted) // valid, as QuotedPrefix says
		at += 1 + len(quoted)
		if id = id[at:]; i == 0 && !strings.HasPrefix(id, ` "`) {
			return "", ""
		}
		at = 0
	}
	return all[0], all[1]
}

// Given returns the prefixes that a user has given. For nil, it returns the usual one for
// the model's name.
func Given(name string, query, passage *string) (string, string) {
	q, p := Of(name)
	if query != nil {
		q = *query
	}
	if passage != nil {
		p = *passage
	}
	return q, p
}

// bare returns a name without folders, tag, extension and the words that servers add.
func bare(name string) string {
	name = strings.ToLower(strings.TrimSpace(name))
	name = strings.ReplaceAll(name, `\`, "/")
	if at := strings.LastIndexByte(name, '/'); at >= 0 {
		name = name[at+1:]
	}
	name, _, _ = strings.Cut(name, ":") // nomic-embed-text:latest, X-GGUF:Q4_K_M
	name, _, _ = strings.Cut(name, "@") // LM Studio: name@q4_k_m
	name = strings.TrimSuffix(name, ".gguf")
	name = strings.TrimPrefix(name, "text-embedding-") // LM Studio
	return strings.ReplaceAll(name, "_", "-")
}
