// Package enginetest starts search engines for tests, and has tests that every engine must
// pass. It looks for the engines' programs in the folder named by SEAM_ENGINES, where
// proxy/remote/enginetest/install.sh puts them.
package enginetest

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"
	"time"
)

// installed returns a file of the folder, and skips the test if it is missing. Tests of
// Weaviate and OpenSearch, which are large and slow, run in make test-scale, which sets the
// folder.
func installed(t testing.TB, pattern string, large bool) string {
	t.Helper()
	folder := os.Getenv("SEAM_ENGINES")
	if folder == "" && large {
		t.Skip("SEAM_ENGINES is not set: make test-scale sets it")
	}
	folder = cmp.Or(folder, "/var/tmp/seam-engines")
	found, _ := filepath.Glob(filepath.Join(folder, pattern))
	if len(found) == 0 {
		t.Skipf("%s is not installed in %s: proxy/remote/enginetest/install.sh does that", pattern, folder)
	}
	return found[0]
}

// Within bounds the start of an engine.
const Within = time.Minute

// Process is a running program of an engine.
type Process struct {
	*exec.Cmd
	ended chan struct{}
	log   bytes.Buffer
}

// site is the place where a node runs.
type site struct {
	client, peer string       // its addresses, for clients and for other nodes
	run          func(func()) // calls a function in its network
}

// loopback is this machine.
var loopback = site{"127.0.0.1", "127.0.0.1", func(f func()) { f() }}

// start runs a program until the test ends. If the test runs as root, the program runs as
// another user, because servers refuse to run as root.
func (s site) start(t testing.TB, dir string, env []string, name string, args ...string) *Process {
	t.Helper()
	p := &Process{Cmd: exec.Command(name, args...), ended: make(chan struct{})}
	p.Dir, p.Env, p.Stdout, p.Stderr = dir, append([]string{"PATH=" + os.Getenv("PATH"), "HOME=" + dir}, env...), &p.log, &p.log
	p.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Credential: nobody()}
	var err error
	if s.run(func() { err = p.Cmd.Start() }); err != nil {
		t.Fatal(err)
	}
	go func() {
		_ = p.Wait()
		close(p.ended)
	}()
	t.Cleanup(p.Kill)
	return p
}

// Kill kills the process and its children without warning, like a power cut, and waits
// until it has ended.
func (p *Process) Kill() {
	_ = syscall.Kill(-p.Process.Pid, syscall.SIGKILL)
	<-p.ended
}

// nobody returns the credentials of an unprivileged user if the test runs as root, or nil.
func nobody() *syscall.Credential {
	if os.Getuid() != 0 {
		return nil
	}
	return &syscall.Credential{Uid: 65534, Gid: 65534}
}

// folder makes a folder that the engines' user can write to.
func folder(t testing.TB) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "seam-engine-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	if c := nobody(); c != nil {
		if err := os.Chown(dir, int(c.Uid), int(c.Gid)); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// freePorts returns unused ports.
func freePorts(t testing.TB, n int) (ports []int) {
	t.Helper()
	for range n {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		defer l.Close()
		ports = append(ports, l.Addr().(*net.TCPAddr).Port)
	}
	return ports
}

// freePairs returns unused ports for which the next port is also unused.
func freePairs(t testing.TB, n int) (ports []int) {
	t.Helper()
	for range 1000 {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		defer l.Close()
		port := l.Addr().(*net.TCPAddr).Port
		next, err := net.Listen("tcp", fmt.Sprintf("127.0.0.1:%d", port+1))
		if err != nil {
			continue
		}
		defer next.Close()
		if ports = append(ports, port); len(ports) == n {
			return ports
		}
	}
	t.Fatal("no two free ports stand together")
	return nil
}

// await calls ask until it succeeds, and fails the test if the process ends first.
func await(t testing.TB, p *Process, ask func(context.Context) error) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), Within)
	defer cancel()
	for {
		err := ask(ctx)
		if err == nil {
			return
		}
		select {
		case <-p.ended:
			t.Fatalf("%s has ended: %s", p.Path, p.log.Bytes())
		case <-ctx.Done():
			t.Fatalf("%s does not answer: %v: %s", p.Path, err, p.log.Bytes())
		case <-time.After(50 * time.Millisecond):
		}
	}
}

// Postgres starts PostgreSQL with pgvector. It returns the address without a database and a
// collection: postgres://user@host/database/
func Postgres(t testing.TB) (address string, p *Process) {
	t.Helper()
	bin := filepath.Dir(installed(t, "pg/lib/python3*/site-packages/pgserver/pginstall/bin/postgres", false))
	dir := folder(t)
	data := filepath.Join(dir, "data")
	initdb := exec.Command(filepath.Join(bin, "initdb"), "-D", data, "-U", "seam", "--auth=trust", "--encoding=UTF8", "--locale=C", "--no-sync")
	initdb.SysProcAttr = &syscall.SysProcAttr{Credential: nobody()}
	initdb.Dir = dir
	if b, err := initdb.CombinedOutput(); err != nil {
		t.Fatalf("initdb: %v: %s", err, b)
	}
	port := freePorts(t, 1)[0]
	p = loopback.start(t, dir, nil, filepath.Join(bin, "postgres"), "-D", data, "-p", fmt.Sprint(port), "-k", dir, "-c", "listen_addresses=127.0.0.1",
		"-c", "effective_cache_size=8GB") // sets how much memory an index may use
	await(t, p, func(ctx context.Context) error {
		ready := exec.CommandContext(ctx, filepath.Join(bin, "pg_isready"), "-h", "127.0.0.1", "-p", fmt.Sprint(port), "-d", "postgres")
		return ready.Run()
	})
	return fmt.Sprintf("postgres://seam@127.0.0.1:%d/postgres/", port), p
}

// own gives a folder and its contents to the engines' user.
func own(t testing.TB, dir string) {
	c := nobody()
	if c == nil {
		return
	}
	err := filepath.WalkDir(dir, func(path string, _ fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		return os.Lchown(path, int(c.Uid), int(c.Gid))
	})
	if err != nil {
		t.Fatal(err)
	}
}

// Ask requests an address and returns an error unless the status is a success. It decodes
// the JSON answer into to, unless to is nil.
func Ask(ctx context.Context, address string, to any) error {
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return err
	}
	response, err := http.DefaultClient.Do(r)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		return errors.New(response.Status)
	}
	if to == nil {
		return nil
	}
	return json.NewDecoder(response.Body).Decode(to)
}
