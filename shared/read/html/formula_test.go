package html

import (
	"strings"
	"testing"

	nethtml "golang.org/x/net/html"

	"seam/shared/read"
	"seam/shared/text"
)

// Formulas are lines of text, once, however a page draws them.
func TestFormulas(t *testing.T) {
	sup := "<msup><mi>x</mi><mn>2</mn></msup>"
	katex := `<span class="katex"><span class="katex-mathml"><math><semantics><mrow>` + sup + `</mrow><annotation encoding="application/x-tex">x^2</annotation></semantics></math></span><span class="katex-html" aria-hidden="true"><span>x</span><span>2</span></span></span>`
	for in, want := range map[string]string{
		"<math>" + sup + "</math>": "x^2",
		katex:                      "x^2",
		katex + " and " + katex:    "x^2 and x^2",
		`<span class="katex"><span class="katex-html" aria-hidden="true">y</span></span>`:                                                          "y",
		"<math><mfrac><mrow><mi>a</mi><mo>+</mo><mi>b</mi></mrow><mn>12</mn></mfrac></math>":                                                       "(a + b)/12",
		"<math><msqrt><mi>x</mi></msqrt><mo>=</mo><msqrt><mi>a</mi><mo>−</mo><mn>1</mn></msqrt></math>":                                            "√x = √(a − 1)",
		"<math><mroot><mi>x</mi><mn>3</mn></mroot></math>":                                                                                         "√[3]x",
		"<math><munderover><mo>∑</mo><mrow><mi>i</mi><mo>=</mo><mn>1</mn></mrow><mi>n</mi></munderover><msub><mi>x</mi><mi>i</mi></msub></math>":   "∑_(i = 1)^nx_i",
		"<math><mo>-</mo><mi>x</mi><mo>-</mo><mi>y</mi></math>":                                                                                    "−x − y",
		"<math><mi>f</mi><mo>&#x2061;</mo><mo>(</mo><mi>x</mi><mo>,</mo><mi>y</mi><mo>)</mo></math>":                                               "f(x, y)",
		"<math><mover><mi>x</mi><mo>¯</mo></mover></math>":                                                                                         "x\u0304",
		"<math><mtable><mtr><mtd><mn>1</mn></mtd><mtd><mn>0</mn></mtd></mtr><mtr><mtd><mn>0</mn></mtd><mtd><mn>1</mn></mtd></mtr></mtable></math>": "[1, 0; 0, 1]",
		"<math><mi>a</mi><mspace width='1em'/><mi>b</mi></math>":                                                                                   "ab",
		"<math><mfrac><mi>a</mi>": "a/",
		"<math></math>":           "",
	} {
		page := "<main><p>The area " + in + "</p><p>End.</main>"
		if strings.HasSuffix(in, "<mi>a</mi>") {
			page = "<main><p>The area " + in
		}
		d, err := Read([]byte(page), read.Options{})
		if err != nil {
			t.Fatal(err)
		}
		got := strings.TrimSuffix(d.View(text.Reading).Text, "\n\nEnd.")
		if got != strings.TrimSpace("The area "+want) {
			t.Errorf("%s: %q, want %q", in, got, want)
		}
		root, err := nethtml.Parse(strings.NewReader(page))
		if err != nil {
			t.Fatal(err)
		}
		if tree := strings.TrimSuffix(ReadTree([]*nethtml.Node{root}, nil).Text, "\n\nEnd."); tree != got && !strings.HasSuffix(in, "<mi>a</mi>") {
			t.Errorf("%s: a tree is %q, and a page %q", in, tree, got)
		}
	}
}

// A formula that is nested deeper than any real one is read without its inner parts.
func TestDeepFormula(t *testing.T) {
	page := "<main>Before <math>" + strings.Repeat("<msqrt>", 100000) + "<mi>x</mi>" + strings.Repeat("</msqrt>", 100000) + "<mi>y</mi></math> after</main>"
	d, err := Read([]byte(page), read.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if got := d.View(text.Reading).Text; !strings.HasPrefix(got, "Before ") || !strings.HasSuffix(got, "y after") || strings.Contains(got, "x") || len(got) > 1000 {
		t.Errorf("%.100q", got)
	}
}
