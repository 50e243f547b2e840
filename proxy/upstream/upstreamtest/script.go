package upstreamtest

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

// Fault is a way in which an answer is wrong.
type Fault string

const (
	CutStream    Fault = "cut-stream"    // the stream ends, properly, after the words: no finish_reason, no [DONE]
	CutBody      Fault = "cut-body"      // the connection breaks off in the middle of the body
	HangUp       Fault = "hang-up"       // the connection is reset before a response
	Garbage      Fault = "garbage"       // status 200 and no JSON
	WrongCount   Fault = "wrong-count"   // one vector too few
	WrongOrder   Fault = "wrong-order"   // the rows turned round, with their right index
	SameIndex    Fault = "same-index"    // all rows have index 0
	NoIndex      Fault = "no-index"      // rows without index
	WrongDims    Fault = "wrong-dims"    // the last row is one number short
	NaN          Fault = "nan"           // in the last row; null where numbers are sent
	OddBase64    Fault = "odd-base64"    // the last row is one byte short
	BadBase64    Fault = "bad-base64"    // the last row is none
	EndlessLine  Fault = "endless-line"  // a line, or a body, that does not end until the client goes away
	NoBase64     Fault = "no-base64"     // refuses encoding_format base64
	OnlyFloats   Fault = "only-floats"   // knows no encoding_format and sends numbers
	NoUsage      Fault = "no-usage"      // gives no usage
	RefuseUsage  Fault = "refuse-usage"  // refuses stream_options
	Reasoning    Fault = "reasoning"     // refuses max_tokens and temperature
	MildOnly     Fault = "mild-only"     // refuses a temperature above 1, in words that name max_completion_tokens, too
	NoFinish     Fault = "no-finish"     // [DONE] without a finish_reason
	NoDone       Fault = "no-done"       // finish_reason without [DONE]
	LateEnd      Fault = "late-end"      // the body ends a moment after [DONE]
	ErrorInside  Fault = "error-inside"  // an error in the place of the last event
	Comments     Fault = "comments"      // 400 comments between the words
	WholeAnswer  Fault = "whole-answer"  // knows no streams: one JSON object
	FilterAnswer Fault = "filter-answer" // finish_reason content_filter
)

// Faults are all of them.
var Faults = []Fault{CutStream, CutBody, HangUp, Garbage, WrongCount, WrongOrder, SameIndex, NoIndex, WrongDims, NaN, OddBase64, BadBase64, EndlessLine,
	NoBase64, OnlyFloats, NoUsage, RefuseUsage, Reasoning, MildOnly, NoFinish, NoDone, LateEnd, ErrorInside, Comments, WholeAnswer, FilterAnswer}

// Script is how one request is answered. The zero Script is a good answer at once.
type Script struct {
	Status     int    // default 200; another one is an error that quotes the caller's key and organisation
	Body       string // of an error; default: that one
	RetryAfter string // the header, as it is
	Headers    map[string]string
	Fault      Fault
	Words      []string // of a chat; default: a sentence
	Dims       int      // of vectors; default: the provider's

	HeaderDelay    time.Duration // before the response begins
	FirstByteDelay time.Duration // between its headers and its body
	ChunkDelay     time.Duration // before each word but the first

	// Hold, where it is not nil, stops a stream before its last word, and vectors
	// altogether, until it is closed or the client goes away.
	Hold <-chan struct{}
}

// ParseScript reads a script as the program takes it:
//
//	status=429; retry-after=2
//	fault=cut-stream; chunk-delay=50ms; words=The answer is 42.
func ParseScript(s string) (Script, error) {
	var script Script
	for setting := range strings.SplitSeq(s, ";") {
		name, value, _ := strings.Cut(strings.TrimSpace(setting), "=")
		if name == "" {
			continue
		}
		if err := script.set(name, value); err != nil {
			return Script{}, fmt.Errorf("script %q: %w", s, err)
		}
	}
	return script, nil
}

func (s *Script) set(name, value string) (err error) {
	switch name {
	case "status":
		s.Status, err = strconv.Atoi(value)
	case "body":
		s.Body = value
	case "retry-after":
		s.RetryAfter = value
	case "fault":
		s.Fault = Fault(value)
		for _, f := range Faults {
			if f == s.Fault {
				return nil
			}
		}
		return fmt.Errorf("no fault is called %q", value)
	case "words":
		s.Words = strings.SplitAfter(value, " ")
	case "header-delay":
		s.HeaderDelay, err = time.ParseDuration(value)
	case "first-byte-delay":
		s.FirstByteDelay, err = time.ParseDuration(value)
	case "chunk-delay":
		s.ChunkDelay, err = time.ParseDuration(value)
	default:
		return fmt.Errorf("no setting is called %q", name)
	}
	return err
}
