package gateway

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"seam/shared/protocol"
)

// paper is a sink that records frames and checks the writer's promises. It uses the time of
// the test's bubble.
type paper struct {
	slow   time.Duration // duration of a send
	broken func(n int) bool
	heard  func(protocol.Message) // called for each frame

	busy   atomic.Int32
	sent   []protocol.Message
	unsent int // since the last flush
	losses int
	wrong  []string
}

func (p *paper) send(f frame) error {
	if p.busy.Add(1) != 1 {
		p.wrong = append(p.wrong, "two send at once")
	}
	defer p.busy.Add(-1)
	time.Sleep(p.slow)
	if p.losses > 0 || p.broken != nil && p.broken(len(p.sent)) {
		return errors.New("broken")
	}
	m, _, err := protocol.DecodeServer(f.data)
	if f.kind == vectorFrame {
		m, err = &protocol.Delta{ID: uint32(f.data[0]), Delta: string(f.data)}, nil
	}
	if err != nil {
		p.wrong = append(p.wrong, err.Error())
	}
	p.sent = append(p.sent, m)
	p.unsent++
	if p.heard != nil {
		p.heard(m)
	}
	return nil
}

func (p *paper) flush() error { p.unsent = 0; return nil }
func (p *paper) lost(error)   { p.losses++ }
func (p *paper) cut()         {}

func isClosed(c <-chan struct{}) bool {
	select {
	case <-c:
		return true
	default:
		return false
	}
}

func endOf(t *testing.T, id uint32) []byte {
	t.Helper()
	b, err := protocol.Encode(&protocol.End{ID: id})
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// For any requests and grants of credit, only one goroutine sends. Each request's frames
// are in order and within its credit, and its end comes last. A draining writer closes when
// everything is sent.
func TestWriter(t *testing.T) {
	for seed := range uint64(50) {
		synctest.Test(t, func(t *testing.T) {
			r := rand.New(rand.NewPCG(seed, 1))
			to := &paper{slow: time.Duration(r.IntN(3)) * time.Millisecond}
			w := newWriter(to, tab{})
			const credits, requests = 3, 4
			granted, used, ended := map[uint32]int{}, map[uint32]int{}, map[uint32]bool{}
			var mu sync.Mutex // guards granted, which changes some time after a frame arrives
			words := map[uint32]*strings.Builder{}
			late := time.Duration(r.IntN(30)) * time.Millisecond
			to.heard = func(m protocol.Message) {
				switch m := m.(type) {
				case *protocol.Delta:
					mu.Lock()
					defer mu.Unlock()
					if used[m.ID]++; used[m.ID] > granted[m.ID] || ended[m.ID] {
						t.Errorf("seed %d: frame %d of request %d with credit for %d, ended %v", seed, used[m.ID], m.ID, granted[m.ID], ended[m.ID])
					}
					words[m.ID].WriteString(m.Delta)
					go func() {
						time.Sleep(late)
						mu.Lock()
						granted[m.ID]++
						mu.Unlock()
						w.credit(m.ID, 1)
					}()
				case *protocol.End:
					ended[m.ID] = true
				}
			}
			want := map[uint32]string{}
			for id := uint32(1); id <= requests; id++ {
				granted[id], words[id] = credits, &strings.Builder{}
				if err := w.open(id, credits, nil); err != nil {
					t.Fatal(err)
				}
			}
			for id := uint32(1); id <= requests; id++ {
				binary, n, pause := r.IntN(2) == 0, r.IntN(12), time.Duration(r.IntN(4))*time.Millisecond
				var all strings.Builder
				var parts []string
				for i := range n {
					part := fmt.Sprintf("%c%d %s", rune(id), i, strings.Repeat("x", r.IntN(3)*gather/5))
					parts = append(parts, part)
					all.WriteString(part)
				}
				want[id] = all.String()
				end := endOf(t, id)
				go func() {
					for _, part := range parts {
						time.Sleep(pause)
						var err error
						if binary {
							err = w.push(t.Context(), id, frame{kind: vectorFrame, data: []byte(part)})
						} else {
							err = w.part(id, protocol.Part{Text: part})
						}
						if err != nil {
							t.Errorf("seed %d: %v", seed, err)
						}
					}
					w.finish(id, end, false)
				}()
			}
			var drained <-chan struct{}
			if r.IntN(2) == 0 {
				drained = w.drain() // open requests continue
			}
			time.Sleep(time.Minute)
			synctest.Wait()
			if drained == nil && (w.state != idle || w.open(9, 1, nil) != nil) {
				t.Errorf("seed %d: state %d with nothing to do", seed, w.state)
			}
			w.finish(9, endOf(t, 9), false)
			if drained = w.drain(); !isClosed(drained) || !errors.Is(w.open(1, 1, nil), errClosed) {
				t.Errorf("seed %d: state %d after the last request", seed, w.state)
			}
			for id, text := range want {
				if words[id].String() != text || !ended[id] {
					t.Errorf("seed %d: request %d: %d bytes of %d, ended %v", seed, id, words[id].Len(), len(text), ended[id])
				}
			}
			if to.unsent != 0 || to.losses != 0 || len(to.wrong) > 0 {
				t.Errorf("seed %d: %d frames not flushed, %d losses, %v", seed, to.unsent, to.losses, to.wrong)
			}
		})
	}
}

// Frames of the session come before frames of requests, and requests take turns. Sent
// frames are no longer counted.
func TestTurns(t *testing.T) {
	to := &paper{}
	w := newWriter(to, tab{})
	for id := range uint32(3) {
		if err := w.open(id+1, 10, nil); err != nil {
			t.Fatal(err)
		}
		for range 2 {
			if err := w.push(t.Context(), id+1, frame{kind: vectorFrame, data: []byte{byte(id + 1)}}); err != nil {
				t.Fatal(err)
			}
		}
	}
	w.streams[1].delta = []byte("x")
	w.hold(w.streams[1], 1)
	pong, err := protocol.Encode(&protocol.Pong{})
	if err != nil {
		t.Fatal(err)
	}
	w.session = []frame{{kind: textFrame, data: pong}}
	w.finish(3, endOf(t, 3), false)
	var ids []uint32
	for _, m := range to.sent[1:] {
		if d, ok := m.(*protocol.Delta); ok {
			ids = append(ids, d.ID)
		}
	}
	if protocol.TypeOf(to.sent[0]) != protocol.TypePong || !slices.Equal(ids, []uint32{1, 2, 3, 1, 2, 3, 1}) {
		t.Errorf("%v, then %v", to.sent[0], ids)
	}
	if s := w.streams[1]; s.held != 0 || s.credits != 7 || w.state != idle {
		t.Errorf("%d bytes held, %d credits left, state %d", s.held, s.credits, w.state)
	}
}

// After a sink fails, nothing is sent and no caller waits.
func TestLost(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		to := &paper{broken: func(n int) bool { return n == 2 }}
		w := newWriter(to, tab{})
		if err := w.open(1, 100, nil); err != nil {
			t.Fatal(err)
		}
		pushed := make(chan error)
		go func() {
			for range 100 {
				if err := w.push(context.Background(), 1, frame{kind: vectorFrame, data: make([]byte, maxHeld)}); err != nil {
					pushed <- err
					return
				}
			}
			pushed <- nil
		}()
		if err := <-pushed; !errors.Is(err, context.Canceled) {
			t.Errorf("a request goes on with %v", err)
		}
		synctest.Wait()
		w.finish(1, endOf(t, 1), false)
		w.post(frame{kind: textFrame, data: endOf(t, 1)})
		synctest.Wait()
		if len(to.sent) != 2 || to.losses != 1 || w.state != closed || w.count() != 0 || !isClosed(w.drain()) {
			t.Errorf("%d frames, %d losses, state %d", len(to.sent), to.losses, w.state)
		}
	})
}

// Closing a writer releases callers that wait for room, even without credit from the
// client.
func TestClose(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		to := &paper{}
		w := newWriter(to, tab{})
		if err := w.open(1, 0, nil); err != nil {
			t.Fatal(err)
		}
		if err := w.push(t.Context(), 1, frame{kind: vectorFrame, data: make([]byte, maxHeld)}); err != nil {
			t.Fatal(err)
		}
		pushed := make(chan error, 1)
		go func() { pushed <- w.push(context.Background(), 1, frame{kind: vectorFrame, data: []byte{1}}) }()
		drained := w.drain()
		synctest.Wait()
		if isClosed(drained) || len(pushed) > 0 {
			t.Error("it closes before its request has ended")
		}
		w.close()
		if err := <-pushed; !errors.Is(err, context.Canceled) || !isClosed(drained) || len(to.sent) > 0 {
			t.Errorf("%v, %d frames", err, len(to.sent))
		}
	})
}

// wire records the writes of a connection.
type wire struct {
	net.Conn
	writes []string
}

func (w *wire) Write(p []byte) (int, error) {
	w.writes = append(w.writes, string(p))
	return len(p), nil
}
func (w *wire) SetWriteDeadline(time.Time) error { return nil }

// Writes between hold and release become one write, in order; other writes are sent at
// once.
func TestCork(t *testing.T) {
	w := &wire{}
	c := &cork{Conn: w, raw: w}
	long := strings.Repeat("x", gather)
	for _, step := range []struct {
		do   func() error
		want []string
	}{
		{func() error { _, err := c.Write([]byte("a")); return err }, []string{"a"}},
		{func() error { c.hold(); _, err := c.Write([]byte("b")); return err }, nil},
		{func() error { _, err := c.Write([]byte("c")); return err }, nil},
		{func() error { return c.release(time.Minute) }, []string{"bc"}},
		{func() error { return c.release(time.Minute) }, nil},
		{func() error { c.hold(); _, err := c.Write([]byte("d")); return err }, nil},
		{func() error { n, err := c.Write([]byte(long)); return errors.Join(err, is(n, gather)) }, []string{"d", long}},
		{func() error { _, err := c.Write([]byte("e")); return err }, nil},
		{func() error { return c.release(time.Minute) }, []string{"e"}},
		{func() error { _, err := c.Write([]byte("f")); return err }, []string{"f"}},
	} {
		w.writes = nil
		if err := step.do(); err != nil || !slices.Equal(w.writes, step.want) {
			t.Errorf("%.20q: %v, want %.20q", w.writes, err, step.want)
		}
	}
}

func is(got, want int) error {
	if got != want {
		return fmt.Errorf("%d, want %d", got, want)
	}
	return nil
}
