package prefix

import "testing"

func TestOf(t *testing.T) {
	const nomic, e5 = "search_query: |search_document: ", "query: |passage: "
	for name, want := range map[string]string{
		"nomic-embed-text":                                 nomic,
		"nomic-embed-text:latest":                          nomic,
		"nomic-embed-text:v1.5":                            nomic,
		"hf.co/nomic-ai/nomic-embed-text-v1.5-GGUF:Q4_K_M": nomic,
		"text-embedding-nomic-embed-text-v1.5":             nomic,
		"text-embedding-nomic-embed-text-v1.5@q4_k_m":      nomic,
		"nomic-ai/nomic-embed-text-v2-moe":                 nomic,
		"/models/Nomic-Embed-Text-v1.5.Q8_0.gguf":          nomic,
		`C:\models\nomic-embed-text-v1.5.f16.gguf`:         nomic,
		"intfloat/multilingual-e5-small":                   e5,
		"e5-base-v2":                                       e5,
		"multilingual_e5_large":                            e5,
		"intfloat/e5-mistral-7b-instruct":                  instruct + " |",
		"intfloat/multilingual-e5-large-instruct":          instruct + " |",
		"BAAI/bge-base-en-v1.5":                            represent + "|",
		"bge-small-en":                                     represent + "|",
		"mxbai-embed-large":                                represent + "|",
		"mixedbread-ai/mxbai-embed-large-v1":               represent + "|",
		"Qwen/Qwen3-Embedding-0.6B":                        instruct + "|",
		"qwen3-embedding:0.6b":                             instruct + "|",
		"Qwen3-Embedding-0.6B-Q8_0.gguf":                   instruct + "|",
		"snowflake-arctic-embed:137m":                      represent + "|",
		"Snowflake/snowflake-arctic-embed-m-v1.5":          represent + "|",
		"snowflake-arctic-embed2":                          "query: |",
		"Snowflake/snowflake-arctic-embed-l-v2.0":          "query: |",
		"embeddinggemma:300m":                              "task: search result | query: |title: none | text: ",
		"google/embeddinggemma-300m":                       "task: search result | query: |title: none | text: ",

		"text-embedding-3-small": "|", "text-embedding-ada-002": "|", "bge-m3": "|", "BAAI/bge-m3": "|", "bge-multilingual-gemma2": "|",
		"jina-embeddings-v3": "|", "all-minilm": "|", "all-MiniLM-L6-v2": "|", "gte-base": "|", "paraphrase-multilingual": "|",
		"mxbai-rerank-large": "|", "nomic-embed-code": "|", "e5": "|", "me5-base": "|", "": "|",
	} {
		if query, passage := Of(name); query+"|"+passage != want {
			t.Errorf("%q: %q and %q, want %q", name, query, passage, want)
		}
	}
}
