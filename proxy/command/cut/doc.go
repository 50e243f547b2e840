// Package cut turns options into chunks, and chunks into what commands print.
package cut
