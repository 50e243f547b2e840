package remote

import (
	"reflect"
	"strings"
	"testing"
)

func TestParseAddress(t *testing.T) {
	options := Options{Replicas: 1, Shards: 1, Words: "english", Index: "hnsw", GRPC: []int{50051}}
	with := func(change func(*Options)) Options {
		o := options
		change(&o)
		return o
	}
	for s, want := range map[string]Address{
		"weaviate://127.0.0.1/docs":                         {Engine: Weaviate, Hosts: []string{"127.0.0.1:8080"}, Collection: "docs", Options: options},
		"postgresql://jane%40x@[::1]:5433/db/docs":          {Engine: Postgres, User: "jane@x", Hosts: []string{"[::1]:5433"}, Database: "db", Collection: "docs", Options: options},
		"postgres://db.example.org/db/docs/":                {Engine: Postgres, Hosts: []string{"db.example.org:5432"}, Database: "db", Collection: "docs", Options: with(func(o *Options) { o.TLS = true })},
		"opensearch://a:1,b/docs?tls=off&replicas=2":        {Engine: OpenSearch, Hosts: []string{"a:1", "b:9200"}, Collection: "docs", Options: with(func(o *Options) { o.Replicas = 2 })},
		"weaviate://localhost:1,localhost:2/docs?grpc=3,4":  {Engine: Weaviate, Hosts: []string{"localhost:1", "localhost:2"}, Collection: "docs", Options: with(func(o *Options) { o.GRPC = []int{3, 4} })},
		"postgres://localhost/db/docs?index=exact&tls=on":   {Engine: Postgres, Hosts: []string{"localhost:5432"}, Database: "db", Collection: "docs", Options: with(func(o *Options) { o.Index, o.TLS = "exact", true })},
		"opensearch://localhost/docs?words=german&ca=c.pem": {Engine: OpenSearch, Hosts: []string{"localhost:9200"}, Collection: "docs", Options: with(func(o *Options) { o.Words, o.CA = "german", "c.pem" })},
	} {
		if got, err := ParseAddress(s); err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%s is %+v, %v", s, got, err)
		}
	}
	for s, want := range map[string]string{
		"":                                   "begins with",
		"mysql://localhost/docs":             "begins with",
		"weaviate://localhost":               "collection name",
		"weaviate://localhost/a/b":           "collection name",
		"weaviate://localhost/Docs":          "lowercase letters",
		"weaviate:///docs":                   "invalid host",
		"weaviate://localhost:x/docs":        "invalid host",
		"weaviate://localhost:99999/docs":    "invalid host",
		"weaviate://a,/docs":                 "invalid host",
		"postgres://localhost/docs":          "a database and a collection",
		"postgres://localhost//docs":         "a database and a collection",
		"opensearch://h/docs?replica=2":      "choose from tls, ca",
		"opensearch://h/docs?replicas=0":     "1 or more",
		"opensearch://h/docs?words=klingon":  "choose from simple",
		"weaviate://a,b,c/docs?grpc=1,2":     "one for each of 3 hosts",
		"postgres://h/db/docs;drop":          "lowercase letters",
		"weaviate://jane:hunter2@host/docs":  "holds a password",
		"opensearch://:hunter2@[::1/x?tls=1": "holds a password",
	} {
		_, err := ParseAddress(s)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", s, err, want)
		}
		if err != nil && strings.Contains(err.Error(), "hunter2") {
			t.Errorf("%v shows the password", err)
		}
	}
}
