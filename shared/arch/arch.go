// Package arch holds the rules about who may import whom. They are a test: see
// arch_test.go.
package arch
