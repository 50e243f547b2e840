package sentence_test

import (
	"fmt"

	"seam/shared/sentence"
)

func ExampleSplit() {
	t := "Dr. No is in. He waits (since 5 p.m.) for you.\n1. Knock.\n2. Run!"
	for _, s := range sentence.Split(t) {
		fmt.Printf("%2d-%2d %q\n", s.Start, s.End, s.Of(t))
	}
	// Output:
	//  0-13 "Dr. No is in."
	// 14-46 "He waits (since 5 p.m.) for you."
	// 47-56 "1. Knock."
	// 57-64 "2. Run!"
}

// Chinese has no spaces, and closes quotations after the full stop.
func ExampleSplit_chinese() {
	t := "他说：“好的。”我们走吧！"
	for _, s := range sentence.Split(t) {
		fmt.Println(s.Of(t))
	}
	// Output:
	// 他说：“好的。”
	// 我们走吧！
}

// The separator belongs to neither sentence.
func ExampleNotebook() {
	t := "Dr. No is in. He waits."
	for _, s := range sentence.Notebook(t) {
		fmt.Printf("%q\n", s.Of(t))
	}
	// Output:
	// "Dr"
	// "No is in"
	// "He waits."
}
