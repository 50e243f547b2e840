package limit

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"seam/proxy/limit/redistest"
	"seam/shared/protocol"
)

// unwritten reports whether an error says that the book does not answer.
func unwritten(err error) bool { return errors.Is(err, errUnwritten) }

// watched returns a ledger over a Redis, and a function that returns the last error passed
// to Tell.
func watched(t *testing.T, s *redistest.Server, limits Limits) (l *Ledger, last func() error) {
	t.Helper()
	var mu sync.Mutex
	var told error
	b := openTestRedis(t, s)
	b.OnWrite(func(err error) { mu.Lock(); defer mu.Unlock(); told = err })
	return NewLedger(limits, b, atNoon), func() error { mu.Lock(); defer mu.Unlock(); return told }
}

// While Redis is down, only amounts that the process already holds are granted. Afterwards
// everything continues, including the spending so far.
func TestRedisAway(t *testing.T) {
	s := redistest.Start(t)
	l, last := watched(t, s, Limits{Day: tokens(100_000)})
	x, y := Payer{Session: "s", Caller: "x"}, Payer{Session: "s", Caller: "y"}
	for round := range 3 {
		if !ask(t, l, x, 1, 1) { // and a block in advance
			t.Fatal("refused")
		}
		s.Stop()
		for range 10 {
			if !ask(t, l, x, 1, 1) {
				t.Error("what is its own already is not granted")
			}
		}
		for _, who := range []Payer{x, y} {
			_, err := l.Reserve(context.Background(), who, tokens(2000))
			var e *protocol.Error
			if !unwritten(err) || !errors.As(err, &e) || strings.Contains(e.Message, "redis") {
				t.Errorf("%s: %v", who.Caller, err)
			}
		}
		if err := l.Probe(); err == nil || last() == nil || !strings.Contains(last().Error(), s.Address) {
			t.Errorf("nobody is told: %v", last())
		}
		if _, err := l.Spent(); err == nil {
			t.Error("what all have spent is known without the book")
		}
		s.Start()
		if err := l.Probe(); err != nil || last() != nil {
			t.Errorf("back again: %v, %v", err, last())
		}
		if spent, err := l.Spent(); err != nil || spent != tokens(11+int64(round)*2011) {
			t.Errorf("%+v spent: %v", spent, err)
		}
		if !ask(t, l, y, 2000, 2000) {
			t.Error("refused when it is back again")
		}
	}
	if err := l.Close(); err != nil || inRedis(t, s, Day.key(noon), everybody) != tokens(3*2011) {
		t.Errorf("%+v in the book: %v", inRedis(t, s, Day.key(noon), everybody), err)
	}
}

// If Redis does not answer, callers wait no longer than its time limit. A write that it
// does late, after the process has sent another, changes nothing.
func TestRedisHangs(t *testing.T) {
	s := redistest.Start(t)
	l, last := watched(t, s, Limits{Caller: tokens(5000), Day: tokens(10_000)})
	x, z := Payer{Session: "s", Caller: "x"}, Payer{Session: "s", Caller: "z"}
	if !ask(t, l, x, 10, 10) || !ask(t, l, z, 0, 0) {
		t.Fatal("refused")
	}
	for _, n := range []int64{3000, 1000} {
		s.Hang()
		if _, err := l.Reserve(context.Background(), z, tokens(n)); !unwritten(err) || last() == nil {
			t.Errorf("%v, %v", err, last())
		}
		s.Go()
		if !ask(t, l, x, 500, 500) {
			t.Error("refused when it answers again")
		}
		if got := inRedis(t, s, Day.key(noon), "c:z"); got != (Amount{}) {
			t.Errorf("%+v is kept for a request that was refused", got)
		}
	}
	other := instances(t, s, 1, Limits{Day: tokens(10_000)}, atNoon)[0]
	const left = 10_000 - 1010 - 100 // minus a block of the first ledger
	for !ask(t, other, Payer{Session: "s", Caller: "y"}, left, left) {
		time.Sleep(time.Millisecond) // until the first ledger has released the amount it asked for in vain
	}
	if err := l.Close(); err != nil || inRedis(t, s, Day.key(noon), everybody) != tokens(1010+left) || inRedis(t, s, Day.key(noon), "c:x") != tokens(1010) {
		t.Errorf("%+v and %+v in the book: %v", inRedis(t, s, Day.key(noon), everybody), inRedis(t, s, Day.key(noon), "c:x"), err)
	}
}

// A write that arrives after a later one of the same process is refused.
func TestLateWrite(t *testing.T) {
	s := redistest.Start(t)
	b := openTestRedis(t, s)
	row := func(n int64) []line { return []line{{"c:x", []int64{n, n}, []int64{n, n}, []int64{99, 99}}} }
	late := b.script(Day.key(noon), noon, 2, row(1))
	if _, err := b.Commit(rowOf(Day.key(noon), "c:x", Amount{5, 5}), nil); err != nil {
		t.Fatal(err)
	}
	if _, err := b.do(func() []command { return []command{late} }); !errors.Is(err, ErrRefused) || !strings.Contains(err.Error(), "LATE") {
		t.Errorf("%v", err)
	}
	if got := inRedis(t, s, Day.key(noon), "c:x"); got != (Amount{5, 5}) {
		t.Errorf("%+v", got)
	}
}

// If Redis loses its data, budgets start again, except for amounts that running processes
// hold and write again.
func TestRedisForgets(t *testing.T) {
	s := redistest.Start(t)
	l, _ := watched(t, s, Limits{Day: tokens(1000)})
	x := Payer{Session: "s", Caller: "x"}
	if !ask(t, l, x, 700, 700) {
		t.Fatal("refused")
	}
	s.Stop()
	s.Forget()
	s.Start()
	if got := inRedis(t, s, Day.key(noon), everybody); got != (Amount{}) {
		t.Fatalf("%+v is not forgotten", got)
	}
	if ask(t, l, x, 301, 301) || inRedis(t, s, Day.key(noon), everybody).Tokens < 700 {
		t.Error("the process that runs begins anew, too")
	}
}

// A refusal by Redis can be distinguished from its absence, and no error contains a
// password.
func TestRedisRefuses(t *testing.T) {
	const password, user = "a-secret-of-the-test", "seam"
	s := redistest.Start(t)
	s.Do("ACL", "SETUSER", user, "on", ">"+password, "~other:*", "+@all")
	s.Do("CONFIG", "SET", "requirepass", password)
	a, err := ParseRedis(s.Address)
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct{ user, password, says string }{
		{"", "", "NOAUTH"}, {"", "wrong-" + password, "WRONGPASS"}, {user, password, "NOPERM"}, {"", password, ""},
	} {
		a.user = tt.user
		b := OpenRedis(RedisOptions{Address: a, Prefix: "test:", Password: func() string { return tt.password }})
		defer b.Close()
		err := b.Check()
		_, taking := b.Commit(rowOf(Day.key(noon), "c:x", tokens(1)), nil)
		if tt.says == "" && (err != nil || taking != nil) {
			t.Errorf("with the password: %v, %v", err, taking)
		} else if tt.says != "" && (!errors.Is(err, ErrRefused) || !errors.Is(taking, ErrRefused) || !strings.Contains(err.Error(), tt.says) || strings.Contains(fmt.Sprint(err, taking), password)) {
			t.Errorf("%s: %v, %v", tt.says, err, taking)
		}
	}
	s.Stop()
	b := OpenRedis(RedisOptions{Address: a, Password: func() string { return password }})
	defer b.Close()
	if err := b.Check(); err == nil || errors.Is(err, ErrRefused) || strings.Contains(err.Error(), password) {
		t.Errorf("away: %v", err)
	}
}

// A key with foreign data is an error, not a budget.
func TestStrangeKeys(t *testing.T) {
	s := redistest.Start(t)
	l, last := watched(t, s, Limits{Day: tokens(1000)})
	x := Payer{Session: "s", Caller: "x"}
	key := "test:" + Day.key(noon)
	for _, command := range [][]any{{"SET", key, "a text"}, {"HSET", key, everybody, "a text"}, {"HSET", key, everybody, "-5 1"}, {"HSET", key, everybody, "1 2 3"}} {
		s.Do("DEL", key)
		s.Do(command[0].(string), command[1:]...)
		if _, err := l.Reserve(context.Background(), x, tokens(1)); !unwritten(err) || !errors.Is(last(), ErrRefused) && !strings.Contains(last().Error(), "WRONGTYPE") {
			t.Errorf("%q: %v, %v", command, err, last())
		}
	}
	s.Do("DEL", key)
	if !ask(t, l, x, 1, 1) {
		t.Error("refused without them")
	}
}

func TestParseRedis(t *testing.T) {
	for s, want := range map[string]string{
		"redis://127.0.0.1": "redis://127.0.0.1:6379/0", "redis://h:7/": "redis://h:7/0", "redis://me@h:7/3": "redis://h:7/3",
		"rediss://redis.example.org/15": "rediss://redis.example.org:6379/15", "redis://[::1]:6380": "redis://[::1]:6380/0", "unix:/run/redis.sock": "unix:/run/redis.sock",
	} {
		if a, err := ParseRedis(s); err != nil || a.String() != want {
			t.Errorf("%s: %q %v", s, a, err)
		}
	}
	if a, err := ParseRedis("redis://me@h"); err != nil || a.user != "me" {
		t.Errorf("%+v %v", a, err)
	}
	for s, says := range map[string]string{
		"": "is not a Redis address", "127.0.0.1:6379": "is not a Redis address", "http://h": "is not a Redis address", "redis://": "is not a Redis address", "redis://h:x": "is not a Redis address", "redis://h?db=1": "is not a Redis address",
		"redis://:hidden@h": "password_file", "redis://me:hidden@h/1": "password_file", "redis://h/x": "database", "redis://h/-1": "database", "redis://h:65536": "port", "unix:redis.sock": "socket file",
	} {
		if _, err := ParseRedis(s); err == nil || !strings.Contains(err.Error(), says) || strings.Contains(err.Error(), "hidden") {
			t.Errorf("%q: %v", s, err)
		}
	}
}
