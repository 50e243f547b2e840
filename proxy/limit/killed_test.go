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

// killed runs a test of this program again in a new process, with further variables. It
// kills the process after 20,000 granted tokens, and returns the tokens granted to each
// caller and in all.
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
	for lines := bufio.NewScanner(out); lines.Scan(); { // to the end, including grants before it died
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

// killedLimits are the limits of the process.
var killedLimits = Limits{Caller: tokens(100_000), Day: tokens(1_000_000)}

// spendUntilKilled runs in the process: it prints the caller of each ten tokens granted.
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

// checkKilled checks the book of a killed process: it must have at least the granted
// tokens, and at most a block more per account. It returns the total spent.
func checkKilled(t *testing.T, b Book, granted map[string]int64, all int64) int64 {
	t.Helper()
	open, spent := int64(10*len(granted)), int64(0) // open: granted, but not printed
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

// The other processes continue with the rest of the budget after one of them is killed.
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
