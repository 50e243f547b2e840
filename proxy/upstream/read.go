package upstream

import (
	"context"
	"hash/maphash"
	"math"
	"math/rand/v2"
	"net/http"
	"slices"
	"strconv"
	"sync"
	"time"

	"seam/proxy/upstream/gauge"
	"seam/proxy/upstream/reasoning"
	"seam/shared/protocol"
)

// A server with a model of a small context cuts a prompt that is too long, without an error
// (Ollama does). It only says how many tokens the model read. This file compares the number
// with the prompt. The number is doubted if it is small for most models, or if the prompt may
// be longer than the context that the server names. Only then a server nearby counts a few
// samples, once. The tests have three tokenizers: 1,344 whole prompts, a third of them from
// a cache that is not counted, are all taken for whole, and 332 of 333 cut ones are noticed.

const (
	// least is the size of a prompt, in the most tokens it can have, from which on it is
	// judged. No context is smaller.
	least = 250
	// whole is the part of the expected tokens from which on a prompt counts as read: see
	// package gauge for the spread of tokenizers.
	whole = 0.88
	// typical is the part of gauge.Measure.Typical up to which a count raises doubts.
	typical = 0.9
	// wholeKnown is the same for a prompt that does not fit the model's known context.
	wholeKnown = 0.96
	// enough and most are the numbers of prompts from which on ratios count, and are kept.
	enough, most = 5, 15
	// slack is the uncertainty, in tokens, about the text that a server's cache had.
	slack = 100
	// mostBytes is the number of bytes per token in the texts and tokenizers with the longest
	// tokens.
	mostBytes = 8
	// cached is the number of tokens up to which a count can only be the rest of a prompt
	// that a server has in its cache.
	cached = 64
	// judgeWithin limits the time for samples and for questions about a model's context.
	judgeWithin = 15 * time.Second
	// keepSamples is the time after which a model that did not count samples is asked again.
	keepSamples = 10 * time.Minute
	// keepContext is how long a server's word about a context holds: it may load the model
	// anew.
	keepContext = 30 * time.Second
)

// reading is the knowledge about a model's tokenizer, context and cache.
type reading struct {
	mu        sync.Mutex
	tokenizer gauge.Tokenizer
	failed    time.Time // when samples could not be counted
	earlier   history
	countsAll bool                      // the server counts tokens that come from its cache
	cuts      bool                      // the server has cut a prompt
	ratios    map[gauge.Class][]float64 // of the latest prompts that were read whole, by their class

	contextMu sync.Mutex
	context   int // of the loaded model; 0: unknown
	asked     time.Time
}

// judge adds to usage how many tokens of the messages the model read, if the provider says
// it. If these are certainly fewer than the messages have, it also adds their estimated
// number. Only a provider on this machine or its network is asked for more than its usage:
// for the context of the model, and for the number of tokens of sample texts.
func (r *reading) judge(ctx context.Context, c *Client, m *model, messages []protocol.ChatMessage, reported *tokens, usage *protocol.Usage) {
	if reported == nil {
		return
	}
	var texts []string
	bytes := 0
	for _, message := range messages {
		texts = append(texts, message.Content)
		bytes += len(message.Content)
	}
	usage.Read = reported.read()
	if !c.provider.near && usage.Read*mostBytes >= bytes {
		return // spares public proxies the work and the memory for a vocabulary
	}
	all, err := gauge.Of(texts...)
	if err != nil {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	shared := r.earlier.shared(messages)
	r.earlier.add(messages)
	fewest, highest := all.Bounds()
	if highest < least || float64(usage.Read) >= highest || usage.Read <= cached {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, judgeWithin)
	defer cancel()
	size := r.contextOf(ctx, c, m)
	usage.Context = size
	if size > 0 && highest < float64(size) || size == 0 && all.Guessed(usage.Read) {
		return // the whole prompt fits, or the server guesses
	}
	expected, known := r.tokenizer.Expect(&all)
	if !known && size == 0 && float64(usage.Read) > typical*all.Typical() {
		return // no reason to ask for more
	}
	if !known && c.provider.near {
		expected, known = r.expect(ctx, c, m, &all)
	}
	switch {
	case known:
	case float64(usage.Read) < fewest:
		expected = float64(EstimateChat(messages))
	default:
		return
	}
	full := usage.Read <= size && usage.Read >= size-2 && expected > wholeKnown*float64(size)
	switch {
	case full:
		usage.Sent, r.cuts = max(rounded(expected), usage.Read+1), true
	case float64(usage.Read) >= r.share(&all, size, usage.Read, expected)*expected:
		if known {
			r.wholeRead(&all, shared, usage.Read, expected)
		}
	case !reported.fits(expected) && !r.fromCache(shared, expected, usage.Read, known):
		usage.Sent, r.cuts = rounded(expected), true
	}
}

// share returns the part of the expected tokens from which on a prompt counts as read. It is
// larger if the prompt does not fit the known context, or if the latest prompts of its kind
// had more tokens than expected.
func (r *reading) share(all *gauge.Measure, size, read int, expected float64) float64 {
	if size > 0 && read <= size && expected > 1.05*float64(size) {
		return wholeKnown
	}
	ratios := slices.Sorted(slices.Values(r.ratios[all.Class()]))
	if len(ratios) < enough {
		return whole
	}
	return whole * max(1, ratios[len(ratios)/2])
}

// wholeRead learns from a prompt that was read whole.
func (r *reading) wholeRead(all *gauge.Measure, shared []string, read int, expected float64) {
	if n := r.sizeOf(shared, true); n > 2*slack && n > (1-whole)*expected {
		r.countsAll = true
	}
	if r.ratios == nil {
		r.ratios = map[gauge.Class][]float64{}
	}
	latest := append(r.ratios[all.Class()], float64(read)/expected)
	r.ratios[all.Class()] = latest[max(0, len(latest)-most):]
}

// fromCache reports whether a count can be explained by a server that does not count the
// tokens it has in its cache: the start that the prompt shares with an earlier one.
func (r *reading) fromCache(shared []string, expected float64, read int, known bool) bool {
	if len(shared) == 0 || r.countsAll {
		return false
	}
	rest := max(0, expected-r.sizeOf(shared, known))
	if r.cuts { // then this explains most small counts, too
		return math.Abs(float64(read)-rest) <= slack/3+0.04*rest
	}
	return math.Abs(float64(read)-rest) <= slack+0.12*rest
}

// sizeOf returns the expected tokens of texts.
func (r *reading) sizeOf(texts []string, known bool) float64 {
	if m, err := gauge.Of(texts...); err == nil && known {
		if n, ok := r.tokenizer.Expect(&m); ok {
			return n
		}
	}
	return float64(Estimate(texts...))
}

// rounded rounds an estimate to two digits.
func rounded(n float64) int {
	unit := math.Pow(10, max(0, math.Floor(math.Log10(n))-1))
	return int(math.Round(n/unit) * unit)
}

// expect returns the number of tokens that the model's tokenizer makes of a prompt. If
// necessary, the server counts samples first.
func (r *reading) expect(ctx context.Context, c *Client, m *model, all *gauge.Measure) (tokens float64, known bool) {
	if missing := r.tokenizer.Missing(all); len(missing) > 0 {
		if time.Since(r.failed) < keepSamples {
			return 0, false
		}
		for _, sample := range missing {
			n := m.count(ctx, c, sample)
			if n < 1 {
				r.failed = time.Now()
				return 0, false
			}
			r.tokenizer.Learn(sample, n)
		}
	}
	return r.tokenizer.Expect(all)
}

// count returns the number of tokens that a model's server counts for a sample, or 0. A
// random number before it, which has the same tokens as any other, keeps the sample out of
// the server's cache of prompts.
func (m *model) count(ctx context.Context, c *Client, sample string) int {
	body, err := m.chatBody([]protocol.ChatMessage{{Role: "user", Content: strconv.Itoa(100_000+rand.IntN(900_000)) + "\n" + sample}}, protocol.Params{MaxTokens: 1}, m.quirks.now())
	if err != nil {
		return 0
	}
	a := answer{emit: func(protocol.Part) error { return nil }, split: reasoning.New(false)}
	if failed := a.read(ctx, c, m, body); failed != nil || a.usage == nil {
		return 0
	}
	return a.usage.read()
}

// read returns the number of tokens that the model read: those counted, and those that came
// from a cache if they are counted apart.
func (t *tokens) read() int {
	if n := t.timings.Fresh + t.timings.Stored; n > 0 {
		return n
	}
	if t.Details.Cached > t.Prompt {
		return t.Prompt + t.Details.Cached
	}
	return t.Prompt
}

// fits reports whether the prompt is whole if the tokens from a cache are not among those
// counted. Most servers count them, some do not.
func (t *tokens) fits(expected float64) bool {
	sum := float64(t.Prompt + t.Details.Cached)
	return t.Details.Cached > 0 && sum >= 0.84*expected && sum <= expected/0.84
}

// history is the latest prompts for a model, as hashes of all their starts whose length is a
// multiple of block.
type history struct {
	seed  maphash.Seed
	known map[uint64]int // number of prompts with the start
	order [][]uint64
}

const (
	block   = 128 // bytes
	prompts = 64
)

func (h *history) hashes(messages []protocol.ChatMessage, each func(hash uint64, message, end int) bool) {
	if h.known == nil {
		h.seed, h.known = maphash.MakeSeed(), map[uint64]int{}
	}
	var sum maphash.Hash
	sum.SetSeed(h.seed)
	for i, m := range messages {
		sum.WriteString(m.Role + "\x00")
		for end := 0; end < len(m.Content); {
			next := min(end+block, len(m.Content))
			sum.WriteString(m.Content[end:next])
			if end = next; !each(sum.Sum64(), i, end) {
				return
			}
		}
	}
}

// shared returns the longest start of messages that an earlier prompt had, too.
func (h *history) shared(messages []protocol.ChatMessage) (texts []string) {
	h.hashes(messages, func(hash uint64, message, end int) bool {
		if h.known[hash] == 0 {
			return false
		}
		texts = append(texts[:min(len(texts), message)], messages[message].Content[:end])
		return true
	})
	return texts
}

// add remembers a prompt, and forgets the oldest one if there are too many.
func (h *history) add(messages []protocol.ChatMessage) {
	var all []uint64
	h.hashes(messages, func(hash uint64, _, _ int) bool {
		all = append(all, hash)
		return true
	})
	if h.order = append(h.order, all); len(h.order) > prompts {
		for _, hash := range h.order[0] {
			if h.known[hash]--; h.known[hash] == 0 {
				delete(h.known, hash)
			}
		}
		h.order = h.order[1:]
	}
	for _, hash := range all {
		h.known[hash]++
	}
}

// contextOf asks a server nearby for the context of the loaded model, with the methods of
// llama.cpp, Ollama, LM Studio and vLLM, at most once in a while. It returns 0 if none says
// it.
func (r *reading) contextOf(ctx context.Context, c *Client, m *model) int {
	if !c.provider.near {
		return 0
	}
	r.contextMu.Lock()
	defer r.contextMu.Unlock()
	if time.Since(r.asked) > keepContext {
		ctx, cancel := context.WithTimeout(ctx, contextWithin)
		defer cancel()
		r.context = max(0, askContext(ctx, &http.Client{Transport: c.transport.base, CheckRedirect: noRedirect}, &c.provider, m.Name))
		r.asked = time.Now()
	}
	return r.context
}
