package index

import (
	"fmt"
	"math"
	"reflect"
	"strings"
	"testing"

	"seam/shared/text"
)

func unwatched(int, int) error { return nil }

// collect indexes sources as one corpus.
func collect(t *testing.T, sources ...Source) *Corpus {
	t.Helper()
	var docs []*Document
	for _, s := range sources {
		d, err := Analyse(s, unwatched)
		if err != nil {
			t.Fatal(err)
		}
		docs = append(docs, d)
	}
	return NewCorpus(docs...)
}

// search searches by words. The texts are those in sources, in order.
func search(c *Corpus, query string, sources ...Source) []Hit {
	var texts []string
	for _, s := range sources {
		texts = append(texts, s.Texts...)
	}
	return c.Search(Query{Asked: c.Parse(query, true, nil), K: 10, Mode: Keyword, Texts: func(i int) string { return texts[i] }})
}

func numbers(hits []Hit) []int {
	out := []int{}
	for _, h := range hits {
		out = append(out, h.Text)
	}
	return out
}

var garden = Source{Texts: []string{
	"The engine burns fuel.",
	"Tomatoes grow in the garden. Tomatoes need water and water.",
	"Water cools the engine of the car.",
	"Nothing of the kind.",
	"",
}}

func TestKeyword(t *testing.T) {
	c := collect(t, garden)
	for _, tt := range []struct {
		query string
		want  []int
	}{
		{"tomato", []int{1}},
		{"growing tomatoes", []int{1}},
		{"Engines!", []int{0, 2}}, // shorter texts first
		{"water engine", []int{2, 0, 1}},
		{"", []int{}},
		{"?!", []int{}},
		{"absent", []int{}},
		{"the fuel of it", []int{0}}, // function words do not count,
		{"of", []int{3, 2}},          // unless there are no other words
		{"ENGINE'S", []int{0, 2}},
		{"gar", []int{1}},                 // the beginning of a word
		{"tomatos gadren", []int{1}},      // misspelt
		{`"engine burns"`, []int{0}},      // a phrase
		{`"burns engine"`, []int{}},       // must be in order
		{`"engine of the car"`, []int{2}}, // and keeps its function words
	} {
		if got := numbers(search(c, tt.query, garden)); !reflect.DeepEqual(got, tt.want) {
			t.Errorf("%q finds %v, want %v", tt.query, got, tt.want)
		}
	}
}

// The worth of a term in a text must match the formula in the Framework, divided by the
// deviation of all.
func TestBM25(t *testing.T) {
	c := collect(t, garden)
	hit := search(c, "fuel", garden)[0]
	words, average := 4.0, float64(4+10+7+4+0)/5
	idf := math.Log(1 + (5-1+0.5)/(1+0.5))
	bm25 := idf * 2.2 / (1 + 1.2*(0.25+0.75*words/average))
	deviation := math.Sqrt(bm25*bm25/5 - bm25*bm25/25)
	if want := bm25 / deviation; hit.Parts[0].Name != OfWords || math.Abs(hit.Parts[0].Score-want) > 1e-12 {
		t.Errorf("%+v, want %v", hit, want)
	}
}

// If all texts are nearly the same, scores must stay bounded.
func TestAlike(t *testing.T) {
	var s Source
	for i := range 1000 {
		s.Texts = append(s.Texts, strings.Repeat("word ", 100+i%2))
	}
	if hits := search(collect(t, s), "word", s); len(hits) != 10 || hits[0].Score > 10 {
		t.Errorf("%+v", hits)
	}
}

// Every score must be the sum of its shares, and every share must be listed.
func TestScoresAddUp(t *testing.T) {
	sources := []Source{garden, {Title: "Cars", Texts: []string{"Fuel and water for cars.", "The engine."}}}
	c := collect(t, sources...)
	meaning := []float64{.5, -1, 2, 0, 0, 1, -2}
	hits := c.Search(Query{Asked: c.Parse("the engine needs water", true, nil), K: 9, Mode: Hybrid, Meaning: meaning,
		Near: func(i int) bool { return meaning[i] > 1.5 }, Texts: func(i int) string { return append(garden.Texts, sources[1].Texts...)[i] }})
	if len(hits) < 4 {
		t.Fatalf("%+v", hits)
	}
	seen := map[PartName]bool{}
	for i, h := range hits {
		s := 0.0
		for _, p := range h.Parts {
			s += p.Score
			seen[p.Name] = true
		}
		if s != h.Score || i > 0 && h.Score > hits[i-1].Score {
			t.Errorf("%+v", h)
		}
	}
	for _, name := range []PartName{OfWords, OfDocument, OfProximity, OfMeaning} {
		if !seen[name] {
			t.Errorf("no hit has a share for %s", name)
		}
	}
}

// Without a common word, similar texts must be found, but only in Hybrid and Dense.
func TestMeaning(t *testing.T) {
	c := collect(t, garden)
	meaning := []float64{0, 0, 0, 3, -1}
	q := Query{Asked: c.Parse("absent", true, nil), K: 9, Meaning: meaning, Near: func(i int) bool { return meaning[i] > 1 }}
	for mode, want := range map[Mode]int{Hybrid: 1, Dense: 1, Keyword: 0} {
		if q.Mode = mode; len(c.Search(q)) != want {
			t.Errorf("%s: %+v", mode, c.Search(q))
		}
	}
	q.Mode, q.Meaning = Hybrid, nil
	if got := c.Search(q); len(got) != 0 {
		t.Errorf("without vectors: %+v", got)
	}
	q.Asked, q.Mode = c.Parse("fuel", true, nil), Hybrid
	if got := c.Search(q); len(got) != 1 {
		t.Errorf("by words: %+v", got)
	}
}

// The part around a text and its titles must add to its score.
func TestTitlesAndSections(t *testing.T) {
	s := Source{Texts: []string{"It turns.", "It stops.", "It is oiled.", "It turns.", "It is cut.", "It dries."},
		Sections: []Section{{Title: "The windmill", First: 0, Last: 3}, {Title: "Tea", First: 3, Last: 6}, {Title: "nothing", First: 6, Last: 9}, {First: -1, Last: 2}}}
	c := collect(t, s)
	if got := numbers(search(c, "windmills", s)); !reflect.DeepEqual(got, []int{0, 1, 2}) {
		t.Errorf("%v", got)
	}
	if got := numbers(search(c, "does the windmill turn", s)); got[0] != 0 {
		t.Errorf("%v", got)
	}
	s.Sections, s.Title = nil, "Mills and tea"
	if got := search(collect(t, s), "mill", s); len(got) != 6 {
		t.Errorf("%+v", got)
	}
}

// Expansions must be found like words, but not marked.
func TestExpansions(t *testing.T) {
	s := Source{Texts: []string{"A doctor comes.", "A dancer comes."}, Expansions: []map[string]float64{{"physician": .8, "GP": .1}, nil}}
	c := collect(t, s)
	if got := search(c, "physicians", s); len(got) != 1 || got[0].Text != 0 || len(got[0].Marks) > 0 {
		t.Errorf("%+v", got)
	}
	if _, err := Analyse(Source{Texts: []string{"a"}, Expansions: []map[string]float64{{}, {}}}, unwatched); err == nil {
		t.Error("two expansions for one text pass")
	}
	for _, weight := range []float64{0, -1, math.NaN(), math.Inf(1), 1e300} {
		s.Expansions[0] = map[string]float64{"physician": weight}
		for _, h := range search(collect(t, s), "physician", s) {
			if !(h.Score > 0 && h.Score < 100) {
				t.Errorf("weight %v: %+v", weight, h)
			}
		}
	}
}

func TestLanguages(t *testing.T) {
	for _, tt := range []struct{ text, query, other string }{
		{"Die Müller mahlen das Korn und die Bäcker backen die Brote für die Straße.", "Mueller", "Kaufmann"},
		{"Die Müller mahlen das Korn und die Bäcker backen die Brote für die Straße.", "muller strasse brot", "Kaufmann"},
		{"Les meuniers moulent le blé et les boulangères cuisent le pain dans la ville.", "meunier BLE boulangère", "danseur"},
		{"Мельники мелют зерно, и они не пекут хлеб, потому что это не для них.", "мельник зерна", "танцор"},
		{"風車は風の力で穀物を挽く。粉屋は石を回す。", "穀物", "踊り"},
		{"水车利用水的力量磨碎谷物。", "谷物 力量", "舞蹈"},
		{"방앗간은 바람의 힘으로 곡식을 빻는다.", "곡식", "무용수"},
		{"โรงสีลมบดข้าวโพดด้วยลม", "ข้าวโพด", "นักเต้น"},
		{"الطحانون يطحنون القمح في الطاحونة.", "القمح", "راقص"},
		{"הטוחן טוחן את החיטה בטחנה.", "החיטה", "רקדן"},
		{"चक्की हवा से अनाज पीसती है।", "अनाज", "नर्तक"},
		{"Cafe\u0301s serve cre\u0300me.", "café crème", "tea"}, // combining marks
		{"The réseau is up.", "reseau", "net"},
		{"L'homme qui s’appelait Jean allait à l'école, et il n'y avait pas d’été dans la maison.", "homme appelait ecole été l'homme", "danseur"},
		{"Dell'arte italiana nell’acqua, un'altra storia.", "arte acqua altra", "ballerino"},
		{"Dell's laptop, and what they don't say to O'Brien.", "dells dont obrien Dell's", "dancer"},
		{"The \ufb01nal o\ufb03ce re\u00adports on co\ufb00ee, \ufb02our and dye\ufb06u\ufb00s.", "final office reports coffee flour dyestuffs", "fine"}, // as in some PDFs
		{"\ufeb3\ufefc\ufee1 \ufb56\ufbfe\ufe8e\ufee1", "سلام پیام", "راقص"},
		{"ＡＢＣ株式会社、１２３番。", "abc 123", "１２"},
		{"Call max_tokens or getUserName, in C++ and C#; 1,000 of 3.14.", "tokens username c++ c# 1000 3.14 getusername max_tokens user", "d"},
	} {
		s := Source{Texts: []string{tt.text}}
		c := collect(t, s)
		a := c.Parse(tt.query, true, nil)
		hits := search(c, tt.query, s)
		if len(hits) != 1 || len(a.Unknown) > 0 && !strings.Contains(tt.query, "username") || len(a.Corrections) > 0 {
			t.Errorf("%q in %q: %+v, %+v", tt.query, tt.text, a, hits)
		}
		if hits := search(c, tt.other, s); len(hits) != 0 {
			t.Errorf("%q in %q: %+v", tt.other, tt.text, hits)
		}
	}
}

// Parse must find the words of a query, and report unknown and corrected ones.
func TestParse(t *testing.T) {
	c := collect(t, garden)
	for query, want := range map[string]string{
		"What does the engine need?": "[engine need] [] [] What does the engine need?",
		"tomatos and zebras":         "[tomatos zebras] [zebras] [] tomatos and zebras", // another form of tomatoes
		"The ENGNIE of zqxj":         "[engnie zqxj] [zqxj] [{engnie engine}] The engine of zqxj",
		"wat":                        "[wat] [] [{wat water}] water",
		"the of":                     "[the of] [] [] the of",
		"":                           "[] [] [] ",
		"穀物 engine 踊り子":              "[穀物 engine 踊り り子] [穀物 踊り子] [] 穀物 engine 踊り子",
	} {
		a := c.Parse(query, true, nil)
		if got := fmt.Sprint(a.Words, " ", a.Unknown, " ", a.Corrections, " ", a.Corrected); got != want {
			t.Errorf("%q: %s, want %s", query, got, want)
		}
	}
	related := func(word string) []Related {
		f, _ := c.formAt("fuel")
		return map[string][]Related{"petrol": {{int(f), .9}}}[word]
	}
	a := c.Parse("petrol", true, related)
	if hits := c.Search(Query{Asked: a, K: 9, Mode: Keyword}); len(hits) != 1 || hits[0].Text != 0 || len(a.Unknown) != 1 {
		t.Errorf("%+v %+v", a, hits)
	}
}

// A query of any length must be answered. Only a limited number of unknown words are
// corrected.
func TestLongQueries(t *testing.T) {
	c := collect(t, garden)
	var b strings.Builder
	for i := range 100_000 {
		fmt.Fprintf(&b, "x%dy \"engine burns\" ", i)
	}
	a := c.Parse("gadren "+b.String()+" water", true, nil)
	if len(a.Words) != mostWords || len(a.phrases) != mostPhrases || len(a.Corrections) != 1 {
		t.Errorf("%d words, %d phrases, %v", len(a.Words), len(a.phrases), a.Corrections)
	}
	if hits := search(c, strings.Repeat("water garden ", 50_000), garden); len(hits) != 2 {
		t.Errorf("%+v", hits)
	}
}

// Found words must be marked, and the sentence with most of them returned.
func TestMarksAndPassage(t *testing.T) {
	in := "Water, waters and WATER; no wine. Engine's water is warm. The end."
	s := Source{Texts: []string{in}}
	c := collect(t, s)
	hits := c.Search(Query{Asked: c.Parse("water of engines", true, nil), K: 1, Mode: Keyword, Texts: func(int) string { return in },
		Sentences: func(int) []text.Span {
			return []text.Span{{Start: 0, End: 33}, {Start: 34, End: 57}, {Start: 58, End: 66}}
		}})
	var got []string
	for _, m := range hits[0].Marks {
		got = append(got, m.Of(in))
	}
	if want := []string{"Water", "waters", "WATER", "Engine's", "water"}; !reflect.DeepEqual(got, want) {
		t.Errorf("%q", got)
	}
	if p := hits[0].Passage.Of(in); p != "Engine's water is warm." {
		t.Errorf("%q", p)
	}
	if !reflect.DeepEqual(hits[0].Found, []string{"water", "engines"}) {
		t.Errorf("%v", hits[0].Found)
	}
}

// Separate documents must give the same results as one document with their contents.
func TestCorporaAgree(t *testing.T) {
	words := strings.Fields("mill wind corn sail stone miller flour water wheel gear oak rope")
	var all Source
	var parts []Source
	for d := range 7 {
		var s Source
		for i := range d { // the first is empty
			s.Texts = append(s.Texts, words[(d*5+i)%12]+" "+words[(d+i*7)%12]+" the "+words[(d*i)%12])
		}
		parts, all.Texts = append(parts, s), append(all.Texts, s.Texts...)
	}
	one, many := collect(t, all), collect(t, parts...)
	for _, query := range words {
		a, b := search(one, query+" wheels", all), search(many, query+" wheels", all)
		if len(a) != len(b) {
			t.Fatalf("%s: %d and %d hits", query, len(a), len(b))
		}
		for _, h := range b {
			for _, g := range a {
				if g.Text == h.Text && g.Parts[0] != h.Parts[0] {
					t.Errorf("%s: %+v and %+v", query, g, h)
				}
			}
		}
	}
	if n := NewCorpus().Len(); n != 0 || len(search(NewCorpus(), "mill")) != 0 {
		t.Error("an empty corpus finds something")
	}
}

// Filters must not change scores.
func TestAllowed(t *testing.T) {
	c := collect(t, garden)
	all := search(c, "water engine", garden)
	some := c.Search(Query{Asked: c.Parse("water engine", true, nil), K: 9, Mode: Keyword, Allowed: func(i int) bool { return i != 2 },
		Texts: func(i int) string { return garden.Texts[i] }})
	if !reflect.DeepEqual(numbers(some), []int{0, 1}) || !reflect.DeepEqual(some[0].Parts, all[1].Parts) {
		t.Errorf("%+v, %+v", some, all)
	}
}

func TestParseMode(t *testing.T) {
	if m, err := ParseMode(""); m != Hybrid || err != nil {
		t.Errorf("%v, %v", m, err)
	}
	if _, err := ParseMode("psychic"); err == nil || !strings.Contains(err.Error(), "hybrid, dense, keyword") {
		t.Errorf("%v", err)
	}
}

// Any bytes can be indexed and searched. Marks must lie on whole characters, and hits must
// be in order.
func FuzzSearch(f *testing.F) {
	for _, s := range []string{"a b c", "風車は\x00風", "e\u0301\u0301 '’ _a_ A_b aB c++ 1,000.", "\xff\xfe ¼ ẞ İ", `"`, `„a b“ "c"`, "กำ่", strings.Repeat("x", 200)} {
		f.Add(s, "wind "+s)
	}
	f.Fuzz(func(t *testing.T, a, query string) {
		s := Source{Title: query, Texts: []string{a, query, a + query}, Sections: []Section{{Title: a, First: 0, Last: 2}}}
		c := collect(t, s)
		for i, h := range search(c, query, s) {
			if math.IsNaN(h.Score) || i > 2 {
				t.Fatalf("%+v", h)
			}
			end := 0
			for _, m := range h.Marks {
				in := s.Texts[h.Text]
				if m.Start < end || m.End <= m.Start || m.End > len(in) || strings.ToValidUTF8(m.Of(in), "") != m.Of(in) {
					t.Fatalf("mark %v of %q", m, in)
				}
				end = m.End
			}
		}
	})
}

// Forms of a word must match in every language with a stemmer or a fixed stem length.
func TestStems(t *testing.T) {
	for language, words := range map[string]string{
		"en": "connected connecting connection", "de": "Häuser Häusern Hause", "fr": "continuellement continuelle", "es": "gatos gato",
		"it": "gatti gatto", "pt": "quilométrica quilométricas", "nl": "lichamelijk lichamelijke", "sv": "jaktkarl jaktkarlar",
		"da": "undersøgelse undersøgelser", "no": "havnedistriktet havnedistrikter", "ru": "важный важного", "ro": "abruptă abrupte",
		"fi": "edeltävää edeltävä", "tr": "değirmenler değirmenci", "hu": "malmokat malmok malmokban", "pl": "młynarze młynarzy", "ar": "الطاحونة طاحونة", "el": "μύλους μύλους",
	} {
		stems := map[string]bool{}
		for _, w := range strings.Fields(words) {
			stems[stem(strings.ToLower(w), language)] = true
		}
		if len(stems) != 1 {
			t.Errorf("%s: %v", language, stems)
		}
	}
}
