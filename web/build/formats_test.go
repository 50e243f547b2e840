package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"testing"
)

// The page has the table that the engine tells in its hello, whose fixture the
// engine's tests compare with what it says.
func TestThePageHasTheEnginesFormats(t *testing.T) {
	quoted, err := formatTable()
	if err != nil {
		t.Fatal(err)
	}
	var inner string
	var got, want any
	if err := json.Unmarshal([]byte(quoted), &inner); err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal([]byte(inner), &got); err != nil {
		t.Fatal(err)
	}
	b, err := os.ReadFile(filepath.Join("..", "..", "shared", "engine", "rpc", "testdata", "hello.json"))
	if err != nil {
		t.Fatal(err)
	}
	var hello struct {
		Answer struct{ Result struct{ Formats any } }
	}
	if err := json.Unmarshal(b, &hello); err != nil {
		t.Fatal(err)
	}
	if want = hello.Answer.Result.Formats; want == nil || !reflect.DeepEqual(got, want) {
		t.Errorf("the page has %v, hello says %v", got, want)
	}
}
