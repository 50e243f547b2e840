package files

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strconv"
	"strings"
	"sync"

	"seam/proxy/command/terminal"
	"seam/shared/text"
	"seam/shared/vector"
)

// memory is the size in bytes above which the garbage collector works harder, because PDF
// files with many objects briefly take several times their size. PerByte is the memory used
// per byte of a file, mostly for its vectors. With a lower limit the collector would run
// constantly without finding garbage.
const memory, PerByte = 280 << 20, 24

// Limit counts the memory that texts and vectors take, to set the garbage collector's limit.
// It is no limit of the program: that is Room.
var Limit struct {
	sync.Mutex
	largest int64 // size of the largest file
	granted int64 // bytes of the large matrices
	Held    int64 // bytes of all texts that stay in memory
}

// LimitMemory raises the collector's limit for a file of this size, unless a larger one
// already did.
func LimitMemory(size int64) { raiseMemoryLimit(size, 0, 0) }

// HoldMemory raises the limit for a document that stays in memory until the end.
func HoldMemory(d *text.Document) { raiseMemoryLimit(0, int64(len(d.View(text.Reading).Text)), 0) }

func raiseMemoryLimit(size, held, granted int64) {
	if os.Getenv("GOMEMLIMIT") != "" {
		return
	}
	Limit.Lock()
	defer Limit.Unlock()
	Limit.largest, Limit.Held, Limit.granted = max(Limit.largest, size), Limit.Held+held, Limit.granted+granted
	debug.SetMemoryLimit(memory + min(memory, PerByte*Limit.largest) + PerByte*Limit.Held + 2*Limit.granted)
}

// ParseSize returns the bytes of a size such as 500MB or 2g.
func ParseSize(s string) (int64, error) {
	digits := strings.TrimRight(strings.ToLower(strings.TrimSpace(s)), "ib")
	unit := int64(1)
	for suffix, of := range map[string]int64{"k": 1 << 10, "m": 1 << 20, "g": 1 << 30, "t": 1 << 40} {
		if n, ok := strings.CutSuffix(digits, suffix); ok {
			digits, unit = n, of
		}
	}
	n, err := strconv.ParseFloat(strings.TrimSpace(digits), 64)
	if err != nil || !(n > 0 && n*float64(unit) < 1<<60) {
		return 0, terminal.Usagef("%s is no size: write 500MB or 2GB", terminal.Shown(s))
	}
	return int64(n * float64(unit)), nil
}

// SetRoom bounds the large matrices of the program by size, as given by --memory, or else by
// the memory that the machine and its control groups have left.
func SetRoom(size string) error {
	most := int64(0)
	if size != "" {
		var err error
		if most, err = ParseSize(size); err != nil {
			return fmt.Errorf("--memory %w", err)
		}
	} else if os.Getenv("GOMEMLIMIT") != "" {
		return nil // the limit of vector.Make itself
	}
	vector.Room = func(bytes float64) float64 {
		space := left()
		if most > 0 {
			var s runtime.MemStats
			runtime.ReadMemStats(&s)
			space = max(0, float64(most)-float64(s.HeapInuse))
		}
		if bytes <= space {
			raiseMemoryLimit(0, 0, int64(bytes))
		}
		return space
	}
	return nil
}

// reserve is the memory that a program leaves to others.
const reserve = 64 << 20

// left returns the memory that the machine and the control groups of this process have left.
// Where they do not say, it is more than any machine has.
func left() float64 {
	free := float64(1 << 40)
	if n, ok := field("/proc/meminfo", "MemAvailable:"); ok {
		free = n * 1024
	}
	groups, _ := os.ReadFile("/proc/self/cgroup") // other systems have none
	for line := range strings.Lines(string(groups)) {
		parts := strings.SplitN(strings.TrimSpace(line), ":", 3)
		if len(parts) != 3 {
			continue
		}
		switch {
		case parts[1] == "":
			free = min(free, leftIn("/sys/fs/cgroup", parts[2], "memory.max", "memory.current", "inactive_file"))
		case parts[1] == "memory":
			free = min(free, leftIn("/sys/fs/cgroup/memory", parts[2], "memory.limit_in_bytes", "memory.usage_in_bytes", "total_inactive_file"))
		}
	}
	return max(0, free-reserve)
}

// leftIn returns the memory that a control group and those above it have left. Files that the
// kernel keeps and can drop do not count as used.
func leftIn(root, group, most, used, cached string) float64 {
	free := float64(1 << 40)
	for dir := filepath.Clean("/" + group); ; dir = filepath.Dir(dir) {
		at := filepath.Join(root, dir)
		if limit, ok := number(filepath.Join(at, most)); ok {
			now, _ := number(filepath.Join(at, used))
			kept, _ := field(filepath.Join(at, "memory.stat"), cached)
			free = min(free, limit-max(0, now-kept))
		}
		if dir == "/" {
			return free
		}
	}
}

// number returns the number in a file, which may be "max".
func number(name string) (float64, bool) {
	b, err := os.ReadFile(name)
	if err != nil {
		return 0, false
	}
	n, err := strconv.ParseFloat(strings.TrimSpace(string(b)), 64)
	return n, err == nil
}

// field returns the number after a word at the beginning of a line.
func field(name, word string) (float64, bool) {
	b, err := os.ReadFile(name)
	if err != nil {
		return 0, false
	}
	for line := range strings.Lines(string(b)) {
		if f := strings.Fields(line); len(f) > 1 && f[0] == word {
			n, err := strconv.ParseFloat(f[1], 64)
			return n, err == nil
		}
	}
	return 0, false
}
