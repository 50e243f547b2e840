// Package terminal is the basis of seam's commands: streams, exit status, output, file
// names and progress.
package terminal
