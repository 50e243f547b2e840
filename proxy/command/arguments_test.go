package command

import (
	"slices"
	"strings"
	"testing"

	"github.com/alecthomas/kong"
)

// Names may come before, between and after flags. The value of a flag stays with it.
func TestFlagsFirst(t *testing.T) {
	var c struct {
		Loud  bool `short:"l"`
		Count int  `short:"c" type:"counter"`
		Find  struct {
			Args []string          `arg:""`
			Top  int               `short:"k"`
			JSON bool              `name:"json"`
			Wrap bool              `negatable:""`
			Meta map[string]string `aliases:"about"`
		} `cmd:""`
		Keep struct {
			Find struct{} `cmd:"" aliases:"get"`
		} `cmd:""`
	}
	parser, err := kong.New(&c)
	if err != nil {
		t.Fatal(err)
	}
	for given, want := range map[string]string{
		"find a b":                "find a b",
		"find a --json b -k 3 c":  "find --json -k 3 a b c",
		"find a -k3 b":            "find -k3 a b",
		"find a -lk 3 b":          "find -lk 3 a b",
		"find a -cc --top=3 b":    "find -cc --top=3 a b",
		"find a --no-wrap b":      "find --no-wrap a b",
		"find a --about x=y b":    "find --about x=y a b",
		"find a --top -3 b":       "find --top=-3 a b",
		"find a --top -.5 --json": "find --top=-.5 --json a",
		"find a --top -x b":       "find --top -x a b",
		"find a -k -3":            "find -k -3 a",
		"find a --top":            "find --top a",
		"find - --json keep":      "find --json - keep",
		"find a --json -- -k b":   "find --json -- a -k b",
		"find a --unknown b":      "find --unknown a b",
		"-l keep get --top 3":     "-l keep get --top 3",
		"nowhere --json find a b": "nowhere --json find a b",
		"":                        "",
	} {
		if got := flagsFirst(parser.Model.Node, strings.Fields(given)); !slices.Equal(got, strings.Fields(want)) {
			t.Errorf("%q becomes %q, want %q", given, got, want)
		}
	}
}
