package engine

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	"seam/shared/engine/rpc"
	"seam/shared/pipeline"
	"seam/shared/protocol"
	"seam/shared/protocol/client"
	"seam/shared/vector"
)

// code returns the page's error code for a proxy's code. It returns "" for a code of a
// later version.
func code(c protocol.Code) string {
	switch c {
	case client.Offline:
		return rpc.Offline
	case protocol.Cancelled:
		return rpc.Cancelled
	case protocol.TooLarge:
		return rpc.TooLarge
	case protocol.BudgetSpent:
		return rpc.Budget
	case protocol.Unauthorized, protocol.Forbidden, protocol.UnknownModel, protocol.PromptsOnly, protocol.UpstreamRefused, protocol.BadRequest:
		return rpc.Refused
	case protocol.RateLimited, protocol.Busy, protocol.UpstreamLimited, protocol.ShuttingDown:
		return rpc.Busy
	case protocol.UpstreamFailed, protocol.UpstreamTimeout, protocol.UpstreamCutShort, protocol.NotFound, protocol.SlowConsumer, protocol.Internal:
		return rpc.Upstream
	}
	return ""
}

// hint returns advice for an error code.
func hint(code string, retryAfter time.Duration) string {
	switch code {
	case rpc.Offline:
		return "Check your connection and the proxy's address. Results received so far are kept."
	case rpc.Budget, rpc.Upstream:
		return "Results received so far are kept." // the message says when to try again
	case rpc.Busy:
		if seconds := int((retryAfter + time.Second - 1) / time.Second); seconds > 0 {
			return fmt.Sprintf("Try again in %d seconds.", seconds)
		}
		return "Try again in a moment."
	}
	return ""
}

// coded adds codes to errors caused by the user and errors from a proxy.
func coded(err error) error {
	var own *rpc.Error
	var bad *pipeline.SettingsError
	var told *protocol.Error
	switch {
	case errors.As(err, &own), errors.Is(err, context.Canceled):
		return err
	case errors.As(err, &bad):
		return badRequest("%s", bad.Reason)
	case errors.Is(err, vector.ErrTooLarge):
		return &rpc.Error{Code: rpc.TooLarge, Message: err.Error(), Hint: "Close documents, split this one, or choose an embedder with shorter vectors."}
	case errors.As(err, &told):
		c := cmp.Or(code(told.Code), rpc.Upstream)
		return &rpc.Error{Code: c, Message: told.Message, Hint: hint(c, told.RetryAfter)}
	}
	return err
}

// reason returns the message for an error that does not end the call.
func reason(err error) string {
	var told *rpc.Error
	if err = coded(err); errors.As(err, &told) {
		return told.Message
	}
	return err.Error()
}

func badRequest(format string, args ...any) error {
	return &rpc.Error{Code: rpc.BadRequest, Message: fmt.Sprintf(format, args...)}
}
