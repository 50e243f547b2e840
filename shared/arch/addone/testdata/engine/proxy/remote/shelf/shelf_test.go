package shelf

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"seam/proxy/remote"
	"seam/proxy/remote/enginetest"
)

// server takes and gives files.
func server(t testing.TB) *httptest.Server {
	var files sync.Map
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodPut {
			b, err := io.ReadAll(r.Body)
			if err != nil {
				w.WriteHeader(http.StatusBadRequest)
			}
			files.Store(r.URL.Path, b)
			return
		}
		b, ok := files.Load(r.URL.Path)
		if !ok {
			w.WriteHeader(http.StatusNotFound)
			return
		}
		w.Write(b.([]byte))
	}))
	t.Cleanup(s.Close)
	return s
}

func TestShelf(t *testing.T) {
	enginetest.Suite(t, func(t testing.TB) enginetest.Opener {
		host := strings.TrimPrefix(server(t).URL, "http://")
		return func(t testing.TB, collection string) remote.Engine {
			return enginetest.Opened(t, "shelf://"+host+"/"+collection, func(a remote.Address, key string) (remote.Engine, error) { return Open(a, key) })
		}
	})
}

func TestStopped(t *testing.T) {
	e, err := Open(remote.Address{Hosts: []string{strings.TrimPrefix(server(t).URL, "http://")}, Collection: "docs"}, "")
	if err != nil {
		t.Fatal(err)
	}
	enginetest.Stopped(t, e)
}
