package site

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
)

// docusaurus returns a page like those of Docusaurus 3, with or without a version and a
// product.
func docusaurus(locale, version, product string) string {
	metas := `<meta data-rh="true" name="docusaurus_locale" content="` + locale + `">`
	tag := "default"
	if version != "" {
		tag = "docs-" + product + "-" + version
		metas += fmt.Sprintf(`<meta data-rh="true" name="docusaurus_version" content="%[1]s"><meta data-rh="true" name="docsearch:version" content="%[1]s">`, version)
	}
	return fmt.Sprintf(`<!doctype html><html lang=%q><head>%s<meta data-rh="true" name="docusaurus_tag" content="%[3]s"><meta name="docsearch:docusaurus_tag" content="%[3]s"></head><body><main><h1>Tension</h1><p>The tension is set.</p></main></body></html>`, locale, metas, tag)
}

// facetsOf reads and tidies pages, given by path, and returns their facets as lines of
// text.
func facetsOf(t *testing.T, pages map[string]string, patterns ...string) string {
	t.Helper()
	reader, err := NewReader(nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	folders, err := ParseFolders(patterns)
	if err != nil {
		t.Fatal(err)
	}
	var all []*Page
	for _, name := range slices.Sorted(maps.Keys(pages)) {
		p, err := reader.Read(Address(name), []byte(pages[name]))
		if err != nil {
			t.Fatal(err)
		}
		folders.Mark(p, name)
		all = append(all, p)
	}
	kept, _ := Tidy(all)
	var b strings.Builder
	for _, p := range kept {
		b.WriteString(p.URL)
		for _, name := range slices.Sorted(maps.Keys(p.Filters)) {
			fmt.Fprintf(&b, " %s=%s", name, strings.Join(p.Filters[name], ","))
		}
		b.WriteString("\n")
	}
	return b.String()
}

// Docusaurus pages must have the version, language and product that it states. Pages
// without a version, or of a product with a single version, must be found in every version
// of their language.
func TestFacetsOfDocusaurus(t *testing.T) {
	got := facetsOf(t, map[string]string{
		"index.html":                    docusaurus("en", "", ""),
		"docs/tension/index.html":       docusaurus("en", "2.0", "default"),
		"docs/next/tension/index.html":  docusaurus("en", "current", "default"),
		"shafts/intro/index.html":       docusaurus("en", "3.1-rc", "shafts"),
		"de/index.html":                 docusaurus("de", "", ""),
		"de/docs/tension/index.html":    docusaurus("de", "2.0", "default"),
		"de/docs/1.0/tension.html":      docusaurus("de", "1.0", "default"),
		"pt-BR/docs/tension/index.html": docusaurus("pt-BR", "2.0", "default"),
		"pt-BR/index.html":              docusaurus("pt-BR", "", ""),
	})
	want := `./ language=en version=2.0,current
de/ language=de version=1.0,2.0
de/docs/1.0/tension.html language=de product=default version=1.0
de/docs/tension/ language=de product=default version=2.0
docs/next/tension/ language=en product=default version=current
docs/tension/ language=en product=default version=2.0
pt-BR/ language=pt-BR version=2.0
pt-BR/docs/tension/ language=pt-BR product=default version=2.0
shafts/intro/ language=en product=shafts version=2.0,current
`
	if got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
}

// Other generators use the names of DocSearch, with values separated by commas. A page's
// own values must not spread to pages without any.
func TestFacetsOfMetas(t *testing.T) {
	page := func(head, body string) string {
		return "<html><head>" + head + "</head><body><main><p>Tension. " + body + "</main>"
	}
	got := facetsOf(t, map[string]string{
		"a.html": page(`<meta name="docsearch:version" content="2.0, latest"><meta name="docsearch:language" content="fr">`, ""),
		"b.html": page(`<meta name="docsearch:language" content="fr">`, ""),
		"c.html": page("", `<i data-seam-filter="version:9"></i>`),
		"d.html": page("", ""),
	})
	want := "a.html language=fr version=2.0,latest\nb.html language=fr version=2.0,latest\nc.html version=9\nd.html version=2.0,latest\n"
	if got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
	r, _ := NewReader(nil, nil)
	if p, err := r.Read("a.html", []byte(page(`<meta name="docsearch:language" content="fr">`, ""))); err != nil || p.Language != "fr" {
		t.Errorf("language %q, %v", p.Language, err)
	}
}

func TestFolders(t *testing.T) {
	const plain, own = "<main><p>Tension.</main>", "<main data-seam-filter=version:own><p>Tension.</main>"
	pages := map[string]string{}
	for _, name := range []string{"index.html", "docs/intro.html", "docs/2.0/intro.html", "docs/2.0/a/index.html", "de/docs/v1/intro.html", "v1/index.html"} {
		pages[name] = plain
	}
	pages["v1/own.html"] = own
	const first = "de/docs/v1/intro.html version=de|docs/2.0/a/ version=docs|docs/2.0/intro.html version=docs|docs/intro.html version=docs|v1/ version=v1"
	for _, c := range []struct{ patterns, want string }{
		{"version", first},
		{"{version}/**", first},
		{"docs/{version}/**", "docs/2.0/a/ version=2.0|docs/2.0/intro.html version=2.0"},
		{"**/docs/{version}/**", "de/docs/v1/intro.html version=v1|docs/2.0/a/ version=2.0|docs/2.0/intro.html version=2.0"},
		{"{language}/docs/{version}/**", "de/docs/v1/intro.html language=de version=v1"},
		{"{version:v*}/** docs/{version}/** {version:d?}/**", "de/docs/v1/intro.html version=de|docs/2.0/a/ version=2.0|docs/2.0/intro.html version=2.0|v1/ version=v1"},
		{"*/{version}/intro.html", "docs/2.0/intro.html version=2.0"},
	} {
		var got []string
		for line := range strings.Lines(facetsOf(t, pages, strings.Fields(c.patterns)...)) {
			if strings.Contains(line, "=") {
				got = append(got, strings.TrimSpace(line))
			}
		}
		if want := c.want + "|v1/own.html version=own"; strings.Join(got, "|") != want {
			t.Errorf("%s: got %s, want %s", c.patterns, strings.Join(got, "|"), want)
		}
	}
	for _, wrong := range []string{"docs/**", "docs/v{version}", "{}/**", "{:x}/**", "{version:[}/**", "docs//{version}/**", "{version:}/**", "a*"} {
		if _, err := ParseFolders([]string{wrong}); err == nil || !strings.Contains(err.Error(), wrong) || !strings.Contains(err.Error(), "docs/{version}/**") {
			t.Errorf("%s: %v", wrong, err)
		}
	}
}
