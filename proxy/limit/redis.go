package limit

import (
	"context"
	"crypto/rand"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/gomodule/redigo/redis"
)

// RedisAddress is the address of a Redis and the user to log in as. It has no password.
type RedisAddress struct {
	network, address string
	user             string
	database         int
	tls              bool
}

// ParseRedis parses redis://[user@]host[:6379][/0], rediss:// for TLS, or unix:/path of a
// socket file. Its error does not repeat the input, which may have a password.
func ParseRedis(s string) (a RedisAddress, err error) {
	if path, ok := strings.CutPrefix(s, "unix:"); ok {
		if !strings.HasPrefix(path, "/") {
			return a, errors.New("is not a valid socket file: write it like unix:/run/redis/redis.sock")
		}
		return RedisAddress{network: "unix", address: path}, nil
	}
	u, err := url.Parse(s)
	if err != nil || u.Scheme != "redis" && u.Scheme != "rediss" || u.Hostname() == "" || u.RawQuery != "" || u.Fragment != "" {
		return a, errors.New("is not a Redis address: write it like redis://127.0.0.1:6379/0, rediss:// for TLS, or unix:/run/redis/redis.sock")
	}
	if _, secret := u.User.Password(); secret {
		return a, errors.New("holds a password: put it into a variable or a file, and set password_env or password_file")
	}
	if path := strings.TrimPrefix(u.Path, "/"); path != "" {
		if a.database, err = strconv.Atoi(path); err != nil || a.database < 0 {
			return a, errors.New("has an invalid database number: write it like redis://127.0.0.1:6379/0")
		}
	}
	port := u.Port()
	if port == "" {
		port = "6379"
	}
	if _, err := strconv.ParseUint(port, 10, 16); err != nil {
		return a, errors.New("has an invalid port: write it like redis://127.0.0.1:6379/0")
	}
	a.network, a.address, a.user, a.tls = "tcp", net.JoinHostPort(u.Hostname(), port), u.User.Username(), u.Scheme == "rediss"
	return a, nil
}

// String returns the address without the user.
func (a RedisAddress) String() string {
	switch {
	case a.network == "unix":
		return "unix:" + a.address
	case a.tls:
		return fmt.Sprintf("rediss://%s/%d", a.address, a.database)
	}
	return fmt.Sprintf("redis://%s/%d", a.address, a.database)
}

// RedisOptions are the options of a RedisBook.
type RedisOptions struct {
	Address  RedisAddress
	Password func() string // called for each connection; "": none
	Prefix   string        // of all keys
}

// RedisBook is a Book in a Redis that several processes share. For each window there is a
// hash with the totals of its accounts, and one for each process with that process's own
// amounts. Both expire KeptDays after the window's end. The book is as durable as the
// Redis. If Redis does not answer, calls fail after answersWithin; once it answers again,
// they succeed.
type RedisBook struct {
	options RedisOptions
	tell    func(error)
	process string // id of this process
	pool    redis.Pool

	// Only for Take, which is not called concurrently.
	turn    int64            // counts the writes sent
	counted map[spending]Use // by this process
}

const (
	// answersWithin is the time limit to connect and to answer.
	answersWithin = 2 * time.Second
	// rowsAtOnce is how many rows one script writes. Redis does nothing else meanwhile.
	rowsAtOnce = 500
	// mostKept is the largest integer that a script represents exactly.
	mostKept = 1 << 53
)

// ErrRefused is the error if Redis answers but cannot be used: it needs another password or
// user, may not write, or has foreign data under the keys.
var ErrRefused = errors.New("refused")

// OpenRedis returns a book. It connects on first use.
func OpenRedis(o RedisOptions) *RedisBook {
	b := &RedisBook{options: o, process: rand.Text()[:12], counted: map[spending]Use{}, tell: func(error) {}}
	b.pool = redis.Pool{DialContext: b.dial, MaxIdle: 4, MaxActive: 16, Wait: true, IdleTimeout: time.Minute}
	return b
}

// Close closes the connections.
func (b *RedisBook) Close() error { return b.pool.Close() }

// Shared implements Book.
func (b *RedisBook) Shared() bool { return true }

// dial connects. The first exchange on a connection must end before ctx's deadline.
func (b *RedisBook) dial(ctx context.Context) (redis.Conn, error) {
	a := b.options.Address
	options := []redis.DialOption{redis.DialReadTimeout(answersWithin), redis.DialWriteTimeout(answersWithin), redis.DialDatabase(a.database),
		redis.DialUseTLS(a.tls), redis.DialTLSConfig(&tls.Config{MinVersion: tls.VersionTLS12}),
		redis.DialContextFunc(func(ctx context.Context, network, address string) (net.Conn, error) {
			c, err := (&net.Dialer{}).DialContext(ctx, network, address)
			if end, ok := ctx.Deadline(); ok && err == nil {
				err = c.SetDeadline(end) // the TLS handshake has no other deadline
			}
			return c, err
		})}
	if b.options.Password != nil {
		options = append(options, redis.DialUsername(a.user), redis.DialPassword(b.options.Password()))
	}
	return redis.DialContext(ctx, a.network, a.address, options...)
}

// command is a command for Redis.
type command struct {
	name string
	args []any
}

// do sends commands together and returns their replies. If an open connection turns out to
// be closed, it sends new ones on a new connection.
func (b *RedisBook) do(commands func() []command) (replies []any, err error) {
	ctx, cancel := context.WithTimeout(context.Background(), answersWithin)
	defer cancel()
	c, err := b.pool.GetContext(ctx)
	if err == nil {
		replies, err = exchange(ctx, c, commands())
		c.Close()
		if err != nil && !definite(err) && ctx.Err() == nil {
			if c, err = b.dial(ctx); err == nil {
				replies, err = exchange(ctx, c, commands())
				c.Close()
			}
		}
	}
	switch {
	case err == nil:
		return replies, nil
	case errors.As(err, new(redis.Error)):
		err = fmt.Errorf("%w: %w", ErrRefused, err)
	case ctx.Err() != nil:
		err = fmt.Errorf("no answer in %v: %w", answersWithin, err)
	}
	return nil, fmt.Errorf("budget at %s: %w", b.options.Address, err)
}

// definite reports whether an immediate retry would fail the same way.
func definite(err error) bool {
	var network net.Error
	return errors.As(err, new(redis.Error)) || errors.As(err, &network) && network.Timeout()
}

func exchange(ctx context.Context, c redis.Conn, commands []command) (replies []any, err error) {
	for _, command := range commands {
		if err := c.Send(command.name, command.args...); err != nil {
			return nil, err
		}
	}
	if err := c.Flush(); err != nil {
		return nil, err
	}
	end, _ := ctx.Deadline()
	for range commands {
		reply, err := redis.ReceiveWithTimeout(c, max(time.Until(end), time.Millisecond))
		if err != nil {
			return nil, err
		}
		replies = append(replies, reply)
	}
	return replies, nil
}

// Check checks before first use that Redis grants the rights the book needs. ErrRefused
// distinguishes a wrong configuration from an unreachable Redis.
func (b *RedisBook) Check() error {
	_, err := b.do(func() []command { return []command{{"PING", nil}} }) // has a clearer error if a password is missing
	if err == nil {
		_, err = b.do(func() []command { return []command{b.script("check", time.Now().Add(time.Minute), 1, nil)} })
	}
	return err
}

// OnWrite sets a function that is called with the error, or nil, of each write and each failed
// read. It must be called before the book is used.
func (b *RedisBook) OnWrite(tell func(error)) { b.tell = tell }

// keys returns the hashes of a window: the one for all processes and the one for this
// process.
func (b *RedisBook) keys(window string) (all, own string) {
	return b.options.Prefix + window, b.options.Prefix + window + ":" + b.process
}
