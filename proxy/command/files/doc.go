// Package files turns the names that a command was given into documents, and results into files.
package files
