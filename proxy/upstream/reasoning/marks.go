package reasoning

import (
	"slices"
	"strings"
)

// family is a pair of marks around reasoning.
type family struct {
	open   []string
	closed []string
	lone   []string // closing marks that also count without an opening one, which the prompt's template may have written
	prose  bool     // the marks are words, so they count only at the start of an answer, and only in pairs
}

func tag(name string) family {
	end := []string{"</" + name + ">"}
	return family{open: []string{"<" + name + ">"}, closed: end, lone: end}
}

func pair(open, closed string) family {
	return family{open: []string{open}, closed: []string{closed}, lone: []string{closed}}
}

const (
	final     = "<|channel|>final<|message|>"
	assistant = "<|start|>assistant"
)

// families lists the marks of models whose server leaves them in the answer. The sources are
// the models' chat templates and the reasoning parsers of vLLM
// (https://docs.vllm.ai/en/latest/features/reasoning_outputs/).
var families = []family{
	tag("think"),                // DeepSeek, Qwen, QwQ, GLM, MiniMax, Phi, Nemotron, Hunyuan, ERNIE, Step, Olmo, Granite 3.3
	tag("thinking"),             // prompts and templates that imitate Claude
	tag("thought"),              // EXAONE Deep
	tag("reasoning"),            // Reka Flash
	tag("seed:think"),           // Seed-OSS
	tag("longcat_think"),        // LongCat
	pair("[THINK]", "[/THINK]"), // Magistral
	pair("◁think▷", "◁/think▷"), // Kimi-VL
	pair("<|START_THINKING|>", "<|END_THINKING|>"), // Command A
	pair("<|inner_prefix|>", "<|inner_suffix|>"),   // Apertus
	pair("<|channel>thought", "<channel|>"),        // Gemma 4
	{ // gpt-oss: https://github.com/openai/harmony
		open:   []string{"<|channel|>analysis<|message|>", "<|channel|>commentary<|message|>", assistant + "<|channel|>analysis<|message|>"},
		closed: []string{"<|end|>", final, assistant + final, "<|end|>" + assistant + final},
		lone:   []string{final, assistant + final, "<|end|>" + assistant + final},
	},
	{ // gpt-oss behind a server that removes special tokens
		open: []string{"analysis"}, closed: []string{"assistantfinal"}, prose: true,
	},
	{ // Granite 3.2
		open:   []string{"Here is my thought process:", "Here's my thought process:"},
		closed: []string{"Here is my response:", "Here's my response:"}, prose: true,
	},
}

// dropped lists marks around an answer that follows reasoning.
var dropped = []string{final, assistant, assistant + final, "<|return|>", "<|START_RESPONSE|>", "<|END_RESPONSE|>"}

// wrappers lists tags that some models put around the answer after their reasoning.
var wrappers = []string{"answer", "response"}

// begins lists parts of the names of models whose template writes the opening mark, so that
// their answers begin with reasoning without one. Servers that know the template take the
// reasoning out themselves.
var begins = []string{"deepseek-r1", "qwq", "-thinking"}

// Begins reports whether a model with this name begins with reasoning without a mark.
func Begins(name string) bool {
	name = strings.ToLower(name)
	return slices.ContainsFunc(begins, func(part string) bool { return strings.Contains(name, part) })
}

// mark is one mark of the table.
type mark struct {
	text   string
	does   does
	family *family
}

type does uint8

const (
	opens does = 1 << iota
	closes
	closesAlone
	drops
	wraps
	unwraps
)

var marks = func() (all []mark) {
	for i := range families {
		f := &families[i]
		for kind, texts := range map[does][]string{opens: f.open, closes: f.closed, closesAlone: f.lone} {
			for _, t := range texts {
				all = append(all, mark{t, kind, f})
			}
		}
	}
	for _, t := range dropped {
		all = append(all, mark{t, drops, nil})
	}
	for _, w := range wrappers {
		all = append(all, mark{"<" + w + ">", wraps, nil}, mark{"</" + w + ">", unwraps, nil})
	}
	return all
}()

// find returns the longest mark at the start of b that counts, or nil. more reports whether
// a longer mark may still arrive.
func find(b []byte, counts func(*mark) bool) (found *mark, more bool) {
	for i := range marks {
		m := &marks[i]
		switch {
		case m.text[0] != b[0] || !counts(m):
		case len(b) < len(m.text):
			more = more || strings.HasPrefix(m.text, string(b))
		case string(b[:len(m.text)]) == m.text && (found == nil || len(m.text) > len(found.text)):
			found = m
		}
	}
	return found, more
}
