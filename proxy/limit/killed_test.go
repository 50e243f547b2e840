package limit

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"sync"
	"testing"

	"seam/proxy/limit/redistest"
)

// killed runs a test of this program again as a process of its own, with more variables,
// kills it when it has granted 20,000 tokens, and returns what it has granted to whom.
func killed(t *testing.T, test string, environ ...string) (granted map[string]int64, all int64) {
	t.Helper()
	cmd := exec.Command(os.Args[0], "-test.run", "^"+test+"$")
	cmd.Env = append(os.Environ(), environ...)
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	granted = map[string]int64{}
	for lines := bufio.NewScanner(out); lines.Scan(); { // to the end: what it had granted before it died, too
		granted[lines.Text()] += 10
		if all += 10; all == 20_000 {
			if err := cmd.Process.Kill(); err != nil {
				t.Fatal(err)
			}
		}
	}
	_ = cmd.Wait()
	if all < 20_000 {
		t.Fatalf("the process ended by itself, after %d tokens", all)
	}
	return granted, all
}

// killedLimits are those of the process.
var killedLimits = Limits{Caller: tokens(100_000), Day: tokens(1_000_000)}

// spendUntilKilled is what the process does: it says whom it has granted ten tokens.
func spendUntilKilled(b Book, callers int) {
	l := NewLedger(killedLimits, b, atNoon)
	var all sync.WaitGroup
	for i := range callers {
		all.Go(func() {
			for {
				name := fmt.Sprint("192.0.2.", i)
				r, err := l.Reserve(context.Background(), Payer{Session: name, Caller: name}, tokens(10))
				if err != nil {
					return
				}
				fmt.Println(name)
				_ = r.Settle(tokens(10))
			}
		})
	}
	all.Wait()
}

// checkKilled looks at the book of a process that was killed: it has spent at least what
// it granted, and at most a block of each account more. It returns what all have spent.
func checkKilled(t *testing.T, b Book, granted map[string]int64, all int64) int64 {
	t.Helper()
	open, spent := int64(10*len(granted)), int64(0) // open: granted, and not said yet
	for name, n := range granted {
		a, err := b.Spent(Day.key(noon), []string{"c:" + name, everybody})
		if err != nil {
			t.Fatal(err)
		}
		if got := a[0].All.Tokens; got < n || got > n+1000+10 {
			t.Errorf("%d tokens were granted to %s, %d are written down", n, name, got)
		}
		if spent = a[1].All.Tokens; spent < all || spent > all+10_000+open {
			t.Errorf("%d tokens were granted, %d are written down", all, spent)
		}
	}
	return spent
}

func TestKilled(t *testing.T) {
	if path := os.Getenv("SEAM_TEST_BOOK"); path != "" {
		b, err := OpenBook(path)
		if err != nil {
			panic(err)
		}
		callers, _ := strconv.Atoi(os.Getenv("SEAM_TEST_CALLERS"))
		spendUntilKilled(b, callers)
		return
	}
	for _, callers := range []string{"1", "200"} {
		t.Run(callers, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "budget.db")
			granted, all := killed(t, "TestKilled", "SEAM_TEST_BOOK="+path, "SEAM_TEST_CALLERS="+callers)
			b, err := OpenBook(path)
			if err != nil {
				t.Fatal(err)
			}
			defer b.Close()
			checkKilled(t, b, granted, all)
		})
	}
}

// The others go on with the rest of what a process has shared that is killed.
func TestSharedKilled(t *testing.T) {
	if address := os.Getenv("SEAM_TEST_REDIS"); address != "" {
		a, err := ParseRedis(address)
		if err != nil {
			panic(err)
		}
		spendUntilKilled(OpenRedis(RedisOptions{Address: a, Prefix: "test:"}), 50)
		return
	}
	s := redistest.Start(t)
	granted, all := killed(t, "TestSharedKilled", "SEAM_TEST_REDIS="+s.Address)
	b := openTestRedis(t, s)
	rest := killedLimits.Day.Tokens - checkKilled(t, b, granted, all)
	l, x := NewLedger(Limits{Day: killedLimits.Day}, b, atNoon), Payer{Session: "s", Caller: "x"}
	if !ask(t, l, x, rest, rest) || ask(t, l, x, 1, 1) {
		t.Error("the rest is not what another can spend")
	}
}
