package reasoning

import (
	"strings"
	"testing"

	"seam/shared/protocol"
)

// shape is an answer as a server sends it, and its two parts.
type shape struct{ name, text, answer, reasoning string }

const thought, said = "Passage 2 says 1899, I think.", "It was built in 1899 [2]."

var shapes = []shape{
	{"think", "<think>\n" + thought + "\n</think>\n\n" + said, said, thought + "\n"},
	{"thinking", "\n<thinking>" + thought + "</thinking>" + said, said, thought},
	{"lone", thought + "\n</think>\n\n" + said, said, thought + "\n"},
	{"empty", "<think>\n\n</think>\n\n" + said, said, ""},
	{"mistral", "[THINK]" + thought + "[/THINK]" + said, said, thought},
	{"kimi", "◁think▷" + thought + "◁/think▷" + said, said, thought},
	{"gpt-oss", "<|channel|>analysis<|message|>" + thought + "<|end|><|start|>assistant<|channel|>final<|message|>" + said + "<|return|>", said, thought},
	{"gpt-oss, final alone", thought + "<|end|><|start|>assistant<|channel|>final<|message|>" + said, said, thought},
	{"gpt-oss, two channels", "<|channel|>analysis<|message|>" + thought + "<|end|><|start|>assistant<|channel|>commentary<|message|>" + thought + "<|end|><|start|>assistant<|channel|>final<|message|>" + said, said, thought + thought},
	{"gpt-oss without tokens", "analysis" + "We need the year." + "assistantfinal" + said, said, "We need the year."},
	{"gemma", "<|channel>thought\n" + thought + "<channel|>" + said, said, thought},
	{"granite", "Here is my thought process:\n\n" + thought + "\n\nHere is my response:\n\n" + said, said, thought + "\n\n"},
	{"seed", "<seed:think>" + thought + "</seed:think>" + said, said, thought},
	{"command", "<|START_THINKING|>" + thought + "<|END_THINKING|><|START_RESPONSE|>" + said + "<|END_RESPONSE|>", said, thought},
	{"hunyuan", "<think>\n" + thought + "\n</think>\n<answer>\n" + said + "\n</answer>", said + "\n", thought + "\n"},
	{"in the middle", "It was built\n<think>" + thought + "</think>\nin 1899.", "It was built\nin 1899.", thought},
	{"twice", "<think>" + thought + "</think>\n<think>" + thought + "</think>" + said, said, thought + thought},
	{"cut short", "<think>" + thought, "", thought},
	{"a quotation in reasoning", "<think>I write `</think>` first.\n```\n</think>\n```\nDone.</think>" + said, said, "I write `</think>` first.\n```\n</think>\n```\nDone."},
	{"an open fence in reasoning", "<think>```\nx = 1</think>" + said, said, "```\nx = 1"},
	{"a lone backtick in reasoning", "The ` is odd.</think>" + said, said, "The ` is odd."},

	{"code inline", "Qwen writes `<think>` and `</think>`.", "Qwen writes `<think>` and `</think>`.", ""},
	{"code, two backticks", "``<think>`</think>`` it is", "``<think>`</think>`` it is", ""},
	{"code in a fence", "```xml\n<think>\nx\n</think>\n```\nThat is it.", "```xml\n<think>\nx\n</think>\n```\nThat is it.", ""},
	{"code in a fence, cut short", "As in\n~~~\n<think>x</think>", "As in\n~~~\n<think>x</think>", ""},
	{"code after reasoning", "<think>x</think>Use `<think>`.", "Use `<think>`.", "x"},
	{"an open mark", "The mark <think> opens it.", "The mark <think> opens it.", ""},
	{"analysis", "analysis of variance", "analysis of variance", ""},
	{"a process", "Here is my thought process: I count.", "Here is my thought process: I count.", ""},
	{"less than", "  a < b, [1] and a <t", "  a < b, [1] and a <t", ""},
	{"spaces", " \n ", " \n ", ""},
}

// split splits a text that arrives in the given pieces.
func split(first bool, pieces ...string) (answer, reasoning string, s *Splitter) {
	s = New(first)
	var parts []protocol.Part
	for _, p := range pieces {
		parts = append(parts, s.Write(p)...)
	}
	for _, p := range append(parts, s.End(false)...) {
		switch {
		case p.Moved:
			answer, reasoning = "", answer+reasoning
		case p.Reasoning:
			reasoning += p.Text
		default:
			answer += p.Text
		}
	}
	return answer, reasoning, s
}

func TestReasoningIsTakenOutAtEveryCut(t *testing.T) {
	for _, want := range shapes {
		for at := range len(want.text) + 1 {
			answer, reasoning, _ := split(false, want.text[:at], want.text[at:])
			if answer != want.answer || reasoning != want.reasoning {
				t.Errorf("%s, cut at %d: %q and %q; want %q and %q", want.name, at, answer, reasoning, want.answer, want.reasoning)
				break
			}
		}
		bytes := strings.Split(want.text, "")
		if answer, reasoning, _ := split(false, bytes...); answer != want.answer || reasoning != want.reasoning {
			t.Errorf("%s, in single characters: %q and %q", want.name, answer, reasoning)
		}
	}
}

// A model that has begun without a mark must show nothing before its mark the next time.
func TestTheNextAnswerIsHeldUntilItsMark(t *testing.T) {
	if _, _, s := split(false, "Hm.</think>", "Yes."); !s.ThinksFirst() {
		t.Error("a lone mark teaches nothing")
	}
	s := New(true)
	if parts := s.Write("Hm. So it is."); parts != nil || !s.Holding() {
		t.Errorf("held text is emitted: %v", parts)
	}
	if parts := s.Write("</think>Yes"); len(parts) != 2 || parts[0] != (protocol.Part{Text: "Hm. So it is.", Reasoning: true}) || parts[1].Text != "Yes" {
		t.Errorf("%+v", parts)
	}
	for _, want := range shapes {
		if want.name == "a lone backtick in reasoning" {
			continue
		}
		answer, reasoning, _ := split(true, want.text)
		if answer != want.answer || reasoning != want.reasoning {
			t.Errorf("%s, held: %q and %q", want.name, answer, reasoning)
		}
	}
	long := strings.Repeat("é", mostHeld)
	if parts := New(true).Write(long); len(parts) != 1 || !strings.HasPrefix(long, parts[0].Text) || len(parts[0].Text) < mostHeld-2 {
		t.Errorf("%d parts of a long answer", len(parts))
	}
	if answer, _, s := split(true, long); answer != long || s.ThinksFirst() {
		t.Error("a long answer without a mark is damaged")
	}
}

// Reasoning in a field of its own stays apart.
func TestFieldsOfAServer(t *testing.T) {
	s := New(true)
	parts := append(s.Reason("Hm."), s.Write("</think>\n\nYes, after </think>.")...)
	if len(parts) != 2 || parts[0] != (protocol.Part{Text: "Hm.", Reasoning: true}) || parts[1].Text != "Yes, after </think>." {
		t.Errorf("%+v", parts)
	}
}

func FuzzSplitter(f *testing.F) {
	for _, s := range shapes {
		f.Add(s.text, uint8(3), uint8(7), false)
		f.Add(s.text, uint8(1), uint8(1), true)
	}
	f.Fuzz(func(t *testing.T, text string, a, b uint8, first bool) {
		answer, reasoning, _ := split(first, text)
		var pieces []string
		for rest, n := text, int(a)%40; rest != ""; n = (n + int(b) + 1) % 40 {
			cut := min(len(rest), 1+n)
			pieces, rest = append(pieces, rest[:cut]), rest[cut:]
		}
		if again, more, _ := split(first, pieces...); again != answer || more != reasoning {
			t.Errorf("%q in pieces %q: %q and %q, not %q and %q", text, pieces, again, more, answer, reasoning)
		}
		if left := lost(text, answer, reasoning); left != "" {
			t.Errorf("%q: %q and %q lack %q", text, answer, reasoning, left)
		}
	})
}

// lost returns text that is in neither part, apart from marks and white space.
func lost(text, answer, reasoning string) string {
	count := map[rune]int{}
	for _, r := range text {
		count[r]++
	}
	for _, r := range answer + reasoning {
		count[r]--
	}
	inMarks := " \t\r\n\ufffd"
	for _, m := range marks {
		inMarks += m.text
	}
	for r, n := range count {
		if n < 0 || n > 0 && !strings.ContainsRune(inMarks, r) {
			return string(r)
		}
	}
	return ""
}
