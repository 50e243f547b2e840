package protocol

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"reflect"
	"strings"
	"unicode/utf8"
)

// TypeOf returns the type of a message.
func TypeOf(m Message) Type {
	for _, row := range messages {
		if reflect.TypeOf(row.is) == reflect.TypeOf(m) {
			return row.name
		}
	}
	return "" // Message is of this package alone, and the tests know every one
}

// Encode returns the text frame of m: its fields behind "type".
func Encode(m Message) ([]byte, error) {
	body, err := json.Marshal(m)
	if err != nil {
		return nil, fmt.Errorf("%s message: %w", TypeOf(m), err)
	}
	start := fmt.Sprintf(`{"type":%q`, TypeOf(m))
	if len(body) > len("{}") {
		start += ","
	}
	return append([]byte(start), body[1:]...), nil
}

// DecodeClient reads a client's text frame. It is strict: one JSON object of
// valid UTF-8, at most MaxText bytes, known keys in their own spelling, each
// once, and values in their range. The error is an *Error with BadRequest or
// TooLarge; id is that of the request where the frame has got one.
func DecodeClient(frame []byte) (m Message, id uint32, err error) {
	return decode(frame, MaxText, client)
}

// DecodeServer reads a server's text frame, of at most MaxReply bytes, as strictly
// but for keys that it does not know: a proxy may be newer than a page that a
// browser has kept.
func DecodeServer(frame []byte) (m Message, id uint32, err error) {
	return decode(frame, MaxReply, server)
}

func decode(frame []byte, limit int, from side) (Message, uint32, error) {
	if len(frame) > limit {
		return nil, 0, Errorf(TooLarge, "a message of %d bytes: at most %d are taken", len(frame), limit)
	}
	if err := strict(frame); err != nil {
		return nil, 0, Errorf(BadRequest, "not a message of %s: %v", Subprotocol, err)
	}
	var says struct {
		Type Type   `json:"type"`
		ID   uint32 `json:"id"`
	}
	if err := json.Unmarshal(frame, &says); err != nil {
		return nil, 0, Errorf(BadRequest, "not a message of %s: its type or id is none", Subprotocol)
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
		if c, ok := m.(interface{ check() error }); ok && err == nil {
			err = c.check()
		}
		if err != nil {
			return nil, says.ID, Errorf(BadRequest, "%s message: %s", says.Type, strings.TrimPrefix(err.Error(), "json: "))
		}
		return m, says.ID, nil
	}
	return nil, says.ID, Errorf(BadRequest, "unknown message type %.40q", says.Type)
}

// strict reports what encoding/json lets pass: bytes that are not UTF-8, deep
// nesting, a key twice or in other letters, and anything behind the object.
func strict(frame []byte) error {
	if !utf8.Valid(frame) {
		return errors.New("not UTF-8")
	}
	d := json.NewDecoder(bytes.NewReader(frame))
	d.UseNumber()
	if t, err := d.Token(); err != nil || t != json.Delim('{') {
		return errors.New("not a JSON object")
	}
	if err := strictObject(d, 1); err != nil {
		return err
	}
	if _, err := d.Token(); err != io.EOF {
		return errors.New("more than one JSON value")
	}
	return nil
}

// strictObject reads an object whose brace is read.
func strictObject(d *json.Decoder, depth int) error {
	seen := map[string]bool{}
	for d.More() {
		t, err := d.Token()
		if err != nil {
			return errors.New("damaged JSON")
		}
		key, _ := t.(string)
		if seen[key] {
			return fmt.Errorf("key %.40q stands there twice", key)
		}
		if strings.ToLower(key) != key {
			return fmt.Errorf("unknown field %.40q", key)
		}
		seen[key] = true
		if err := strictValue(d, depth); err != nil {
			return err
		}
	}
	return closed(d)
}

func strictValue(d *json.Decoder, depth int) error {
	t, err := d.Token()
	if err != nil {
		return errors.New("damaged JSON")
	}
	if (t == json.Delim('{') || t == json.Delim('[')) && depth == maxNesting {
		return fmt.Errorf("nested deeper than %d", maxNesting)
	}
	switch t {
	case json.Delim('{'):
		return strictObject(d, depth+1)
	case json.Delim('['):
		for d.More() {
			if err := strictValue(d, depth+1); err != nil {
				return err
			}
		}
		return closed(d)
	}
	return nil
}

// closed reads the bracket that ends an object or an array.
func closed(d *json.Decoder) error {
	if _, err := d.Token(); err != nil {
		return errors.New("damaged JSON")
	}
	return nil
}
