package search_test

import (
	"context"
	"fmt"

	"seam/shared/index"
	"seam/shared/pipeline"
	"seam/shared/search"
	"seam/shared/text"
)

func ExampleSearcher_Search() {
	ctx := context.Background()
	plan, err := pipeline.NewPlan(pipeline.Settings{Method: "sentences", Embedder: "lexical", Unit: "words"})
	if err != nil {
		panic(err)
	}
	s := pipeline.NewSession(text.NewPlain("The mill grinds corn. Venus turns backwards. Dancers turn on one foot."))
	r, err := s.Run(ctx, plan, pipeline.Hooks{})
	if err != nil {
		panic(err)
	}
	searcher, err := search.NewSearcher([]*pipeline.Result{r}, search.Options{}, pipeline.Hooks{})
	if err != nil {
		panic(err)
	}
	query := search.Query{Text: "which dancers have one foot", K: 1, Mode: index.Keyword}
	found, err := searcher.Search(ctx, query, pipeline.Hooks{})
	if err != nil {
		panic(err)
	}
	for _, h := range found.Hits {
		t := r.Chunks[h.Chunk].Of(r.Text.Text)
		fmt.Println(t)
		for _, m := range h.Marks {
			fmt.Println("-", m.Of(t))
		}
	}
	// Output:
	// Dancers turn on one foot.
	// - Dancers
	// - foot
}
