package addone

import "testing"

// command is "seam count".
var command = kind{
	name: "command", readme: "proxy/README.md", word: "count", most: 3,
	edits:    []edit{{"proxy/command/command.go", "\tBreakpoints breakpointsCommand ", "\tCount countCommand `cmd:\"\" help:\"Count the words of documents.\"`\n"}},
	packages: []string{"./proxy/process", "./proxy/command", "./shared/arch"},
	tests:    []string{"TestCount", "TestHelp", "TestProxySizes", "TestImports", "TestEverythingExportedHasADocComment"},
	check: func(t *testing.T, c tree) {
		if out := c.seam(t, "One two three.", "count", "-"); out != "3\t-\n" {
			t.Errorf("seam count prints %q", out)
		}
	},
}
