// Package hosted reaches models through a proxy or at a provider, with keys, prices and run
// files.
package hosted
