package addone

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
)

// engine stores collections on a web server that accepts and serves files.
var engine = kind{
	name: "engine", readme: "proxy/remote/README.md", word: "shelf", most: 4,
	edits: []edit{
		{"proxy/remote/address.go", "\t{OpenSearch, \"OpenSearch\",", "\t{\"shelf\", \"files\", \"80\", \"host:80/NAME\", \"none\"},\n"},
		{"proxy/remote/engines/engines.go", "\t\"seam/proxy/remote/weaviate\"\n", "\t\"seam/proxy/remote/shelf\"\n"},
		{"proxy/remote/engines/engines.go", "\tcase remote.OpenSearch:\n", "\tcase \"shelf\":\n\t\treturn shelf.Open(a, key)\n"},
	},
	packages: []string{"./proxy/remote", "./proxy/remote/shelf", "./shared/arch"},
	tests:    []string{"TestShelf", "TestStopped", "TestParseAddress", "TestProxySizes"},
	check: func(t *testing.T, c tree) {
		var files sync.Map
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			b, ok := files.Load(r.URL.Path)
			switch {
			case r.Method == http.MethodPut:
				b, err := io.ReadAll(r.Body)
				if err != nil {
					t.Error(err)
				}
				files.Store(r.URL.Path, b)
			case ok:
				w.Write(b.([]byte))
			default:
				w.WriteHeader(http.StatusNotFound)
			}
		}))
		defer server.Close()
		address := "shelf://" + strings.TrimPrefix(server.URL, "http://") + "/trades"
		c.write(t, "crafts.txt", []byte("A mill grinds corn.\n\nA lathe turns wood."))
		c.seam(t, "", "push", "--to", address, "--method", "sentences", "crafts.txt")
		var found struct{ Hits []struct{ Text string } }
		out := c.seam(t, "", "search", "--remote", address, "--json", "who turns wood")
		if err := json.Unmarshal([]byte(out), &found); err != nil || len(found.Hits) == 0 || found.Hits[0].Text != "A lathe turns wood." {
			t.Errorf("seam search finds %s: %v", out, err)
		}
		if help := c.seam(t, "", "push", "-h"); !strings.Contains(help, "shelf://host:80/NAME") {
			t.Errorf("the help does not list the engine:\n%s", help)
		}
	},
}
