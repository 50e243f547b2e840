// Package sites makes, serves and searches the indexes of built web sites.
package sites
