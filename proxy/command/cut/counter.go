package cut

import (
	"io"
)

// Counter counts the bytes written.
type Counter struct {
	io.Writer
	N int64
}

// Write writes b and adds the number of bytes written to N.
func (c *Counter) Write(b []byte) (int, error) {
	n, err := c.Writer.Write(b)
	c.N += int64(n)
	return n, err
}
