// Package hosted reaches models behind a proxy or at a provider: keys, costs, runs.
package hosted
