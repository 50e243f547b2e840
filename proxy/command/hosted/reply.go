package hosted

import (
	"fmt"
	"io"
	"strings"

	"seam/proxy/command/terminal"
	"seam/shared/protocol"
)

// Reply prints the answer of a model. A terminal gets each part as it comes. A file or a pipe
// gets the finished answer, because its beginning may turn out to be reasoning.
type Reply struct {
	Out *Citations // of the answer

	std       terminal.IO
	reasoning bool // print the reasoning to stderr
	streams   bool
	passages  int             // number of passages sent
	held      strings.Builder // the answer, unless it streams
	came      func()          // ends the line that says that nothing has come
	written   bool            // there is an answer
	thought   bool            // the last part was printed reasoning
}

// NewReply returns a Reply for an answer of a model from that many passages. If reasoning is true, it
// prints the reasoning to stderr.
func NewReply(std terminal.IO, model string, passages int, reasoning bool) *Reply {
	r := &Reply{std: std, reasoning: reasoning, streams: terminal.OutIsTerminal(std), passages: passages}
	r.begin()
	r.came = terminal.Waiting(std, "seam: waiting for "+model+", which may have to be loaded first:")
	return r
}

// begin begins an answer.
func (r *Reply) begin() {
	r.held.Reset()
	r.written = false
	to := io.Writer(&r.held)
	if r.streams {
		to = r.std.Out
	}
	r.Out = NewCitations(to, r.passages)
}

// Part takes a part of the model's reply.
func (r *Reply) Part(p protocol.Part) error {
	r.came()
	if p.Moved {
		if err := r.move(); err != nil {
			return err
		}
	}
	if !p.Reasoning {
		r.apart()
		r.written = true
		return r.Out.Piece(p.Text)
	}
	return r.think(p.Text)
}

// move takes everything printed so far for reasoning.
func (r *Reply) move() error {
	if err := r.Out.End(); err != nil {
		return err
	}
	if r.streams && r.written {
		fmt.Fprintln(r.std.Out)
		fmt.Fprintln(r.std.Err, "seam: the text above is the model's reasoning; its answer follows")
	} else if err := r.think(r.held.String()); err != nil {
		return err
	}
	r.begin()
	return nil
}

// think prints reasoning, if the user wants it.
func (r *Reply) think(text string) error {
	if !r.reasoning || text == "" {
		return nil
	}
	if !r.thought {
		fmt.Fprintln(r.std.Err, "seam: the model's reasoning:")
	}
	r.thought = true
	_, err := io.WriteString(r.std.Err, terminal.Visible(text))
	return err
}

// apart ends the line of printed reasoning.
func (r *Reply) apart() {
	if r.thought {
		fmt.Fprintln(r.std.Err)
	}
	r.thought = false
}

// Drop ends a reply whose answer must not be used, and prints no more of it.
func (r *Reply) Drop() {
	r.came()
	r.apart()
	if r.streams && r.written {
		fmt.Fprintln(r.std.Out)
	}
}

// End prints the rest of the answer. It returns the errors of the writer.
func (r *Reply) End() error {
	r.came()
	r.apart()
	if !r.written {
		return nil
	}
	err := r.Out.End()
	if err == nil && !r.streams {
		_, err = io.WriteString(r.std.Out, r.held.String())
	}
	fmt.Fprintln(r.std.Out)
	return err
}
