package llm

import (
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// Object reads the JSON object in an answer into v. Models often put it in a code fence or
// add words before and after it. The error briefly describes the problem.
func Object(answer string, v any) error {
	rest := answer
	var first error
	for {
		at := strings.IndexByte(rest, '{')
		if at < 0 {
			break
		}
		rest = rest[at:]
		var raw json.RawMessage
		err := json.NewDecoder(strings.NewReader(rest)).Decode(&raw)
		if err == nil {
			return json.Unmarshal(raw, v)
		}
		if first == nil {
			first = err
		}
		rest = rest[1:]
	}
	if first != nil {
		return fmt.Errorf("its JSON is damaged: %w", first)
	}
	return errors.New("it has no JSON object")
}

// Score reads the judgement in an answer: 0, 0.5 or 1, alone or among words. It takes the
// number after the last "score", otherwise the number at the beginning, otherwise the only
// number. It returns false if the score is unclear, as in "8/10" or for 0.7.
func Score(answer string) (float64, bool) {
	words := strings.ToLower(answer)
	if at := strings.LastIndex(words, "score"); at >= 0 {
		if numbers := numbersOf(words[at:]); len(numbers) > 0 {
			return numbers[0].judgement()
		}
	}
	numbers := numbersOf(words)
	if len(numbers) == 0 {
		return 0, false
	}
	score, ok := numbers[0].judgement()
	if !ok || strings.Trim(words[:numbers[0].at], " \t\r\n*_`\"'([#>-") == "" {
		return score, ok
	}
	for _, n := range numbers[1:] {
		if n.value != score {
			return 0, false
		}
	}
	return score, true
}

// number is a number at a place in a text, with its denominator; 0 if it has none.
type number struct {
	at        int
	value, of float64
	exact     bool // written like an ordinary number, not a version or a date
}

func (n number) judgement() (float64, bool) {
	fits := n.value == 0 || n.value == 0.5 || n.value == 1
	if !fits || !n.exact || n.of != 0 && n.of != 1 {
		return 0, false
	}
	return n.value, true
}

// numbersOf returns the numbers of a text, in order. "x/y" and "x out of y" count as one.
func numbersOf(t string) (out []number) {
	for i := 0; i < len(t); {
		if !digit(t[i]) {
			i++
			continue
		}
		n := number{at: i, exact: i == 0 || t[i-1] != '-' && t[i-1] != '.' && t[i-1] != ','}
		n.value, i = numberAt(t, i)
		rest := strings.TrimLeft(t[i:], " \t*_`")
		if n.value >= 0 && (strings.HasPrefix(rest, "%") || strings.HasPrefix(rest, "percent")) {
			n.exact = false
		}
		for _, over := range []string{"/", "out of"} {
			if behind, ok := strings.CutPrefix(rest, over); ok {
				behind = strings.TrimLeft(behind, " \t*_`")
				if behind != "" && digit(behind[0]) {
					n.of, _ = numberAt(behind, 0)
					_, end := numberAt(behind, 0)
					i = len(t) - len(behind) + end
				}
			}
		}
		out = append(out, n)
	}
	return out
}

func digit(b byte) bool { return '0' <= b && b <= '9' }

// numberAt reads the number at i, and returns its end. The value is −1 for something that
// is not a number, such as 1.2.3. A full stop after it is not part of it.
func numberAt(t string, i int) (float64, int) {
	end := i
	for end < len(t) && (digit(t[end]) || (t[end] == '.' || t[end] == ',') && end+1 < len(t) && digit(t[end+1])) {
		end++
	}
	value, err := strconv.ParseFloat(strings.Replace(t[i:end], ",", ".", 1), 64)
	if err != nil {
		return -1, end
	}
	return value, end
}
