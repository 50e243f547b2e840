//go:build !js

package digest

import "crypto/sha256"

// Sum256 returns the SHA-256 of b.
func Sum256(b []byte) [Size]byte { return sha256.Sum256(b) }
