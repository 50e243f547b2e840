// Package redistest runs a private Redis for a test.
package redistest

import (
	"bytes"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"syscall"
	"testing"
	"time"

	"github.com/gomodule/redigo/redis"
)

// Server is a running Redis that listens on a socket file in its own folder.
type Server struct {
	Address string // unix:/path of the socket file

	t    testing.TB
	dir  string
	args []string
	cmd  *exec.Cmd
	log  *bytes.Buffer
	stop io.Closer
}

// Start starts a Redis that writes everything to disk, with further options of
// redis-server, until the test ends. It skips the test if Redis is not installed.
func Start(t testing.TB, options ...string) *Server {
	t.Helper()
	dir, err := os.MkdirTemp("", "redis") // a test's own folder may be too long for a socket
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	s := &Server{Address: "unix:" + filepath.Join(dir, "redis.sock"), t: t, dir: dir}
	s.args = append([]string{"--port", "0", "--unixsocket", filepath.Join(dir, "redis.sock"), "--dir", dir, "--save", "", "--appendonly", "yes", "--appendfsync", "always"}, options...)
	s.Start()
	t.Cleanup(s.Stop)
	return s
}

// find returns the path of the program.
func find(t testing.TB) string {
	t.Helper()
	for _, name := range []string{os.Getenv("REDIS_SERVER"), "redis-server", "valkey-server"} {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	t.Skip("there is no redis-server here: apt-get install redis-server, or name one in REDIS_SERVER")
	return ""
}

// Start starts it again after Stop, with the data on its disk.
func (s *Server) Start() {
	s.t.Helper()
	s.cmd, s.log = exec.Command(find(s.t), s.args...), &bytes.Buffer{}
	s.cmd.Stdout, s.cmd.Stderr = s.log, s.log
	if err := s.cmd.Start(); err != nil {
		s.t.Fatal(err)
	}
	// A separate process kills it, so that it does not outlive a test that is killed.
	killer := exec.Command("sh", "-c", "read _; kill -9 "+strconv.Itoa(s.cmd.Process.Pid))
	var err error
	if s.stop, err = killer.StdinPipe(); err == nil {
		err = killer.Start()
	}
	if err != nil {
		_ = s.cmd.Process.Kill()
		s.t.Fatal(err)
	}
	go func() { _ = killer.Wait() }()
	ended := make(chan error, 1)
	go func(cmd *exec.Cmd) { ended <- cmd.Wait() }(s.cmd)
	for {
		if c, err := s.dial(); err == nil {
			_, err = c.Do("DBSIZE") // an error while it is reading its disk
			c.Close()
			if err == nil || err.Error() == "NOAUTH Authentication required." {
				return
			}
		}
		select {
		case err := <-ended:
			s.t.Fatalf("redis-server has ended: %v\n%s", err, s.log)
		case <-time.After(5 * time.Millisecond):
		}
	}
}

func (s *Server) dial() (redis.Conn, error) {
	return redis.Dial("unix", filepath.Join(s.dir, "redis.sock"))
}

// Stop kills it, and returns when it no longer answers.
func (s *Server) Stop() {
	_ = s.stop.Close() // it may be stopped already
	for {
		c, err := s.dial()
		if err != nil {
			return
		}
		c.Close()
		time.Sleep(time.Millisecond)
	}
}

// Forget deletes its data on disk while it is stopped.
func (s *Server) Forget() {
	s.t.Helper()
	if err := os.RemoveAll(filepath.Join(s.dir, "appendonlydir")); err != nil {
		s.t.Fatal(err)
	}
	_ = os.Remove(filepath.Join(s.dir, "appendonly.aof")) // of older versions
}

// Hang makes it accept connections without answering, until Go.
func (s *Server) Hang() { s.signal(syscall.SIGSTOP) }

// Go ends Hang.
func (s *Server) Go() { s.signal(syscall.SIGCONT) }

func (s *Server) signal(signal syscall.Signal) {
	s.t.Helper()
	if err := s.cmd.Process.Signal(signal); err != nil {
		s.t.Fatal(err)
	}
}

// Do sends a command and returns the reply.
func (s *Server) Do(command string, args ...any) any {
	s.t.Helper()
	c, err := s.dial()
	if err != nil {
		s.t.Fatal(err)
	}
	defer c.Close()
	reply, err := c.Do(command, args...)
	if err != nil {
		s.t.Fatalf("%s: %v", command, err)
	}
	return reply
}

// FreePort returns an unused port of loopback.
func FreePort(t testing.TB) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return strconv.Itoa(l.Addr().(*net.TCPAddr).Port)
}
