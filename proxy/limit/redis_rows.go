package limit

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/gomodule/redigo/redis"
)

// takeScript writes rows of one window. KEYS are the hash for all processes and the hash of
// this one. ARGV has the process's write number, the time when both hashes expire, and the
// count of numbers per row. Then it has for each row its field, keep, want and limit. The
// reply has the amounts of this process and of all processes. A late write is refused,
// because the process has sent a newer one since.
const takeScript = `
if tonumber(redis.call('HGET', KEYS[2], '#') or '0') >= tonumber(ARGV[1]) then
	return redis.error_reply('LATE another write was faster')
end
local n, reply = tonumber(ARGV[3]), {}
local function read(key, field)
	local numbers = {}
	for digits in string.gmatch(redis.call('HGET', key, field) or '', '%d+') do
		numbers[#numbers + 1] = tonumber(digits)
	end
	return numbers
end
local function write(key, field, numbers)
	for j = 1, n do numbers[j] = string.format('%.0f', numbers[j]) end
	local value = table.concat(numbers, ' ')
	redis.call('HSET', key, field, value)
	reply[#reply + 1] = value
end
for i = 4, #ARGV, 1 + 3 * n do
	local field = ARGV[i]
	local all, own = read(KEYS[1], field), read(KEYS[2], field)
	for j = 1, n do
		local others = math.max((all[j] or 0) - (own[j] or 0), 0)
		local keep, want, limit = tonumber(ARGV[i + j]), tonumber(ARGV[i + n + j]), tonumber(ARGV[i + 2 * n + j])
		own[j] = math.max(keep, math.min(want, limit - others))
		all[j] = others + own[j]
	end
	write(KEYS[2], field, own)
	write(KEYS[1], field, all)
end
redis.call('HSET', KEYS[2], '#', ARGV[1])
redis.call('EXPIREAT', KEYS[1], ARGV[2])
redis.call('EXPIREAT', KEYS[2], ARGV[2])
return reply
`

// line is a row of the script: a field of the hashes, and numbers.
type line struct {
	field             string
	keep, want, limit []int64
}

// script returns the command that writes lines of a window.
func (b *RedisBook) script(window string, until time.Time, numbers int, lines []line) command {
	b.turn++
	all, own := b.keys(window)
	args := []any{takeScript, 2, all, own, b.turn, until.Unix(), numbers}
	for _, l := range lines {
		args = append(args, l.field)
		for _, n := range slices.Concat(l.keep, l.want, l.limit) {
			args = append(args, min(max(n, 0), mostKept))
		}
	}
	return command{"EVAL", args}
}

// Commit implements Book. Rows of one window are written together, up to rowsAtOnce.
func (b *RedisBook) Commit(rows []Row, spent []Spending) ([]Balance, error) {
	lines, windows := map[string][]line{}, map[string][]int{} // by window, with the indexes of the rows
	for i, r := range rows {
		if endOf(r.Window).IsZero() {
			return nil, fmt.Errorf("unknown budget window %q", r.Window) // its key would expire at once
		}
		lines[r.Window] = append(lines[r.Window], line{r.Account, pair(r.Keep), pair(r.Want), pair(r.Limit)})
		windows[r.Window] = append(windows[r.Window], i)
	}
	counted := map[spending]Use{}
	for _, s := range spent {
		k := spending{s.Day, s.Group, s.Model}
		if _, ok := counted[k]; !ok {
			counted[k] = b.counted[k]
		}
		counted[k] = counted[k].Add(s.Use)
	}
	uses := map[string][]line{}
	for k, u := range counted { // totals of this process, which can be sent twice without harm
		n := []int64{u.Requests, u.In, u.Out, u.Micros}
		uses[k.day] = append(uses[k.day], line{k.group + "\x00" + k.model, n, n, n})
	}
	var order []int // order of the rows in the replies
	for _, window := range slices.Sorted(maps.Keys(lines)) {
		order = append(order, windows[window]...)
	}
	replies, err := b.do(func() (all []command) {
		for _, window := range slices.Sorted(maps.Keys(lines)) {
			all = append(all, b.scripts(window, endOf(window), 2, lines[window])...)
		}
		for day, some := range uses {
			all = append(all, b.scripts(day+spendings, endOf(day), 4, some)...)
		}
		return all
	})
	var held []Balance
	if err == nil {
		held, err = heldOf(replies, order)
	}
	b.tell(err)
	if err != nil {
		return nil, err
	}
	maps.Copy(b.counted, counted)
	for k := range b.counted {
		if endOf(k.day).AddDate(0, 0, KeptDays).Before(time.Now()) {
			delete(b.counted, k)
		}
	}
	return held, nil
}

// scripts returns the commands that write lines of a window which ends at that time.
func (b *RedisBook) scripts(window string, end time.Time, numbers int, lines []line) (all []command) {
	for some := range slices.Chunk(lines, rowsAtOnce) {
		all = append(all, b.script(window, end.AddDate(0, 0, KeptDays), numbers, some))
	}
	return all
}

// heldOf decodes the replies for rows in that order. The replies for spending follow them.
func heldOf(replies []any, order []int) ([]Balance, error) {
	held := make([]Balance, len(order))
	for _, reply := range replies {
		if len(order) == 0 {
			break
		}
		values, err := redis.Strings(reply, nil)
		if err != nil || len(values)%2 != 0 || len(values) > 2*len(order) {
			return nil, fmt.Errorf("%w: unexpected answer from Redis", ErrRefused)
		}
		for i := 0; i < len(values); i += 2 {
			h, err := heldIn(values[i], values[i+1])
			if err != nil {
				return nil, err
			}
			held[order[i/2]] = h
		}
		order = order[len(values)/2:]
	}
	return held, nil
}

func pair(a Amount) []int64 { return []int64{a.Tokens, a.Micros} }

// heldIn decodes the values of both hashes.
func heldIn(own, all string) (h Balance, err error) {
	var n [2][]int64
	for i, v := range []string{own, all} {
		if n[i], err = numbersIn(v, 2); err != nil {
			return h, err
		}
	}
	return Balance{Amount{n[0][0], n[0][1]}, Amount{n[1][0], n[1][1]}}, nil
}

// numbersIn decodes a value with count numbers; "" gives zeros.
func numbersIn(value string, count int) ([]int64, error) {
	numbers := make([]int64, count)
	words := strings.Fields(value)
	if len(words) == 0 {
		return numbers, nil
	}
	ok := len(words) == count
	for i := 0; ok && i < count; i++ {
		n, err := strconv.ParseInt(words[i], 10, 64)
		ok = err == nil && n >= 0
		numbers[i] = n
	}
	if !ok {
		return nil, fmt.Errorf("%w: its key holds something else", ErrRefused)
	}
	return numbers, nil
}

// Spent implements Book.
func (b *RedisBook) Spent(window string, accounts []string) ([]Balance, error) {
	all, own := b.keys(window)
	fields := make([]any, len(accounts))
	for i, a := range accounts {
		fields[i] = a
	}
	replies, err := b.do(func() []command {
		return []command{{"HMGET", append([]any{own}, fields...)}, {"HMGET", append([]any{all}, fields...)}}
	})
	held := make([]Balance, len(accounts))
	var values [2][]string
	for i := range replies {
		if values[i], err = redis.Strings(replies[i], err); len(values[i]) != len(accounts) && err == nil {
			err = fmt.Errorf("%w: unexpected answer from Redis", ErrRefused)
		}
	}
	for i := 0; i < len(accounts) && err == nil; i++ {
		held[i], err = heldIn(values[0][i], values[1][i])
	}
	if err != nil {
		b.tell(err)
		return nil, err
	}
	return held, nil
}

// Spendings implements Book. It returns the spending of all processes, or an error if since
// is not a day.
func (b *RedisBook) Spendings(since string) ([]Spending, error) {
	from, err := time.Parse(time.DateOnly, since)
	if err != nil {
		return nil, fmt.Errorf("spending since %q: %w", since, err)
	}
	var days []string
	for i := range KeptDays + 2 { // one more, because clocks differ
		days = append(days, Day.key(from.AddDate(0, 0, i)))
	}
	replies, err := b.do(func() (all []command) {
		for _, day := range days {
			key, _ := b.keys(day + spendings)
			all = append(all, command{"HGETALL", []any{key}})
		}
		return all
	})
	var all []Spending
	for i := range replies {
		var rows map[string]string
		if rows, err = redis.StringMap(replies[i], err); err != nil {
			break
		}
		for key, value := range rows {
			var n []int64
			if n, err = numbersIn(value, 4); err != nil {
				break
			}
			group, model, _ := strings.Cut(key, "\x00")
			all = append(all, Spending{days[i], group, model, Use{n[0], n[1], n[2], n[3]}})
		}
	}
	if err != nil {
		b.tell(err)
		return nil, err
	}
	slices.SortFunc(all, func(a, b Spending) int {
		return cmp.Or(cmp.Compare(a.Day, b.Day), cmp.Compare(a.Group, b.Group), cmp.Compare(a.Model, b.Model))
	})
	return all, nil
}
