package protocol

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strings"
)

// TypeOf returns the type of a message.
func TypeOf(m Message) Type {
	for _, row := range messages {
		if reflect.TypeOf(row.is) == reflect.TypeOf(m) {
			return row.name
		}
	}
	return "" // Message is internal to this package, and the tests cover every type
}

// Encode returns the text frame of m: "type", followed by m's fields.
func Encode(m Message) ([]byte, error) {
	body, err := json.Marshal(m)
	if err != nil {
		return nil, fmt.Errorf("%s message: %w", TypeOf(m), err)
	}
	name := TypeOf(m)
	frame := make([]byte, 0, len(`{"type":"",`)+len(name)+len(body))
	frame = append(append(append(frame, `{"type":"`...), name...), '"')
	if len(body) > len("{}") {
		frame = append(frame, ',')
	}
	return append(frame, body[1:]...), nil
}

// DecodeClient reads a client's text frame strictly. It requires one JSON object of valid
// UTF-8, at most MaxText bytes, with known keys in exact spelling, each once, and values in
// range. The error is an *Error with BadRequest or TooLarge. id is the request's id, if the
// frame has one.
func DecodeClient(frame []byte) (m Message, id uint32, err error) {
	if len(frame) <= MaxText {
		if m := plainEmbed(frame); m != nil {
			return m, m.ID, nil
		}
	}
	return decode(frame, MaxText, client)
}

// DecodeServer reads a server's text frame of at most MaxReply bytes. It is as strict as
// DecodeClient except for unknown keys, because a proxy may be newer than a page cached by
// a browser.
func DecodeServer(frame []byte) (m Message, id uint32, err error) {
	return decode(frame, MaxReply, server)
}

func decode(frame []byte, limit int, from side) (Message, uint32, error) {
	if len(frame) > limit {
		return nil, 0, Errorf(TooLarge, "a message of %d bytes: the limit is %d", len(frame), limit)
	}
	says, err := strict(frame)
	if err != nil {
		return nil, 0, Errorf(BadRequest, "not a message of %s: %v", Subprotocol, err)
	}
	for _, row := range messages {
		if row.name != says.Type || row.from&from == 0 {
			continue
		}
		m := reflect.New(reflect.TypeOf(row.is).Elem()).Interface().(Message)
		d := json.NewDecoder(bytes.NewReader(frame))
		if from == client {
			d.DisallowUnknownFields()
		}
		err := d.Decode(m)
		if err == nil && row.id && says.ID == 0 {
			err = errors.New("no id: ids count from 1")
		}
		if err == nil {
			err = Check(m)
		}
		if err != nil {
			return nil, says.ID, Errorf(BadRequest, "%s message: %s", says.Type, strings.TrimPrefix(err.Error(), "json: "))
		}
		return m, says.ID, nil
	}
	return nil, says.ID, Errorf(BadRequest, "unknown message type %.40q", says.Type)
}
