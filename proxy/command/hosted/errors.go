package hosted

import (
	"errors"
	"fmt"

	"seam/proxy/command/terminal"
	"seam/shared/pipeline"
)

// Named prefixes an error with the name of the session's file.
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
