package digest

// Sum256 returns the SHA-256 of b.
func Sum256(b []byte) [Size]byte { return sum(b) }
