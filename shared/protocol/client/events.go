package client

import (
	"bufio"
	"bytes"
	"errors"
	"io"

	"seam/shared/protocol"
)

// maxEvent bounds the bytes of an event. The largest is a text frame, or a binary frame in
// base64, plus the field's name.
const maxEvent = protocol.MaxReply + 16

// errEvent reports an event that is too long.
var errEvent = protocol.Errorf(protocol.Internal, "The proxy broke the protocol: an event of more than %d bytes.", maxEvent)

// events reads a stream of server-sent events
// (https://html.spec.whatwg.org/multipage/server-sent-events.html). It calls each with the
// name and data of every event; the data is valid until each returns. It ignores comments
// and other fields, and drops an event cut off by the end of the stream.
func events(r io.Reader, each func(name string, data []byte) error) error {
	lines := bufio.NewScanner(r)
	lines.Buffer(make([]byte, 4<<10), maxEvent)
	lines.Split(splitLine)
	name, data, some := "", []byte(nil), false
	for first := true; lines.Scan(); first = false {
		line := lines.Bytes()
		if first {
			line = bytes.TrimPrefix(line, []byte("\ufeff"))
		}
		if len(line) == 0 {
			if some {
				if err := each(name, data); err != nil {
					return err
				}
			}
			name, data, some = "", data[:0], false
			continue
		}
		field, value, _ := bytes.Cut(line, []byte(":"))
		value = bytes.TrimPrefix(value, []byte(" "))
		switch string(field) {
		case "event":
			name = string(value)
		case "data":
			if some {
				data = append(data, '\n')
			}
			some = true
			if data = append(data, value...); len(data) > maxEvent {
				return errEvent
			}
		}
	}
	if errors.Is(lines.Err(), bufio.ErrTooLong) {
		return errEvent
	}
	return lines.Err()
}

// splitLine is a bufio.SplitFunc for lines that end in CR, LF or CRLF.
func splitLine(b []byte, atEOF bool) (advance int, line []byte, err error) {
	i := bytes.IndexAny(b, "\r\n")
	switch {
	case i < 0 && atEOF && len(b) > 0:
		return len(b), b, nil
	case i < 0:
		return 0, nil, nil
	case b[i] == '\n':
		return i + 1, b[:i], nil
	case i+1 < len(b) && b[i+1] == '\n':
		return i + 2, b[:i], nil
	case i+1 == len(b) && !atEOF: // an LF may follow
		return 0, nil, nil
	}
	return i + 1, b[:i], nil
}
