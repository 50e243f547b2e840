package cut

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"seam/proxy/command/terminal"
)

// ReadExpansions reads a file of --expansions: weights of words by the id of a chunk; nil
// where none is named.
func ReadExpansions(std terminal.IO, name string) (map[string]map[string]float64, error) {
	if name == "" {
		return nil, nil
	}
	b, err := terminal.ReadInput(std, name)
	if err != nil {
		return nil, err
	}
	all := map[string]map[string]float64{}
	d := json.NewDecoder(bytes.NewReader(b))
	for line := 1; ; line++ {
		var e struct {
			ID    string             `json:"id"`
			Terms map[string]float64 `json:"terms"`
		}
		if err := d.Decode(&e); errors.Is(err, io.EOF) {
			return all, nil
		} else if err != nil || e.ID == "" {
			return nil, fmt.Errorf(`%s: line %d is not {"id","terms":{"word":weight}}`, name, line)
		}
		all[e.ID] = e.Terms
	}
}
