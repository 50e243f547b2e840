package main

import (
	"bytes"
	"encoding/json"
	"reflect"
	"testing"
	"time"

	engines "seam/shared/engine"
	"seam/shared/engine/rpc"
)

// The page's table must equal the one in the engine's hello.
func TestThePageHasTheEnginesFormats(t *testing.T) {
	rows, err := engineTables()
	if err != nil {
		t.Fatal(err)
	}
	var inner string
	var got, want any
	if err := json.Unmarshal([]byte(rows["__FORMATS__"]), &inner); err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal([]byte(inner), &got); err != nil {
		t.Fatal(err)
	}
	var answer []byte
	host := rpc.Host{Post: func(b []byte, _ [][]byte) { answer = b }, Now: func() time.Duration { return 0 }}
	<-rpc.NewServer(host, engines.New(engines.Host{}).Handlers()).Receive([]byte(`{"id":1,"method":"hello","params":{}}`), nil)
	var hello struct{ Result struct{ Formats any } }
	if err := json.Unmarshal(answer, &hello); err != nil {
		t.Fatal(err)
	}
	if want = hello.Result.Formats; want == nil || !reflect.DeepEqual(got, want) {
		t.Errorf("the page has %v, hello says %v", got, want)
	}
}

// The German bundle has the words of the engine's rows.
func TestGermanHasTheRows(t *testing.T) {
	rows, err := engineTables()
	if err != nil {
		t.Fatal(err)
	}
	bundle, err := bundlePart("..", "app/words/de.ts", rows, true)
	if err != nil {
		t.Fatal(err)
	}
	for name := range rows {
		if bytes.Contains(bundle, []byte(name)) {
			t.Errorf("nothing is put in for %s", name)
		}
	}
	if !bytes.Contains(bundle, []byte("reinen Text")) {
		t.Error("a plain text has no German name")
	}
}
