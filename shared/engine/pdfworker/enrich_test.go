package pdfworker

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"time"

	"seam/shared/engine/rpc"
	"seam/shared/enrich"
	"seam/shared/llm"
)

// enrichOnce calls the worker.
func enrichOnce(t *testing.T, what string, items ...enrichItem) []enrichedItem {
	t.Helper()
	var answer struct {
		Result enrichReply
		Error  *rpc.Error
	}
	server := rpc.NewServer(rpc.Host{Now: func() time.Duration { return 0 }, Post: func(b []byte, _ [][]byte) {
		if err := json.Unmarshal(b, &answer); err != nil {
			t.Error(err)
		}
	}}, Methods(nil, nil, nil))
	request, err := json.Marshal(map[string]any{"id": 1, "method": "enrich", "params": map[string]any{"model": "m", "what": what, "items": items}})
	if err != nil {
		t.Fatal(err)
	}
	<-server.Receive(request, nil)
	if answer.Error != nil {
		t.Fatal(answer.Error)
	}
	return answer.Result.Items
}

// A model must be asked once, and once more if its answer is unusable. The result must
// match the command line's.
func TestEnrichBySteps(t *testing.T) {
	const text = "Venus turns backwards. It is hot there."
	reply := func(texts ...string) (replies []llm.Reply) {
		for _, each := range texts {
			replies = append(replies, llm.Reply{Text: each, Finish: "stop"})
		}
		return replies
	}
	good := `{"knowledge_chunks":[{"subject":"Venus","description":"It turns backwards."},{"subject":"Mars","description":"It has 3 moons."}]}`
	got := enrichOnce(t, "statements", enrichItem{Text: text}, enrichItem{text, reply("no")}, enrichItem{text, reply(good)}, enrichItem{text, reply("no", good)},
		enrichItem{text, reply("no", "never")}, enrichItem{text, []llm.Reply{{Unusable: "it was cut short"}, {Unusable: "it was cut short"}}})
	first, again := got[0].Next, got[1].Next
	if first == nil || again == nil || first.Key == again.Key || !first.JSON || first.Model != "m" || first.Messages[0].Content != enrich.Default.Knowledge || first.Messages[1].Content != text || got[0].Read < 80 || got[0].Written < 10 {
		t.Errorf("%+v, %+v", got[0], got[1])
	}
	want := []statementJSON{{"Venus: It turns backwards.", true, false}, {"Mars: It has 3 moons.", false, false}}
	for _, i := range []int{2, 3} {
		if !slices.Equal(got[i].Statements, want) || got[i].Next != nil || got[i].Warning != "" {
			t.Errorf("%+v", got[i])
		}
	}
	for _, i := range []int{4, 5} {
		if got[i].Next != nil || len(got[i].Statements) != 0 || got[i].Warning == "" {
			t.Errorf("%+v", got[i])
		}
	}
	got = enrichOnce(t, "titles", enrichItem{Text: text}, enrichItem{text, reply("**Retrograde Venus**\nI hope it helps.")}, enrichItem{text, reply(strings.Repeat("é", 200))}, enrichItem{text, reply(" ", "")})
	if got[0].Next == nil || got[0].Next.JSON || got[0].Next.Messages[0].Content != enrich.Default.Title || got[0].Written > 20 || !slices.Equal(got[1].Statements, []statementJSON{{"Retrograde Venus", true, true}}) ||
		len(got[2].Statements[0].Text) != longestTitle || got[3].Warning != "it is empty" {
		t.Errorf("%+v", got)
	}
	many := `{"sub_questions":["` + strings.Repeat(`a?","`, 20) + `b?"]}`
	got = enrichOnce(t, "parts", enrichItem{Text: "Who built it, and when?"}, enrichItem{"Who?", reply(`{"sub_questions":["Who?"]}`)}, enrichItem{"Who?", reply(many)})
	if got[0].Next == nil || got[0].Next.Messages[0].Content != enrich.Default.SubQuestions || !slices.Equal(got[1].Parts, []string{"Who?"}) || len(got[2].Parts) != enrich.MostParts {
		t.Errorf("%+v", got)
	}
}
