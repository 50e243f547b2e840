// Package enginetest starts search engines for tests, and tries what every engine has to
// do. The programs of the engines are looked for in the folder that SEAM_ENGINES names, into
// which proxy/remote/enginetest/install.sh puts them.
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

// installed is a file of the folder; without it the test is left out. Weaviate and
// OpenSearch are large and slow: their tests are those of make test-scale, which names the
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

// Process is a program of an engine.
type Process struct {
	*exec.Cmd
	ended chan struct{}
	log   bytes.Buffer
}

// site is where a node runs.
type site struct {
	client, peer string       // its addresses, for clients and for the other nodes
	run          func(func()) // does something in its network
}

// loopback is this machine.
var loopback = site{"127.0.0.1", "127.0.0.1", func(f func()) { f() }}

// start runs a program until the test ends; as another user where the test is root, as
// servers refuse to be it.
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

// Kill ends the process as a power cut would, with its children, and waits for that.
func (p *Process) Kill() {
	_ = syscall.Kill(-p.Process.Pid, syscall.SIGKILL)
	<-p.ended
}

// nobody is a user that is not root, where the test is.
func nobody() *syscall.Credential {
	if os.Getuid() != 0 {
		return nil
	}
	return &syscall.Credential{Uid: 65534, Gid: 65534}
}

// folder makes one that the engines' user can write to.
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

// freePorts are some that nothing listens on.
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

// freePairs are ports that nothing listens on, as little as on the ones behind them.
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

// await asks until there is an answer, or the process has ended.
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

// Postgres starts PostgreSQL with pgvector, and returns its address, ready for a database
// and a collection: postgres://user@host/database/
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
		"-c", "effective_cache_size=8GB") // which says how much memory an index may take
	await(t, p, func(ctx context.Context) error {
		ready := exec.CommandContext(ctx, filepath.Join(bin, "pg_isready"), "-h", "127.0.0.1", "-p", fmt.Sprint(port), "-d", "postgres")
		return ready.Run()
	})
	return fmt.Sprintf("postgres://seam@127.0.0.1:%d/postgres/", port), p
}

// own gives a folder with all in it to the engines' user.
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

// Ask reports whether an address answers with a success, and reads the JSON of that into to,
// unless that is nil.
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
