package hosted

import (
	"context"
	"fmt"
	"sync"

	"seam/proxy/command/terminal"
	"seam/proxy/runfile"
	"seam/shared/embed/remote"
	"seam/shared/protocol"
)

// Spent counts the requests and tokens a run sent to hosted models. It is safe for concurrent use.
type Spent struct {
	mu       sync.Mutex
	Requests int                       // requests to models that write
	chats    map[string]protocol.Usage // their usage, by model name
	texts    int                       // number of texts embedded
	embedded int                       // tokens in these texts
}

func (s *Spent) chat(model string, u protocol.Usage) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.chats == nil {
		s.chats = map[string]protocol.Usage{}
	}
	s.Requests++
	sum := s.chats[model]
	sum.Tokens, sum.TokensOut = sum.Tokens+u.Tokens, sum.TokensOut+u.TokensOut
	s.chats[model] = sum
}

// Metered is a client that counts embedded texts and tokens.
type Metered struct {
	remote.Client
	Sent *Spent
}

// Embed implements remote.Client.
func (m Metered) Embed(ctx context.Context, model string, texts []string, dims int, got func(i int, v []float32) error) (protocol.Usage, error) {
	usage, err := m.Client.Embed(ctx, model, texts, dims, got)
	m.Sent.mu.Lock()
	defer m.Sent.mu.Unlock()
	m.Sent.texts += len(texts)
	m.Sent.embedded += usage.Tokens
	return usage, err
}

// Bill adds up prices.
type Bill struct {
	dollars float64
	unknown bool // a price was needed but unknown
}

// Add adds tokens at a price in dollars per million, nil if unknown.
func (b *Bill) Add(tokens int, price *float64) {
	if price == nil {
		b.unknown = true
		return
	}
	b.dollars += float64(tokens) * *price / 1e6
}

// Sum returns the total in dollars, or nil if a price was unknown.
func (b *Bill) Sum() *float64 {
	if b.unknown {
		return nil
	}
	return &b.dollars
}

// Report prints the amount sent and its price. It also names the run's file, or says that not
// everything could be kept. prices returns the prices of a model that writes; embedding is
// the price of the embedding model. A nil price is unknown.
func (s *Spent) Report(std terminal.IO, prices func(model string) (in, out *float64, err error), embedding *float64, run *runfile.File, name string) {
	var all protocol.Usage
	var b Bill
	for model, u := range s.chats {
		in, out, _ := prices(model) // already looked up
		b.Add(u.Tokens, in)
		b.Add(u.TokensOut, out)
		all.Tokens, all.TokensOut = all.Tokens+u.Tokens, all.TokensOut+u.TokensOut
	}
	if s.texts > 0 {
		b.Add(s.embedded, embedding)
	}
	say := fmt.Sprintf("seam: sent %d requests: %d tokens read, %d written", s.Requests, all.Tokens, all.TokensOut)
	if s.texts > 0 {
		say += fmt.Sprintf("; embedded %d texts of %d tokens", s.texts, s.embedded)
	}
	if sum := b.Sum(); sum != nil && s.Requests+s.texts > 0 {
		say += fmt.Sprintf(", about $%.4f", *sum)
	}
	trouble := run.Trouble()
	if name != "" && trouble == nil {
		say += "; the run is stored in " + terminal.Shown(name)
	}
	fmt.Fprintln(std.Err, say)
	if trouble != nil {
		fmt.Fprintf(std.Err, "seam: %s is incomplete, and the rest would be requested again: %s\n", terminal.Shown(name), terminal.Reason(trouble))
	}
}

// ChatPrices returns a model's prices in dollars per million tokens. They come from the
// proxy, or for a provider from said. A nil price is unknown.
func ChatPrices(p *Proxy, said []float64, model string) (in, out *float64, err error) {
	if p.ack == nil {
		if len(said) == 2 {
			return &said[0], &said[1], nil
		}
		return nil, nil, nil
	}
	m, err := p.Model(model, protocol.Chatting)
	return m.Price, m.PriceOut, err
}

// ChatOptions are the options for models that write.
type ChatOptions struct {
	Chat []float64 `name:"chat-price" placeholder:"IN,OUT" help:"Price at --base-url in dollars of a million input and output tokens of the model that writes."`
}

// Check refuses malformed prices.
func (o ChatOptions) Check() error {
	return CheckPrices("--chat-price", o.Chat)
}

// CheckPrices returns an error unless an option's prices are absent or two non-negative
// numbers.
func CheckPrices(option string, said []float64) error {
	if n := len(said); n != 0 && (n != 2 || !(said[0] >= 0) || !(said[1] >= 0)) {
		return terminal.Usagef("%s needs two numbers: dollars per million input and output tokens, such as 0.15,0.60", option)
	}
	return nil
}

// AnnounceOffer prints the largest amount that will be sent to models that write, and its
// price, or "unknown" if dollars is nil. With dry it prints what would be sent.
func AnnounceOffer(std terminal.IO, dry bool, say string, dollars *float64) error {
	return AnnouncePrice(std, dry, say, dollars, ", minus answers already stored")
}

// AnnouncePrice is like AnnounceOffer, with behind added after the price.
func AnnouncePrice(std terminal.IO, dry bool, say string, dollars *float64, behind string) error {
	price := "price unknown"
	if dollars != nil && *dollars == 0 {
		price = "free"
	} else if dollars != nil {
		price = fmt.Sprintf("about $%.4f", *dollars)
	}
	return AnnounceRequest(std, dry, say+": "+price+behind)
}

// AnnounceRequest announces a request on stderr. In a dry run it prints the request to stdout as
// one that would be sent.
func AnnounceRequest(std terminal.IO, dry bool, what string) error {
	out, verb := std.Err, "seam: sending "
	if dry {
		out, verb = std.Out, "would send "
	}
	_, err := fmt.Fprintln(out, verb+what)
	return err
}
