// Package collections pushes chunks to search engines and compares them with what these hold.
package collections
