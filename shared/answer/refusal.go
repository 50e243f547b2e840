package answer

import (
	"strings"

	"seam/shared/protocol"
)

// IsRefusal reports whether an answer is protocol.Refusal, ignoring quotes and white space
// around it.
func IsRefusal(answer string) bool {
	bare := func(s string) string { return strings.Trim(s, " \t\r\n\"'`“”„‘’«».") }
	return bare(answer) == bare(protocol.Refusal)
}

// Refuses reports whether an answer says that the passages do not hold the answer.
func Refuses(answer string, marked bool) bool {
	return IsRefusal(answer) || marked && !cites(answer)
}

// cites reports whether a text names a passage, as in "[2]" or "[1, 3]".
func cites(text string) bool {
	for i := 0; i+2 < len(text); i++ {
		if text[i] != '[' {
			continue
		}
		for j := i + 1; j < len(text) && (text[j] >= '0' && text[j] <= '9' || text[j] == ',' || text[j] == ' '); j++ {
			if j+1 < len(text) && text[j+1] == ']' {
				return true
			}
		}
	}
	return false
}

// bare removes quotes, marks of Markdown and white space around a text.
func bare(s string) string { return strings.Trim(s, " \t\r\n\"'`“”„‘’«»「」『』*_#>.") }
