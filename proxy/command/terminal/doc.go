// Package terminal is the ground of seam's commands: streams, exit, output, names, progress.
package terminal
