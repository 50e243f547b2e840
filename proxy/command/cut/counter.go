package cut

import (
	"io"
)

// Counter counts what is written.
type Counter struct {
	io.Writer
	N int64
}

// Write counts what the writer took.
func (c *Counter) Write(b []byte) (int, error) {
	n, err := c.Writer.Write(b)
	c.N += int64(n)
	return n, err
}
