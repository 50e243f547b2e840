// Package manual describes the command line from its model: completions for shells, and a man
// page.
package manual
