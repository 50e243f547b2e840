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
	searcher, err := search.NewSearcher(ctx, []*pipeline.Result{r}, pipeline.Hooks{})
	if err != nil {
		panic(err)
	}
	query := "which dancers have one foot"
	hits, err := searcher.Search(ctx, query, 1, index.Keyword, pipeline.Hooks{})
	if err != nil {
		panic(err)
	}
	for _, h := range hits {
		found := r.Chunks[h.Chunk].Of(r.Text.Text)
		fmt.Println(found)
		for _, m := range search.Marks(found, query) {
			fmt.Println("-", m.Of(found))
		}
	}
	// Output:
	// Dancers turn on one foot.
	// - Dancers
	// - foot
}
