package protocol

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"
)

// Encode returns the text frame of m: its fields behind "type".
func Encode(m Message) ([]byte, error) {
	body, err := json.Marshal(m)
	if err != nil {
		return nil, fmt.Errorf("%s message: %w", m.Type(), err)
	}
	head := fmt.Sprintf(`{"type":%q`, m.Type())
	if len(body) > len("{}") {
		head += ","
	}
	return append([]byte(head), body[1:]...), nil
}

// fromClient and fromServer make an empty message of a type, and what to read
// it into: the message and its "type".
var fromClient, fromServer = func() (client, server map[Type]func() (Message, any)) {
	client, server = map[Type]func() (Message, any){}, map[Type]func() (Message, any){}
	client[TypeInit] = func() (Message, any) {
		v := &struct {
			Type Type `json:"type"`
			Init
		}{}
		return &v.Init, v
	}
	client[TypeEmbed] = func() (Message, any) {
		v := &struct {
			Type Type `json:"type"`
			Embed
		}{}
		return &v.Embed, v
	}
	client[TypeChat] = func() (Message, any) {
		v := &struct {
			Type Type `json:"type"`
			Chat
		}{}
		return &v.Chat, v
	}
	client[TypeSearch] = func() (Message, any) {
		v := &struct {
			Type Type `json:"type"`
			Search
		}{}
		return &v.Search, v
	}
	client[TypeCancel] = func() (Message, any) {
		v := &struct {
			Type Type `json:"type"`
			Cancel
		}{}
		return &v.Cancel, v
	}
	client[TypeCredit] = func() (Message, any) {
		v := &struct {
			Type Type `json:"type"`
			Credit
		}{}
		return &v.Credit, v
	}
	client[TypePing] = func() (Message, any) {
		v := &struct {
			Type Type `json:"type"`
			Ping
		}{}
		return &v.Ping, v
	}
	client[TypePong] = func() (Message, any) {
		v := &struct {
			Type Type `json:"type"`
			Pong
		}{}
		return &v.Pong, v
	}
	server[TypeAck] = func() (Message, any) {
		v := &struct {
			Type Type `json:"type"`
			Ack
		}{}
		return &v.Ack, v
	}
	server[TypeDelta] = func() (Message, any) {
		v := &struct {
			Type Type `json:"type"`
			Delta
		}{}
		return &v.Delta, v
	}
	server[TypeHits] = func() (Message, any) {
		v := &struct {
			Type Type `json:"type"`
			Hits
		}{}
		return &v.Hits, v
	}
	server[TypeEnd] = func() (Message, any) {
		v := &struct {
			Type Type `json:"type"`
			End
		}{}
		return &v.End, v
	}
	server[TypeErr] = func() (Message, any) {
		v := &struct {
			Type Type `json:"type"`
			Err
		}{}
		return &v.Err, v
	}
	server[TypePing] = func() (Message, any) {
		v := &struct {
			Type Type `json:"type"`
			Ping
		}{}
		return &v.Ping, v
	}
	server[TypePong] = func() (Message, any) {
		v := &struct {
			Type Type `json:"type"`
			Pong
		}{}
		return &v.Pong, v
	}
	return client, server
}()

// DecodeClient reads a client's text frame. It is strict: one JSON object of
// valid UTF-8, at most MaxText bytes, known keys in their own spelling, each
// once, and values in their range. The error is an *Error with BadRequest or
// TooLarge; id is that of the request where the frame has got one.
func DecodeClient(frame []byte) (m Message, id uint32, err error) {
	return decode(frame, MaxText, fromClient, true)
}

// DecodeServer reads a server's text frame, of at most MaxReply bytes, as strictly
// but for keys that it does not know: a proxy may be newer than a page that a
// browser has kept.
func DecodeServer(frame []byte) (m Message, id uint32, err error) {
	return decode(frame, MaxReply, fromServer, false)
}

func decode(frame []byte, limit int, known map[Type]func() (Message, any), knownKeys bool) (Message, uint32, error) {
	if len(frame) > limit {
		return nil, 0, Errorf(TooLarge, "a message of %d bytes: at most %d are taken", len(frame), limit)
	}
	var head struct {
		Type Type   `json:"type"`
		ID   uint32 `json:"id"`
	}
	if err := strict(frame); err != nil {
		return nil, 0, Errorf(BadRequest, "not a message of %s: %v", Subprotocol, err)
	}
	if err := json.Unmarshal(frame, &head); err != nil {
		return nil, 0, Errorf(BadRequest, "not a message of %s: its type or id is none", Subprotocol)
	}
	empty, ok := known[head.Type]
	if !ok {
		return nil, head.ID, Errorf(BadRequest, "unknown message type %.40q", head.Type)
	}
	m, target := empty()
	d := json.NewDecoder(bytes.NewReader(frame))
	if knownKeys {
		d.DisallowUnknownFields()
	}
	err := d.Decode(target)
	if err == nil {
		err = m.check()
	}
	if err != nil {
		return nil, head.ID, Errorf(BadRequest, "%s message: %s", head.Type, strings.TrimPrefix(err.Error(), "json: "))
	}
	return m, head.ID, nil
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
