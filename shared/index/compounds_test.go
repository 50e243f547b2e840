package index

import (
	"slices"
	"testing"
)

// In compounding languages a word is found within others, ranked below the word alone. A
// phrase needs whole words, and English has no such compounds.
func TestCompounds(t *testing.T) {
	german := Source{Texts: []string{
		"Die Sicherheitsabschaltungen trennen die Anlage sofort von dem Netz.",
		"Eine Abschaltung von Hand ist jederzeit möglich, wenn der Schlüssel steckt.",
		"Die Prüfung des Geräts und die Geräteprüfung sind nicht dasselbe für den Prüfer.",
		"Über den Verbindungsaufbau und das Netz steht hier nur wenig.",
	}}
	c := collect(t, german)
	for query, want := range map[string][]int{
		"Abschaltung": {1, 0}, "Abschaltungen": {1, 0}, "Verbindung": {3}, "Prüfung": {2}, `"Abschaltung"`: {1}, "halt": {}, "tung": {},
	} {
		a := c.Parse(query, true, nil)
		if got := numbers(search(c, query, german)); !slices.Equal(got, want) || len(a.Corrections) > 0 {
			t.Errorf("%s: texts %v, want %v; %+v", query, got, want, a)
		}
	}
	english := Source{Texts: []string{"The importers of the goods report to the customs office, and they are happy."}}
	if got := search(collect(t, english), "porter", english); len(got) != 0 {
		t.Errorf("in English: %+v", got)
	}
}
