// Package cut turns options into chunks, and chunks into the output of commands.
package cut
