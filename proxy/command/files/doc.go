// Package files turns the arguments of a command into documents, and results into files.
package files
