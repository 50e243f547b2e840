package upstreamtest

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

// Fault is a way in which a response is wrong.
type Fault string

const (
	CutStream    Fault = "cut-stream"    // the stream ends properly after the words: no finish_reason, no [DONE]
	CutBody      Fault = "cut-body"      // the connection breaks in the middle of the body
	HangUp       Fault = "hang-up"       // the connection is reset before a response
	Garbage      Fault = "garbage"       // status 200 without JSON
	WrongCount   Fault = "wrong-count"   // one vector too few
	WrongOrder   Fault = "wrong-order"   // rows in reverse order, with correct indexes
	SameIndex    Fault = "same-index"    // all rows have index 0
	NoIndex      Fault = "no-index"      // rows without index
	WrongDims    Fault = "wrong-dims"    // the last row has one number too few
	NaN          Fault = "nan"           // in the last row; null where numbers are sent
	OddBase64    Fault = "odd-base64"    // the last row has one byte too few
	BadBase64    Fault = "bad-base64"    // the last row is not base64
	EndlessLine  Fault = "endless-line"  // a line, or a body, that does not end until the client disconnects
	NoBase64     Fault = "no-base64"     // refuses encoding_format base64
	OnlyFloats   Fault = "only-floats"   // ignores encoding_format and sends numbers
	NoUsage      Fault = "no-usage"      // reports no usage
	RefuseUsage  Fault = "refuse-usage"  // refuses stream_options
	Reasoning    Fault = "reasoning"     // refuses max_tokens and temperature
	MildOnly     Fault = "mild-only"     // refuses a temperature above 1, with a message that also names max_completion_tokens
	NoFinish     Fault = "no-finish"     // [DONE] without a finish_reason
	NoDone       Fault = "no-done"       // finish_reason without [DONE]
	LateEnd      Fault = "late-end"      // the body ends a moment after [DONE]
	ErrorInside  Fault = "error-inside"  // an error in place of the last event
	Comments     Fault = "comments"      // 400 comments between the words
	WholeAnswer  Fault = "whole-answer"  // does not stream: one JSON object
	FilterAnswer Fault = "filter-answer" // finish_reason content_filter
)

// Faults lists all of them.
var Faults = []Fault{CutStream, CutBody, HangUp, Garbage, WrongCount, WrongOrder, SameIndex, NoIndex, WrongDims, NaN, OddBase64, BadBase64, EndlessLine,
	NoBase64, OnlyFloats, NoUsage, RefuseUsage, Reasoning, MildOnly, NoFinish, NoDone, LateEnd, ErrorInside, Comments, WholeAnswer, FilterAnswer}

// Script defines the response to one request. The zero Script is a good response without
// delay.
type Script struct {
	Status     int    // default 200; any other is an error that quotes the caller's key and organisation
	Body       string // of an error; default: that error
	RetryAfter string // the header, unchanged
	Headers    map[string]string
	Fault      Fault
	Words      []string // of a chat; default: a sentence
	Reasoning  []string // of a chat, before the words, in the field ReasoningIn
	Calls      []string // of a chat, after the words: parts of calls of tools, each a list in JSON
	Dims       int      // of vectors; default: the provider's
	Read       int      // prompt_tokens of a chat; 0: the provider's count

	ReasoningIn string // default: reasoning_content

	HeaderDelay    time.Duration // before the response begins
	FirstByteDelay time.Duration // between headers and body
	ChunkDelay     time.Duration // before each word except the first

	// Hold, if not nil, stops a stream before its last word, and vectors completely, until
	// it is closed or the client disconnects.
	Hold <-chan struct{}
}

// ParseScript parses a script in the form that the program takes:
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
	case "read":
		s.Read, err = strconv.Atoi(value)
	case "words":
		s.Words = strings.SplitAfter(value, " ")
	case "reasoning":
		s.Reasoning = strings.SplitAfter(value, " ")
	case "reasoning-in":
		s.ReasoningIn = value
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
