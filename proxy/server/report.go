package server

import (
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"seam/proxy/boltfile"
	"seam/proxy/config"
	"seam/proxy/limit"
)

// columns are the columns of the CSV report. Columns may be added, but never renamed.
var columns = []string{"day", "who", "model", "requests", "tokens_in", "tokens_out", "dollars"}

// Report writes the spending of the last days, including today, by day in UTC, site or
// caller, and model, as a table for people or as CSV. It gets the data from the running
// proxy's admin address, or from the budget file if no proxy runs.
func Report(ctx context.Context, source config.Source, days int, asCSV bool, out io.Writer) error {
	c, err := source.Load()
	if err != nil {
		return err
	}
	if err := reportable(days); err != nil {
		return fmt.Errorf("report: --days: %w", err)
	}
	rows, err := spendingOf(ctx, c, days)
	if err != nil {
		return fmt.Errorf("report: %w", err)
	}
	if asCSV {
		return writeCSV(out, rows)
	}
	return writeTable(out, rows)
}

// reportable returns an error for a number of days that no book keeps.
func reportable(days int) error {
	if days < 1 || days > limit.KeptDays {
		return fmt.Errorf("use 1 to %d days", limit.KeptDays)
	}
	return nil
}

// spendingOf returns the rows from the proxy, or else from its file.
func spendingOf(ctx context.Context, c *config.Loaded, days int) ([]limit.Spending, error) {
	if c.Admin != "" {
		client, base := reach(c)
		ctx, cancel := context.WithTimeout(ctx, bodyWithin)
		defer cancel()
		body, err := askFor(ctx, client, http.MethodGet, base+"/report?days="+strconv.Itoa(days))
		if err == nil {
			return readCSV(body)
		}
		if !errors.Is(err, errSilent) {
			return nil, err
		}
	}
	if c.Budget.Book.Redis != "" {
		return spendingIn(&c.Config, days)
	}
	dir, err := statePath(&c.Config)
	if err != nil {
		return nil, err
	}
	path := filepath.Join(dir, budgetFile)
	if _, err := os.Stat(path); err != nil { // opening would create it
		if errors.Is(err, fs.ErrNotExist) {
			err = fmt.Errorf("no proxy is running and %s does not exist: nothing was spent, or state is set to another folder", path)
		}
		return nil, err
	}
	book, err := limit.OpenBook(path)
	if errors.Is(err, boltfile.ErrInUse) {
		return nil, fmt.Errorf("%w, and that proxy cannot be reached: set its admin address with --admin, or in the configuration", err)
	}
	if err != nil {
		return nil, err
	}
	rows, err := book.Spendings(limit.Since(days, time.Now()))
	return rows, errors.Join(err, book.Close())
}

// spendingIn returns the rows of all instances from their Redis.
func spendingIn(c *config.Config, days int) ([]limit.Spending, error) {
	password, err := bookPassword(c)
	if err != nil {
		return nil, err
	}
	book, err := redisOf(c, func() string { return password })
	if err != nil {
		return nil, err
	}
	rows, err := book.Spendings(limit.Since(days, time.Now()))
	return rows, errors.Join(err, book.Close())
}

// report responds to /report?days=N with CSV.
func (p *parts) report(w http.ResponseWriter, r *http.Request) {
	days, err := strconv.Atoi(r.URL.Query().Get("days"))
	if err == nil {
		err = reportable(days)
	}
	if err != nil {
		http.Error(w, "days: use 1 to "+strconv.Itoa(limit.KeptDays), http.StatusBadRequest)
		return
	}
	rows, err := p.ledger.Report(days)
	if err != nil {
		p.log.Error("admin", "path", "/report", "error", err)
		http.Error(w, "cannot read or write the spending: see the log", http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "text/csv; charset=utf-8")
	_ = writeCSV(w, rows) // the client may have disconnected
}

func writeCSV(out io.Writer, rows []limit.Spending) error {
	w := csv.NewWriter(out)
	if err := w.Write(columns); err != nil {
		return err
	}
	for _, r := range rows {
		if err := w.Write(append([]string{r.Day, r.Group, r.Model}, numbers(r.Use)...)); err != nil {
			return err
		}
	}
	w.Flush()
	return w.Error()
}

// numbers returns the last columns of a row.
func numbers(u limit.Use) []string {
	n := func(v int64) string { return strconv.FormatInt(v, 10) }
	return []string{n(u.Requests), n(u.In), n(u.Out), fmt.Sprintf("%d.%06d", u.Micros/1e6, u.Micros%1e6)}
}

// readCSV reads the output of writeCSV.
func readCSV(s string) (rows []limit.Spending, err error) {
	records, err := csv.NewReader(strings.NewReader(s)).ReadAll()
	if err != nil || len(records) == 0 {
		return nil, errors.New("the proxy's answer is not a report")
	}
	for _, c := range records[1:] {
		if len(c) < len(columns) {
			return nil, errors.New("the proxy's report has other columns: use seam-proxy of the same version")
		}
		r := limit.Spending{Day: c[0], Group: c[1], Model: c[2]}
		for i, to := range []*int64{&r.Requests, &r.In, &r.Out} {
			if *to, err = strconv.ParseInt(c[3+i], 10, 64); err != nil {
				return nil, fmt.Errorf("the proxy's report: %w", err)
			}
		}
		dollars, err := strconv.ParseFloat(c[6], 64)
		if err != nil {
			return nil, fmt.Errorf("the proxy's report: %w", err)
		}
		r.Micros = int64(math.Round(dollars * 1e6))
		rows = append(rows, r)
	}
	return rows, nil
}

// writeTable writes the rows for people, with totals per day and for all days.
func writeTable(out io.Writer, rows []limit.Spending) error {
	if len(rows) == 0 {
		_, err := fmt.Fprintln(out, "nothing was spent")
		return err
	}
	table := [][]string{{"day", "site or caller", "model", "requests", "tokens in", "tokens out", "dollars"}}
	line := func(day, who, model string, u limit.Use) {
		table = append(table, append([]string{day, who, model}, numbers(u)...))
	}
	var day, all limit.Use
	for i, r := range rows {
		line(r.Day, r.Group, r.Model, r.Use)
		day, all = day.Add(r.Use), all.Add(r.Use)
		if i+1 == len(rows) || rows[i+1].Day != r.Day {
			line(r.Day, "all", "", day)
			day = limit.Use{}
		}
	}
	line("all", "", "", all)
	return align(out, table)
}

// align writes cells in columns. The first three are aligned to the left, the numbers after
// them to the right.
func align(out io.Writer, table [][]string) error {
	widths := make([]int, len(table[0]))
	for _, cells := range table {
		for i, c := range cells {
			widths[i] = max(widths[i], utf8.RuneCountInString(c))
		}
	}
	var b strings.Builder
	for _, cells := range table {
		for i, c := range cells[:3] {
			fmt.Fprintf(&b, "%-*s", widths[i]+2, c)
		}
		for i, c := range cells[3:] {
			fmt.Fprintf(&b, "%*s", widths[3+i]+2*min(i, 1), c)
		}
		b.WriteString("\n")
	}
	_, err := io.WriteString(out, b.String())
	return err
}
