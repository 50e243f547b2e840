package server

import (
	"bytes"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"testing"
	"time"
)

func newSampled(lines int) (*slog.Logger, *bytes.Buffer, *time.Time) {
	var b bytes.Buffer
	now := time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)
	return slog.New(newSampler(slog.NewTextHandler(&b, nil), lines, func() time.Time { return now })), &b, &now
}

// Of a flood, a limited number of lines per minute is written, with the number left out. A
// flood from one address leaves room for others.
func TestSample(t *testing.T) {
	log, b, now := newSampled(100)
	for range 5000 {
		log.Info("refused", "address", "192.0.2.0/24")
	}
	if n := strings.Count(b.String(), "msg=refused"); n != 10 {
		t.Errorf("%d lines of one address, want 10", n)
	}
	log.With("a", 1).Info("refused", "address", "198.51.100.0/24")
	log.Info("another")
	for i := range 5000 {
		log.Info("refused", "address", fmt.Sprint(i))
	}
	if n := strings.Count(b.String(), "msg=refused"); n != 100 || !strings.Contains(b.String(), "198.51.100") || !strings.Contains(b.String(), "another") {
		t.Errorf("%d lines of one message, want 100", n)
	}
	*now = now.Add(time.Minute)
	log.Info("another")
	if want := "msg=\"more lines like this\" like=refused left_out=9901"; strings.Count(b.String(), want) != 1 {
		t.Errorf("no line says %s", want)
	}
	before := b.Len()
	*now = now.Add(time.Minute)
	log.Info("refused")
	if strings.Contains(b.String()[before:], "more lines") {
		t.Error("it is said twice")
	}
}

// Memory is bounded for any messages.
func TestSampleIsBounded(t *testing.T) {
	log, b, _ := newSampled(10)
	for i := range 50_000 {
		log.Info(fmt.Sprint("handshake error from ", i), "address", fmt.Sprint(i))
	}
	s := log.Handler().(sampler)
	if len(s.seen) > mostMessages+1 || len(s.per) > mostAddresses {
		t.Errorf("%d messages and %d addresses are remembered", len(s.seen), len(s.per))
	}
	if n := strings.Count(b.String(), "\n"); n > mostMessages+10 {
		t.Errorf("%d lines", n)
	}
	all, b, _ := newSampled(0)
	for range 1000 {
		all.Info("x")
	}
	if n := strings.Count(b.String(), "\n"); n != 1000 {
		t.Errorf("%d lines without a bound", n)
	}
}

// A file that fails a thousand times logs one line a minute, and metrics count each
// failure.
func TestDiskState(t *testing.T) {
	var b bytes.Buffer
	now := time.Now()
	told := map[bool]int{}
	s := newDiskState(slog.New(slog.NewTextHandler(&b, nil)), func(_ string, works bool) { told[works]++ }, func() time.Time { return now }, budgetFile, cacheFile)
	report := s.of(budgetFile)
	for range 1000 {
		report(errors.New("budget.db: disk full"))
	}
	if n := strings.Count(b.String(), "disk full"); n != 1 || s.works(budgetFile) || !s.works(cacheFile) || told[false] != 1000 {
		t.Errorf("%d lines, %v told:\n%s", n, told, b.String())
	}
	now = now.Add(time.Minute)
	report(errors.New("budget.db: disk full"))
	report(nil)
	report(nil)
	if strings.Count(b.String(), "disk full") != 2 || strings.Count(b.String(), "works again") != 1 || !s.works(budgetFile) {
		t.Error(b.String())
	}
}
