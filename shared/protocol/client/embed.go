package client

import (
	"context"
	"encoding/json"
	"errors"
	"math"
	"slices"
	"sync"

	"seam/shared/protocol"
)

// maxTexts bounds the texts of one batch, even if a proxy accepts more: progress moves by
// batches, and Stop, a failure or a repeated try costs one.
const maxTexts = 256

// Estimate returns the estimated tokens of a text for Limits.Tokens: a third of its bytes,
// the same as the proxy's estimate.
func Estimate(text string) int { return (len(text) + 2) / 3 }

// Embed requests the vectors of texts, in batches within the proxy's limits. It calls got
// once for each text, with the text's index, as vectors arrive. All vectors have the same
// length, and got may keep them. If got returns an error, the work stops. Usage covers the
// completed batches.
//
// dims is the desired length of the vectors; 0 selects the model's own. If the proxy would
// never accept a text, Embed returns an error with its index before it sends any.
func (c *Client) Embed(ctx context.Context, model string, texts []string, dims int, got func(i int, v []float32) error) (protocol.Usage, error) {
	if len(texts) == 0 {
		return protocol.Usage{}, nil
	}
	j := newJob(c, model, texts, dims)
	j.got = got
	err := j.run(ctx)
	return j.usage, err
}

// Calls returns the number of requests Embed would make under the proxy's latest limits. It
// returns an error before the first connection, or if the proxy would not accept one of the
// texts.
func (c *Client) Calls(model string, texts []string, dims int) (int, error) {
	if len(texts) == 0 {
		return 0, nil
	}
	ack := c.Ack()
	if ack == nil {
		return 0, lost("Not connected to a proxy yet.")
	}
	j := newJob(c, model, texts, dims)
	if err := j.check(ack.Limits); err != nil {
		return 0, err
	}
	n := 0
	for ; len(j.queue) > 0; n++ {
		j.cut(ack.Limits)
	}
	return n, nil
}

// job is one call of Embed. One goroutine, the caller's, makes all decisions and holds the
// state. Others wait for slots and answers.
type job struct {
	client *Client
	model  string
	texts  []string
	dims   int // 0 while unknown
	asked  int // the caller's dims
	got    func(i int, v []float32) error

	sizes    []int // bytes of each text in JSON
	overhead int   // bytes of a request without texts
	queue    []piece
	most     int // maximum texts of a batch; reduced after the proxy found one too large
	have     []bool
	left     int
	usage    protocol.Usage
	checked  *session // the session for which all texts are within limits

	waiting bool // a goroutine waits for a slot
	pausing int  // failed batches waiting for a retry
	running int
	work    sync.WaitGroup
	placed  chan place
	rows    chan rows
	ended   chan ended
	resumed chan error
}

// piece is a list of texts to request, with the number of failed attempts in a row.
type piece struct {
	texts []int // indexes
	tries int
}

type place struct {
	session *session
	err     error
}

// rows holds received vectors for the texts with these indexes.
type rows struct {
	texts []int
	dims  int
	data  []float32
}

type ended struct {
	piece
	session *session
	end     *protocol.End
	err     error
}

func newJob(c *Client, model string, texts []string, dims int) *job {
	j := &job{client: c, model: model, texts: texts, dims: dims, asked: dims, most: maxTexts, sizes: make([]int, len(texts)), have: make([]bool, len(texts)), left: len(texts),
		placed: make(chan place), rows: make(chan rows), ended: make(chan ended), resumed: make(chan error)}
	all := make([]int, len(texts))
	for i, t := range texts {
		all[i] = i
		b, _ := json.Marshal(t) // encoding a string cannot fail
		j.sizes[i] = len(b) + len(",")
	}
	j.queue = []piece{{texts: all}}
	frame, _ := protocol.Encode(&protocol.Embed{ID: math.MaxUint32, Model: model, Dimensions: math.MaxUint16, Texts: []string{}})
	j.overhead = len(frame)
	return j
}

func (j *job) run(ctx context.Context) error {
	ctx, cancel := context.WithCancel(ctx)
	defer j.work.Wait()
	defer cancel()
	for j.left > 0 || j.running > 0 {
		if len(j.queue) > 0 && !j.waiting && j.pausing == 0 {
			j.waiting = true
			j.work.Go(func() { j.wait(ctx) })
		}
		var err error
		select {
		case p := <-j.placed:
			j.waiting = false
			if err = p.err; err == nil {
				err = j.begin(ctx, p.session)
			}
		case r := <-j.rows:
			err = j.keep(r)
		case e := <-j.ended:
			err = j.finish(ctx, e)
		case err = <-j.resumed:
			j.pausing--
		case <-ctx.Done():
			err = stopped{ctx.Err()}
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// wait waits for a slot on a connection.
func (j *job) wait(ctx context.Context) {
	s, err := j.client.place(ctx, true)
	select {
	case j.placed <- place{s, err}:
	case <-ctx.Done():
		if err == nil {
			s.leave(true)
		}
	}
}

// begin sends the next batch in a slot of s.
func (j *job) begin(ctx context.Context, s *session) error {
	if j.checked != s {
		if err := j.check(s.ack.Limits); err != nil {
			s.leave(true)
			return err
		}
		j.checked = s
	}
	p := j.cut(s.ack.Limits)
	j.running++
	j.work.Go(func() {
		end, err := j.ask(ctx, s, p.texts)
		select {
		case j.ended <- ended{p, s, end, err}:
		case <-ctx.Done():
		}
	})
	return nil
}

// check returns an error for a text that the proxy would not accept.
func (j *job) check(l protocol.Limits) error {
	for i, t := range j.texts {
		switch {
		case j.have[i]:
		case l.TextBytes > 0 && len(t) > l.TextBytes:
			return protocol.Errorf(protocol.TooLarge, "Text %d is %d bytes: the proxy's limit is %d.", i, len(t), l.TextBytes)
		case j.overhead+j.sizes[i] > protocol.MaxText:
			return protocol.Errorf(protocol.TooLarge, "Text %d is %d bytes as a message: the limit is %d.", i, j.overhead+j.sizes[i], protocol.MaxText)
		}
	}
	return nil
}

// cut takes the next batch from the queue: at least one text, and more within the limits.
func (j *job) cut(l protocol.Limits) piece {
	p := &j.queue[0]
	n, tokens, size := 0, 0, j.overhead
	for most := min(j.most, max(1, l.Texts), len(p.texts)); n < most; n++ {
		i := p.texts[n]
		tokens += Estimate(j.texts[i])
		size += j.sizes[i]
		if n > 0 && (l.Tokens > 0 && tokens > l.Tokens || size > protocol.MaxText) {
			break
		}
	}
	batch := piece{p.texts[:n:n], p.tries}
	if p.texts = p.texts[n:]; len(p.texts) == 0 {
		j.queue = j.queue[1:]
	}
	return batch
}

// ask sends one batch and reports its vectors as they arrive.
func (j *job) ask(ctx context.Context, s *session, batch []int) (*protocol.End, error) {
	texts := make([]string, len(batch))
	for i, t := range batch {
		texts[i] = j.texts[t]
	}
	all := protocol.NewRows(len(batch))
	message := func(id uint32) protocol.Message {
		return &protocol.Embed{ID: id, Model: j.model, Texts: texts, Dimensions: j.asked}
	}
	end, err := s.do(ctx, true, message, func(f frame) error {
		if f.message != nil {
			return violated("it answers texts with %s", protocol.TypeOf(f.message))
		}
		h := f.header
		if j.asked > 0 && h.Dims != j.asked {
			return violated("vectors of %d numbers instead of %d", h.Dims, j.asked)
		}
		if err := all.Add(h, f.numbers); err != nil {
			return violation{err.Error()}
		}
		select {
		case j.rows <- rows{batch[h.First : h.First+h.Count], h.Dims, all.Data[h.First*h.Dims : (h.First+h.Count)*h.Dims]}:
			return nil
		case <-ctx.Done():
			return stopped{ctx.Err()}
		}
	})
	if err == nil && !all.Complete() {
		s.broke(violated("vectors are missing at the end"))
		return nil, s.err
	}
	return end, err
}

// keep passes vectors to the caller.
func (j *job) keep(r rows) error {
	if j.dims == 0 {
		j.dims = r.dims
	}
	if j.dims != r.dims {
		return protocol.Errorf(protocol.Internal, "The proxy sent vectors of %d numbers after vectors of %d.", r.dims, j.dims)
	}
	for i, t := range r.texts {
		j.have[t] = true
		j.left--
		if err := j.got(t, r.data[i*r.dims:(i+1)*r.dims:(i+1)*r.dims]); err != nil {
			return err
		}
	}
	return nil
}

// finish handles the end of a batch. Missing texts go back into the queue if a retry makes
// sense; no new batch starts until the pause is over.
func (j *job) finish(ctx context.Context, e ended) error {
	j.running--
	if e.err == nil {
		j.usage.Tokens += e.end.Usage.Tokens
		j.usage.TokensOut += e.end.Usage.TokensOut
		j.usage.Cached += e.end.Usage.Cached
		j.client.widen()
		return nil
	}
	sent := len(e.texts)
	missing := slices.DeleteFunc(slices.Clone(e.texts), func(i int) bool { return j.have[i] })
	if len(missing) == 0 {
		return nil // complete except for the final end message
	}
	if e.tries++; len(missing) < sent {
		e.tries = 0
	}
	j.queue = slices.Insert(j.queue, 0, piece{missing, e.tries})
	var told *protocol.Error
	if errors.As(e.err, &told) && told.Code == protocol.TooLarge {
		if sent == 1 {
			return protocol.Errorf(protocol.TooLarge, "Text %d is too large for the proxy: %s", missing[0], told.Message)
		}
		j.most = max(1, min(j.most, sent/2))
		j.queue[0].tries = 0 // each time the batch is smaller
		return nil
	}
	if !again(e.err, e.tries) {
		return e.err
	}
	if told.Code != Offline {
		j.client.narrow(j.running + 1)
	}
	j.pausing++
	j.work.Go(func() {
		err := j.client.pause(ctx, e.err, e.tries)
		select {
		case j.resumed <- err:
		case <-ctx.Done():
		}
	})
	return nil
}
