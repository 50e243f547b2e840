//go:build !(js && kernel)

package kernel

// Start reports that this program was built without the kernel: Go does the work.
func Start() bool { return false }
