package upstreamtest

import (
	"io"
	"math"
	"net/http"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"
)

func TestVector(t *testing.T) {
	a, b := Vector("a", 8), Vector("b", 8)
	if !slices.Equal(a, Vector("a", 8)) || slices.Equal(a, b) {
		t.Error("vectors do not follow from their texts")
	}
	sum := 0.0
	for _, x := range a {
		sum += float64(x) * float64(x)
	}
	if math.Abs(sum-1) > 1e-5 {
		t.Errorf("length %v", math.Sqrt(sum))
	}
}

func TestParseScript(t *testing.T) {
	got, err := ParseScript("status=429; retry-after=2;fault=cut-stream; chunk-delay=50ms; words=a b")
	want := Script{Status: 429, RetryAfter: "2", Fault: CutStream, ChunkDelay: 50 * time.Millisecond, Words: []string{"a ", "b"}}
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("%+v, %v; want %+v", got, err, want)
	}
	for _, bad := range []string{"fault=none", "status=x", "speed=1", "chunk-delay=5"} {
		if _, err := ParseScript(bad); err == nil || !strings.Contains(err.Error(), bad) {
			t.Errorf("%s: %v", bad, err)
		}
	}
	if s, err := ParseScript(""); err != nil || !reflect.DeepEqual(s, Script{}) {
		t.Errorf("an empty script is %+v, %v", s, err)
	}
}

func TestQueue(t *testing.T) {
	s := Start(Script{Status: 500}, Script{Status: 503, RetryAfter: "7"})
	defer s.Close()
	s.Always(Script{Status: 418})
	for _, want := range []int{500, 503, 418, 418} {
		r, err := http.Post(s.BaseURL+"/embeddings", "application/json", strings.NewReader(`{"model":"m","input":["a","b"]}`))
		if err != nil {
			t.Fatal(err)
		}
		io.Copy(io.Discard, r.Body)
		r.Body.Close()
		if r.StatusCode != want || (r.Header.Get("Retry-After") == "7") != (want == 503) {
			t.Errorf("status %d with %v, want %d", r.StatusCode, r.Header, want)
		}
	}
	if r := s.Requests(); len(r) != 4 || r[0].Model != "m" || len(r[0].Texts) != 2 || r[0].Path != "/v1/embeddings" {
		t.Errorf("recorded %+v", r)
	}
}
