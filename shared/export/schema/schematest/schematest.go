// Package schematest checks files of chunks against the schema, for tests. It uses a
// validator of others, so no program may import it.
package schematest

import (
	"fmt"
	"strings"
	"sync"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"seam/shared/export/schema"
)

// Check returns an error if a JSON value does not match a part of the schema. It also
// refuses keys that the schema does not describe.
func Check(part, value string) error {
	compiled, err := strict()
	if err != nil {
		return err
	}
	if compiled[part] == nil {
		return fmt.Errorf("the schema has no part %s", part)
	}
	v, err := jsonschema.UnmarshalJSON(strings.NewReader(value))
	if err != nil {
		return err
	}
	return compiled[part].Validate(v)
}

// strict compiles the schema once, without other keys in any object.
var strict = sync.OnceValues(func() (map[string]*jsonschema.Schema, error) {
	doc, err := jsonschema.UnmarshalJSON(strings.NewReader(schema.All))
	if err != nil {
		return nil, err
	}
	whole := doc.(map[string]any)
	for _, def := range whole["$defs"].(map[string]any) {
		if def := def.(map[string]any); def["properties"] != nil {
			def["additionalProperties"] = false
		}
	}
	const name = "seam:strict"
	whole["$id"] = name
	c := jsonschema.NewCompiler()
	if err := c.AddResource(name, doc); err != nil {
		return nil, err
	}
	compiled := map[string]*jsonschema.Schema{}
	for _, part := range schema.Parts() {
		if compiled[part], err = c.Compile(name + "#/$defs/" + part); err != nil {
			return nil, err
		}
	}
	return compiled, nil
})

// CheckLines is Check for every line of a text.
func CheckLines(part, text string) error {
	for line := range strings.Lines(text) {
		if err := Check(part, line); err != nil {
			return fmt.Errorf("%.200s: %w", line, err)
		}
	}
	return nil
}
