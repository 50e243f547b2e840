package site

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestMarkdown(t *testing.T) {
	reader, err := NewReader(nil, []string{".old"})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ name, page, want string }{
		{"whole", `<title>Warp</title><nav>Home</nav><main><h1>Warping<a href="#w">¶</a></h1><p>Wind the <code>warp</code> <a href="beam.html">on</a>.<p class=old>No<script>x</script>
			<pre><code class="language-go">a := 1
b := 2</code></pre><ul><li>one<li>two</ul></main><footer>Made by weavers</footer>`,
			"# Warping\n\nWind the `warp` [on](beam.html).\n\n```go\na := 1\nb := 2\n```\n\n- one\n- two\n"},
		{"titled", `<title>Warp</title><p>Wind <b>it</b>.<footer>Weavers</footer><blockquote><p>One<footer>Two</footer></blockquote>`, "# Warp\n\nWind **it**.\n\n> One\n> \n> Two\n"},
		{"table", `<main><h1>T</h1><table><tr><th>a<th>b<tr><td>1<td>2</table></main>`, "# T\n\n| a | b |\n|---|---|\n| 1 | 2 |\n"},
		{"escaped", `<main><h1>T</h1><p># no heading</p><p>*no* mark</main>`, "# T\n\n\\# no heading\n\n\\*no* mark\n"},
		{"closed", `<main><h1>T</h1><p hidden>Yes</p><div role=tabpanel style="display: none">And</div><p style="display:none">No</p></main>`, "# T\n\nYes\n\nAnd\n"},
		{"hidden", `<main><h1>T</h1><button>Copy</button><p data-seam-ignore>No</p>Yes</main>`, "# T\n\nYes\n"},
		{"nothing", ``, "\n"},
	} {
		got, err := reader.Markdown([]byte(c.page))
		if err != nil || got != c.want {
			t.Errorf("%s: %q, %v; want %q", c.name, got, err, c.want)
		}
	}
}

// The Markdown of a page must contain exactly the letters that Read returns.
func TestMarkdownIsWhatIsRead(t *testing.T) {
	reader, err := NewReader(nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	letters := func(s string) string {
		return strings.Map(func(r rune) rune {
			if !isLetter(r) {
				return -1
			}
			return r
		}, s)
	}
	pages, _ := handbook(t)
	for _, page := range pages {
		name := page.URL
		if name == "./" || strings.HasSuffix(name, "/") {
			name += "index.html"
		}
		b, err := os.ReadFile(filepath.Join("testdata", "site", name))
		if err != nil {
			t.Fatal(err)
		}
		made, err := reader.Markdown(b)
		if err != nil {
			t.Fatal(err)
		}
		at := 0
		all := letters(made)
		for _, line := range strings.Split(page.Text, "\n") {
			word := letters(line)
			i := strings.Index(all[at:], word)
			if i < 0 && !strings.Contains(line, "\t") {
				t.Errorf("%s: %q is not in its Markdown", name, line)
				break
			}
			at += max(i, 0)
		}
	}
}

func TestList(t *testing.T) {
	page := func(url, title, language, description string) LinkedPage {
		return LinkedPage{&Page{URL: url, Title: title, Language: language, Description: description}, url + ".md"}
	}
	got := List("Loom", []LinkedPage{
		page("guide/warp (old).html", "Warp [old]", "en", ""), page("./", "Loom", "en", "The\nhandbook."),
		page("de/kette.html", "Kette", "de", ""), page("api/a.html", "", "en", ""),
	})
	want := `# Loom

> The handbook.

## Pages

- [Loom](./.md): The handbook.

## api

- [api/a.html](api/a.html.md)

## guide

- [Warp \[old\]](guide/warp%20%28old%29.html.md)

## de

- [Kette](de/kette.html.md)
`
	if got != want {
		t.Errorf("%s", got)
	}
}
