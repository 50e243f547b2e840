package process

import (
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// completed returns the candidates for the last of the words, without help texts.
func completed(t *testing.T, words ...string) (list []string) {
	t.Helper()
	out := ok(t, "", append([]string{"completion", "words", "--"}, words...)...)
	for line := range strings.Lines(out) {
		word, _, _ := strings.Cut(strings.TrimSuffix(line, "\n"), "\t")
		list = append(list, word)
	}
	return list
}

func TestCompletion(t *testing.T) {
	for _, tt := range []struct{ words, want []string }{
		{[]string{"ch"}, []string{"chunk"}},
		{[]string{"eval", "ret"}, []string{"retrieval"}},
		{[]string{"chunk", "--max"}, []string{"--max-tokens"}},
		{[]string{"chunk", "--method", "perc"}, []string{"percentile"}},
		{[]string{"chunk", "--method=perc"}, []string{"--method=percentile"}},
		{[]string{"chunk", "--method", "=", "perc"}, []string{"percentile"}}, // the words of bash
		{[]string{"chunk", "--method", "="}, nil},
		{[]string{"chunk", "--format", "json"}, []string{"json", "jsonl"}},
		{[]string{"chunk", "--method", "fixed", "rep"}, []string{":files"}},
		{[]string{"chunk", "-o", ""}, []string{":files"}},
		{[]string{"chunk", "--headers", "--vie"}, []string{"--view"}},
		{[]string{"chunk", "--", "--vie"}, []string{":files"}},
		{[]string{"search", "--mode", "d"}, []string{"dense"}},
		{[]string{"chunk", "--nonesuch", "x"}, []string{":files"}},
		{[]string{"nonesuch", "x"}, nil},
	} {
		got := completed(t, tt.words...)
		if tt.want != nil && !slices.Equal(got, tt.want) {
			t.Errorf("%q: %q, want %q", tt.words, got, tt.want)
		}
	}
	if all := completed(t, ""); len(all) < 15 || !slices.Contains(all, "serve") || slices.Contains(all, ":files") {
		t.Errorf("commands: %q", all)
	}
	if r := run(t, "", "completion", "tcsh"); r.status != 2 || !strings.Contains(r.err, "must be one of") {
		t.Errorf("%+v", r)
	}
}

// The scripts must work in the shells themselves.
func TestCompletionInShells(t *testing.T) {
	for shell, script := range map[string]string{
		"bash": `source <(seam completion bash); COMP_WORDS=(seam chunk --met); COMP_CWORD=2; _seam; printf '%s\n' "${COMPREPLY[@]}"
			COMP_WORDS=(seam chunk no); COMP_CWORD=2; _seam; printf '%s\n' "${COMPREPLY[@]}"`,
		"zsh": `compdef() { }; _describe() { print -l -- ${found%%:*} }; _files() { print notes.md }; source <(seam completion zsh)
			words=(seam chunk --met) CURRENT=3; _seam; words=(seam chunk no) CURRENT=3; _seam`,
		"fish": `seam completion fish | source; complete -C 'seam chunk --met' | string replace -r '\t.*' ''; complete -C 'seam chunk no' | string replace -r '\t.*' ''; true`,
	} {
		path, err := exec.LookPath(shell)
		if err != nil {
			t.Logf("%s is not installed: its script is not tried", shell)
			continue
		}
		dir := tree(t, map[string]string{"notes.md": "# A\n"})
		args := []string{"-c", script}
		if shell == "zsh" {
			args = []string{"-f", "-c", script}
		}
		cmd := exec.Command(path, args...)
		cmd.Dir = dir
		cmd.Env = append(cmd.Environ(), "PATH="+filepath.Dir(seam)+":"+"/usr/bin:/bin", "HOME="+dir)
		out, err := cmd.CombinedOutput()
		if got := strings.Fields(string(out)); err != nil || !slices.Equal(got, []string{"--method", "notes.md"}) {
			t.Errorf("%s: %q, %v", shell, out, err)
		}
	}
}

func TestManPage(t *testing.T) {
	page := ok(t, "", "man")
	for _, want := range []string{".TH SEAM 1", ".SS seam chunk <file>", `.B \-\-max\-tokens`, ".SS seam enrich headers"} {
		if !strings.Contains(page, want) {
			t.Errorf("%q is missing", want)
		}
	}
	for line := range strings.Lines(page) { // every request is one of man(7)
		if name, _, _ := strings.Cut(strings.TrimSpace(line), " "); strings.HasPrefix(line, ".") && !slices.Contains([]string{".TH", ".SH", ".SS", ".TP", ".PP", ".B", ".I", ".nf", ".fi"}, name) {
			t.Errorf("%q", line)
		}
	}
	groff, err := exec.LookPath("groff")
	if err != nil {
		t.Skip("groff is not installed: the page is not formatted")
	}
	cmd := exec.Command(groff, "-man", "-Tutf8", "-ww")
	cmd.Stdin = strings.NewReader(page)
	out, err := cmd.Output()
	if err != nil || !strings.Contains(string(out), "seam chunk --method percentile") {
		t.Errorf("%v: %.300q", err, out)
	}
}
