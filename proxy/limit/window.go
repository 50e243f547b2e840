package limit

import "time"

// Window is the time after which a budget is renewed: a calendar hour, day, week from
// Monday, or month, in UTC. "" is a day.
type Window string

// The windows.
const (
	Hour  Window = "hour"
	Day   Window = "day"
	Week  Window = "week"
	Month Window = "month"
)

// Valid reports whether w is one of them, or "".
func (w Window) Valid() bool {
	switch w {
	case "", Hour, Day, Week, Month:
		return true
	}
	return false
}

// bounds returns the start and end of the window that contains a time.
func (w Window) bounds(at time.Time) (from, to time.Time) {
	at = at.UTC()
	year, month, day := at.Date()
	date := func(month time.Month, day int) time.Time { return time.Date(year, month, day, 0, 0, 0, 0, time.UTC) }
	switch w {
	case Hour:
		from = time.Date(year, month, day, at.Hour(), 0, 0, 0, time.UTC)
		return from, from.Add(time.Hour)
	case Week:
		day -= (int(at.Weekday()) + 6) % 7 // since Monday
		return date(month, day), date(month, day+7)
	case Month:
		return date(month, 1), date(month+1, 1)
	}
	return date(month, day), date(month, day+1)
}

// key returns the key of a window in the book. Keys of all windows sort by their start, so
// that old ones can be found by comparing with a day's key.
func (w Window) key(at time.Time) string {
	from, _ := w.bounds(at)
	return from.Format(w.layout())
}

func (w Window) layout() string {
	switch w {
	case Hour:
		return "2006-01-02 15h"
	case Week:
		return "2006-01-02 week"
	case Month:
		return "2006-01"
	}
	return time.DateOnly
}

// endOf returns when the window of a key ends, or the zero time if the key is invalid.
func endOf(key string) (end time.Time) {
	for _, w := range []Window{Hour, Day, Week, Month} {
		if at, err := time.Parse(w.layout(), key); err == nil {
			_, end = w.bounds(at)
		}
	}
	return end
}
