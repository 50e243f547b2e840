package shards

import (
	"slices"
	"testing"
)

// Compounds must be divided where the words of a site show it, and nothing else may be
// divided.
func TestCompounds(t *testing.T) {
	s := splitter{known: map[string]bool{}}
	for _, w := range []string{"abschaltung", "sicherheit", "datenbank", "verbindung", "fehler", "haus", "kranken", "bindung", "grenzwert", "zeit", "häuser", "bau", "handbuch", "karte"} {
		s.known[w] = true
	}
	for w, want := range map[string][]string{
		"sicherheitsabschaltung":     {"sicherheit", "abschaltung"},
		"sicherheitsabschaltungen":   {"sicherheit", "abschaltungen"},
		"datenbankverbindungsfehler": {"datenbank", "verbindungsfehler", "verbindung", "datenbankverbindung", "fehler"},
		"krankenhaus":                {"kranken", "haus"},
		"steuerungsmodul":            {"steuerung", "modul"}, // shown by the ending
		"belüftungsstörungsmeldung":  {"belüftung", "störungsmeldung", "störung", "belüftungsstörung", "meldung"},
		"benutzerhandbuch":           {"benutzer", "handbuch"}, // one word is known
		"grenzwertüberschreitung":    {"grenzwert", "überschreitung"},
		"verbindung":                 nil, // "ver" is not one of the words
		"mahlzeit":                   nil, // "mahl" is unknown, and "zeit" too short to count alone
		"fehlerhaft":                 nil,
		"abschaltungen":              nil,
		"zeit_verbindung":            nil,
		"8080fehler":                 nil,
	} {
		got := s.words(w)
		if slices.Sort(got); !slices.Equal(got, sorted(want)) {
			t.Errorf("%s: %q, want %q", w, got, want)
		}
	}
}

func sorted(s []string) []string {
	s = slices.Clone(s)
	slices.Sort(s)
	return s
}

// A compound must be found by its words and their other forms, below pages with the word
// itself. A language without compounds must be unaffected.
func TestFindByCompounds(t *testing.T) {
	page := func(url, text string) Page {
		return Page{URL: url, Title: url, Weight: 1, Chunks: []Chunk{{Text: text}}}
	}
	pages := []Page{
		page("a", "Die Sicherheitsabschaltung trennt die Anlage sofort vom Netz."),
		page("b", "Eine Abschaltung von Hand ist jederzeit möglich, wenn der Schlüssel steckt."),
		page("c", "Der Datenbankverbindungsfehler tritt nach einem Neustart auf. Die Datenbank läuft."),
		page("d", "Über Sicherheit und Verbindung steht hier nur wenig."),
	}
	for query, want := range map[string][]string{
		"Abschaltung": {"b", "a"}, "Abschaltungen": {"b", "a"}, "Verbindungsfehler": {"c"}, "Datenbankverbindung": {"c"}, "Sicherheitsabschaltungen": {"a"},
	} {
		if got := pagesFound(t, "de", pages, query); !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", query, got, want)
		}
	}
	if got := pagesFound(t, "en", pages, "Abschaltung"); !slices.Equal(got, []string{"b"}) {
		t.Errorf("in English: %q", got)
	}
}

// pagesFound returns the URLs of the pages that a query finds, best first.
func pagesFound(t *testing.T, language string, pages []Page, query string) (urls []string) {
	t.Helper()
	entry, files, err := Build(language+"/", language, pages)
	if err != nil {
		t.Fatal(err)
	}
	x, err := Open(func(name string) ([]byte, error) { return files[name], nil }, entry)
	if err != nil {
		t.Fatal(err)
	}
	found, err := x.Search(Query{Text: query})
	if err != nil {
		t.Fatal(err)
	}
	for _, h := range found.Hits {
		urls = append(urls, pages[h.Page].URL)
	}
	return urls
}
