// Package arch holds the rules on imports between packages, in the form of tests; see
// arch_test.go.
package arch
