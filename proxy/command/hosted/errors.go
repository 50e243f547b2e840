package hosted

import (
	"errors"
	"fmt"

	"seam/proxy/command/terminal"
	"seam/shared/pipeline"
)

// Named puts the name of a file before an error.
func Named(s *pipeline.Session, err error) error {
	var bad *pipeline.SettingsError
	switch {
	case errors.As(err, &bad):
		return terminal.UsageError{Err: err}
	case err != nil:
		return fmt.Errorf("%s: %w", terminal.Shown(s.Document.Name), err)
	}
	return nil
}
