package config

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"sync"
	"time"

	"go.yaml.in/yaml/v3"

	"seam/proxy/spelling"
)

// fill decodes a node into v, the value of a key, and records the lines of all keys below
// it (0 for keys from outside the file). Values that the node does not set are not changed.
// It returns an error for each unknown key and each invalid value.
func (l *Loaded) fill(n *yaml.Node, v reflect.Value, key string) (all []error) {
	switch {
	case n.Kind == yaml.AliasNode:
		return []error{l.problem(key, "aliases are not supported")}
	case n.ShortTag() == "!!null":
		return nil
	case v.Kind() == reflect.Slice && n.Kind == yaml.ScalarNode && v.Type().Elem().Kind() == reflect.String:
		return l.fill(words(strings.Split(n.Value, ",")), v, key)
	case v.Kind() == reflect.Slice && n.Kind == yaml.SequenceNode:
		v.Set(reflect.MakeSlice(v.Type(), len(n.Content), len(n.Content)))
		for i, c := range n.Content {
			at := fmt.Sprintf("%s[%d]", key, i)
			l.lines[at] = c.Line
			all = append(all, l.fill(c, v.Index(i), at)...)
		}
		return all
	case (v.Kind() == reflect.Struct || v.Kind() == reflect.Map) && n.Kind == yaml.MappingNode:
		return l.fillGroup(n, v, key)
	case n.Kind == yaml.ScalarNode && scalar(n.Value, v) == nil:
		return nil
	}
	return []error{l.problem(key, "%s", wanted(v))}
}

// fillGroup is fill for a struct, or for a map with names chosen by the operator.
func (l *Loaded) fillGroup(n *yaml.Node, v reflect.Value, key string) (all []error) {
	known := map[string]reflect.Value{}
	if v.Kind() == reflect.Struct {
		known = fields(v)
	} else {
		v.Set(reflect.MakeMap(v.Type()))
	}
	prefix := ""
	if key != "" {
		prefix = key + "."
	}
	seen := map[string]bool{}
	for i := 0; i+1 < len(n.Content); i += 2 {
		name := n.Content[i].Value
		at := prefix + name
		l.lines[at] = n.Content[i].Line
		to, ok := known[name]
		if v.Kind() == reflect.Map {
			to, ok = reflect.New(v.Type().Elem()).Elem(), true
		}
		switch {
		case seen[name]:
			all = append(all, l.problem(at, "is set twice"))
		case !ok:
			says := "is not a known key"
			if near := nearest(name, slices.Sorted(maps.Keys(known))); near != "" {
				says += "; did you mean " + prefix + near + "?"
			}
			all = append(all, l.problem(at, "%s", says))
		default:
			all = append(all, l.fill(n.Content[i+1], to, at)...)
			if v.Kind() == reflect.Map {
				v.SetMapIndex(reflect.ValueOf(name), to)
			}
		}
		seen[name] = true
	}
	return all
}

// scalar decodes one value, quoted or not.
func scalar(s string, v reflect.Value) error {
	n := &yaml.Node{Kind: yaml.ScalarNode, Value: s}
	if v.Kind() == reflect.String || v.Type() == reflect.TypeFor[*string]() || v.Type() == reflect.TypeFor[time.Duration]() {
		n.Tag = "!!str"
	}
	return n.Decode(v.Addr().Interface())
}

// wanted describes the values that a key takes.
func wanted(v reflect.Value) string {
	switch v.Interface().(type) {
	case Bytes:
		return "must be a size like 64MB"
	case time.Duration:
		return "must be a time like 30s"
	case *string:
		return "must be a string"
	}
	switch v.Kind() {
	case reflect.Slice:
		return "must be a list"
	case reflect.Map, reflect.Struct:
		return "must be a group of keys"
	case reflect.Bool:
		return "must be true or false"
	case reflect.String:
		return "must be a string"
	}
	return "must be a number"
}

// fields returns the fields of a group by key.
func fields(v reflect.Value) map[string]reflect.Value {
	all := map[string]reflect.Value{}
	for i := range v.NumField() {
		all[v.Type().Field(i).Tag.Get("key")] = v.Field(i)
	}
	return all
}

// setting is a key and its place in a configuration.
type setting struct {
	key   string
	value reflect.Value
}

// variables returns the settings by their names in the environment: all keys with a single
// value or a list of words.
func variables(v reflect.Value, prefix string) map[string]setting {
	all := map[string]setting{}
	for name, f := range fields(v) {
		switch key := prefix + name; {
		case f.Kind() == reflect.Struct:
			maps.Copy(all, variables(f, key+"."))
		case f.Kind() == reflect.Map || f.Kind() == reflect.Slice && f.Type().Elem().Kind() != reflect.String:
		default:
			all[variable(key)] = setting{key, f}
		}
	}
	return all
}

func variable(key string) string {
	return "SEAM_" + strings.ToUpper(strings.ReplaceAll(key, ".", "_"))
}

// nearest returns the key that a misspelt one probably means.
func nearest(name string, known []string) string {
	return spelling.Nearest(name, known, min(3, len(name)-1))
}

// Variables returns the names of all variables that set a key, sorted.
var Variables = sync.OnceValue(func() []string {
	c := Default()
	return slices.Sorted(maps.Keys(variables(reflect.ValueOf(&c).Elem(), "")))
})
