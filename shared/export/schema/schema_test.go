package schema_test

import (
	"encoding/json"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"

	"seam/shared/export"
	"seam/shared/export/schema"
	"seam/shared/export/schema/schematest"
)

type def struct {
	Type       any
	Const      any
	Enum       []any
	Ref        string `json:"$ref"`
	AnyOf      []def  `json:"anyOf"`
	Items      *def
	Required   []string
	Properties map[string]def
}

func defs(t *testing.T) map[string]def {
	t.Helper()
	var all struct {
		ID   string         `json:"$id"`
		Defs map[string]def `json:"$defs"`
	}
	if err := json.Unmarshal([]byte(schema.All), &all); err != nil {
		t.Fatal(err)
	}
	if all.ID != export.ID {
		t.Errorf("the schema is %s, but files have %s", all.ID, export.ID)
	}
	return all.Defs
}

// field is a key of a Go type as encoding/json writes it.
type field struct {
	kind     reflect.Type
	optional bool
}

func fieldsOf(kind reflect.Type) map[string]field {
	all := map[string]field{}
	for _, f := range reflect.VisibleFields(kind) {
		name, options, _ := strings.Cut(f.Tag.Get("json"), ",")
		if !f.Anonymous {
			all[name] = field{f.Type, strings.Contains(options, "omitempty")}
		}
	}
	return all
}

// typesOf returns the JSON types that the schema allows.
func typesOf(all map[string]def, d def) (types []string) {
	if d.Ref != "" {
		return typesOf(all, all[strings.TrimPrefix(d.Ref, "#/$defs/")])
	}
	for _, one := range d.AnyOf {
		types = append(types, typesOf(all, one)...)
	}
	switch v := d.Type.(type) {
	case string:
		types = append(types, v)
	case []any:
		for _, one := range v {
			types = append(types, one.(string))
		}
	}
	if d.Const != nil || d.Enum != nil {
		types = append(types, "string")
	}
	slices.Sort(types)
	return types
}

// written returns the JSON types that encoding/json writes for a field. A pointer with
// omitempty is never null.
func written(f field) (types []string) {
	kind := f.kind
	if kind.Kind() == reflect.Pointer {
		if !f.optional {
			types = append(types, "null")
		}
		kind = kind.Elem()
	}
	switch kind.Kind() {
	case reflect.Int:
		types = append(types, "integer")
	case reflect.Float64:
		types = append(types, "number")
	case reflect.String:
		types = append(types, "string")
	case reflect.Bool:
		types = append(types, "boolean")
	case reflect.Slice:
		types = append(types, "array")
	case reflect.Struct:
		types = append(types, "object")
	}
	slices.Sort(types)
	return types
}

// The schema and the Go types have the same keys, the same types, and the same keys are
// always there.
func TestSchemaFitsTypes(t *testing.T) {
	all := defs(t)
	for name, value := range map[string]any{"documents": export.Documents{}, "head": export.Head{}, "made": export.Made{},
		"chunk": export.Chunk{}, "langchain": export.Record{}, "metadata": export.Metadata{}, "settings": export.Beside{},
		"curve": export.Curve{}, "place": export.Place{}} {
		fields, d := fieldsOf(reflect.TypeOf(value)), all[name]
		if got, want := slices.Sorted(maps.Keys(d.Properties)), slices.Sorted(maps.Keys(fields)); !slices.Equal(got, want) {
			t.Errorf("%s: keys %q in the schema, %q in Go", name, got, want)
			continue
		}
		for key, f := range fields {
			if got, want := typesOf(all, d.Properties[key]), written(f); !slices.Equal(got, want) {
				t.Errorf("%s.%s: %q in the schema, %q in Go", name, key, got, want)
			}
			if slices.Contains(d.Required, key) == f.optional {
				t.Errorf("%s.%s: optional is %t in Go, the schema differs", name, key, f.optional)
			}
		}
	}
	line, own := fieldsOf(reflect.TypeFor[export.Line]()), all["lineChunk"].Properties
	delete(line, "-")
	for key, f := range line {
		if got := typesOf(all, own[key]); !slices.Equal(got, written(f)) {
			t.Errorf("line.%s: %q in the schema, %q in Go", key, got, written(f))
		}
	}
	if len(own) != len(line)+2 { // id and meta are of the input line
		t.Errorf("line has %d keys in the schema, %d in Go", len(own), len(line))
	}
}

func TestParts(t *testing.T) {
	for _, name := range schema.Parts() {
		part, err := schema.Part(name)
		if err != nil || !strings.Contains(part, `"$id": "`+export.ID+":"+name+`"`) || !strings.Contains(part, `"#/$defs/`+name+`"`) {
			t.Errorf("%s: %.100s (%v)", name, part, err)
		}
	}
	if _, err := schema.Part("chunks"); err == nil || !strings.Contains(err.Error(), "choose documents, chunk, line") {
		t.Errorf("%v", err)
	}
}

// The validator refuses a missing key, another type and an unknown key.
func TestCheckRefuses(t *testing.T) {
	const good = `{"id":"a","chunk":"a","start":0,"end":1,"tokens":1,"page":0,"pages":[],"section":"","text":"a","reason":"end","index":0,"place":null,"view":"reading"}`
	if err := schematest.CheckLines("chunk", good+"\n"+good+"\n"); err != nil {
		t.Error(err)
	}
	for was, now := range map[string]string{`"index":0,`: "", `"start":0`: `"start":"0"`, `"place":null`: `"place":{"sheet":1}`, `"id":"a"`: `"id":"a","name":""`, `reading`: "other"} {
		if err := schematest.Check("chunk", strings.Replace(good, was, now, 1)); err == nil {
			t.Errorf("%s is accepted instead of %s", now, was)
		}
	}
}
