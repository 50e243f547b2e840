//go:build !(js && kernel)

package kernel

// Start returns false: this program was built without the kernel, so Go does the work.
func Start() bool { return false }
