package hosted

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"seam/proxy/command/terminal"
)

// ReadPrompts reads the files that exist in a folder.
func ReadPrompts(folder string, files map[string]*string) error {
	found := false
	for name, to := range files {
		b, err := os.ReadFile(filepath.Join(folder, name))
		if errors.Is(err, fs.ErrNotExist) {
			continue
		} else if err != nil {
			return fmt.Errorf("--prompts: %w", err)
		}
		*to, found = strings.TrimSpace(string(b)), true
	}
	if !found {
		return terminal.Usagef("--prompts %s has none of the files listed by -h", terminal.Shown(folder))
	}
	return nil
}
