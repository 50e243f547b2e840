package command

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
	begun = regexp.MustCompile(` ?(?:\[[\d, ]{0,30})?$`)       // what may yet become one
)

// citations writes an answer that arrives in pieces, without the numbers of passages that
// there are none of: a model makes them up. What would move the cursor is made visible.
type citations struct {
	out      io.Writer
	passages int          // how many were sent, from 1 on
	used     map[int]bool // those that the answer cites
	invented int          // how many numbers were left out
	held     string
}

// piece writes what comes next.
func (c *citations) piece(text string) error {
	text = c.held + text
	at := begun.FindStringIndex(text)[0]
	c.held = text[at:]
	return c.write(text[:at])
}

// end writes what still waits.
func (c *citations) end() error {
	text := c.held
	c.held = ""
	return c.write(text)
}

func (c *citations) write(text string) error {
	_, err := io.WriteString(c.out, terminal.Visible(cited.ReplaceAllStringFunc(text, c.checked)))
	return err
}

// checked is a citation with the passages of it that were sent.
func (c *citations) checked(citation string) string {
	before, list, _ := strings.Cut(strings.TrimSuffix(citation, "]"), "[")
	var kept []string
	for _, s := range strings.Split(list, ",") {
		n, _ := strconv.Atoi(strings.TrimSpace(s)) // digits alone
		if n < 1 || n > c.passages {
			c.invented++
			continue
		}
		c.used[n] = true
		kept = append(kept, strconv.Itoa(n))
	}
	if kept == nil {
		return ""
	}
	return fmt.Sprintf("%s[%s]", before, strings.Join(kept, ", "))
}
