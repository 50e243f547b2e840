package config

import (
	"fmt"
	"reflect"
	"regexp"
	"strconv"
	"strings"
	"time"

	"go.yaml.in/yaml/v3"
)

// keys lists the keys of a type with what they take: groups, too. Elements of a
// list are "key[]", names of a map are "*".
func keys(t reflect.Type, prefix string) map[string]reflect.Type {
	all := map[string]reflect.Type{}
	for i := range t.NumField() {
		name := prefix + t.Field(i).Tag.Get("koanf")
		add(all, name, t.Field(i).Type)
	}
	return all
}

func add(all map[string]reflect.Type, name string, t reflect.Type) {
	all[name] = t
	switch {
	case t == reflect.TypeFor[time.Duration]():
	case t.Kind() == reflect.Struct:
		for key, of := range keys(t, name+".") {
			all[key] = of
		}
	case t.Kind() == reflect.Slice:
		add(all, name+"[]", t.Elem())
	case t.Kind() == reflect.Map:
		add(all, name+".*", t.Elem())
	}
}

// variables maps the environment's names to keys: of all that take one value or
// a list of words.
func variables() map[string]string {
	all := map[string]string{}
	for key, t := range keys(reflect.TypeFor[Config](), "") {
		words := t.Kind() == reflect.Slice && t.Elem().Kind() == reflect.String
		if strings.ContainsAny(key, "[*") || t.Kind() == reflect.Struct || t.Kind() == reflect.Map || t.Kind() == reflect.Slice && !words {
			continue
		}
		all["SEAM_"+strings.ToUpper(strings.ReplaceAll(key, ".", "_"))] = key
	}
	return all
}

var number = regexp.MustCompile(`\[\d+\]`)

// general turns a key of a file into one of the schema.
func general(key string, schema map[string]reflect.Type) string {
	key = number.ReplaceAllString(key, "[]")
	for k, t := range schema {
		group, named := strings.CutSuffix(k, ".*")
		rest, within := strings.CutPrefix(key, group+".")
		if !named || !within {
			continue
		}
		i := strings.LastIndexByte(rest, '.')
		if t.Kind() != reflect.Struct || i < 0 { // a name may have dots in it
			return k
		}
		return k + rest[i:]
	}
	return key
}

// linesOf returns the line of every key of a YAML file.
func linesOf(b []byte) (map[string]int, error) {
	var doc yaml.Node
	if err := yaml.Unmarshal(b, &doc); err != nil {
		return nil, fmt.Errorf("is no YAML: %s", strings.TrimPrefix(err.Error(), "yaml: "))
	}
	lines := map[string]int{}
	if len(doc.Content) == 0 {
		return lines, nil // an empty file
	}
	if doc.Content[0].Kind != yaml.MappingNode {
		return nil, fmt.Errorf("is no list of keys: line %d", doc.Content[0].Line)
	}
	return lines, walk(doc.Content[0], "", lines, 0)
}

func walk(n *yaml.Node, at string, lines map[string]int, depth int) error {
	switch {
	case n.Kind == yaml.AliasNode || depth > 20:
		return fmt.Errorf("line %d: aliases and nesting like that are not taken", n.Line)
	case n.Kind == yaml.MappingNode:
		for i := 0; i+1 < len(n.Content); i += 2 {
			key := n.Content[i].Value
			if at != "" {
				key = at + "." + key
			}
			if _, ok := lines[key]; ok {
				return fmt.Errorf("line %d: %s stands there twice", n.Content[i].Line, key)
			}
			lines[key] = n.Content[i].Line
			if err := walk(n.Content[i+1], key, lines, depth+1); err != nil {
				return err
			}
		}
	case n.Kind == yaml.SequenceNode:
		for i, c := range n.Content {
			key := at + "[" + strconv.Itoa(i) + "]"
			lines[key] = c.Line
			if err := walk(c, key, lines, depth+1); err != nil {
				return err
			}
		}
	}
	return nil
}

// nearest is the key that a misspelt one may have been meant to be.
func nearest(key string, schema map[string]reflect.Type) string {
	best, least := "", 4
	for k := range schema {
		if d := distance(key, k); d < least || d == least && best != "" && k < best {
			best, least = k, d
		}
	}
	return best
}

// distance is Levenshtein's.
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		before := row[0]
		row[0] = i + 1
		for j := range len(b) {
			change := before
			if a[i] != b[j] {
				change++
			}
			before = row[j+1]
			row[j+1] = min(change, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}
