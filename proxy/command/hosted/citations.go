package hosted

import (
	"fmt"
	"io"
	"regexp"
	"strconv"
	"strings"

	"seam/proxy/command/terminal"
)

var (
	cited = regexp.MustCompile(` ?\[\d{1,2}(?:, ?\d{1,2})*\]`) // "[2]" or "[1, 3]"
	begun = regexp.MustCompile(` ?(?:\[[\d, ]{0,30})?$`)       // the beginning of a citation that may continue in the next piece
)

// Citations writes an answer that arrives in pieces. It drops references to passages that
// do not exist, which models make up, and makes control characters visible.
type Citations struct {
	Used     map[int]bool // the passages that the answer cites, counted from 1
	Invented int          // number of references dropped
	out      io.Writer
	passages int // number of passages sent
	held     string
}

// NewCitations returns Citations that write to out. The answer is based on passages 1 to
// the given number.
func NewCitations(out io.Writer, passages int) *Citations {
	return &Citations{Used: map[int]bool{}, out: out, passages: passages}
}

// Piece writes the next part of the answer. It returns the errors of the writer.
func (c *Citations) Piece(text string) error {
	text = c.held + text
	at := begun.FindStringIndex(text)[0]
	c.held = text[at:]
	return c.write(text[:at])
}

// End writes the rest of the answer. It returns the errors of the writer.
func (c *Citations) End() error {
	text := c.held
	c.held = ""
	return c.write(text)
}

func (c *Citations) write(text string) error {
	_, err := io.WriteString(c.out, terminal.Visible(cited.ReplaceAllStringFunc(text, c.checked)))
	return err
}

// checked returns a citation with only the passages that were sent.
func (c *Citations) checked(citation string) string {
	before, list, _ := strings.Cut(strings.TrimSuffix(citation, "]"), "[")
	var kept []string
	for _, s := range strings.Split(list, ",") {
		n, _ := strconv.Atoi(strings.TrimSpace(s)) // only digits, so it cannot fail
		if n < 1 || n > c.passages {
			c.Invented++
			continue
		}
		c.Used[n] = true
		kept = append(kept, strconv.Itoa(n))
	}
	if kept == nil {
		return ""
	}
	return fmt.Sprintf("%s[%s]", before, strings.Join(kept, ", "))
}
