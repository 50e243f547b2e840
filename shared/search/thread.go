package search

// fewWords is how many words of a question have to say what is looked for, so that it is
// understood without the one before. Of 29 questions that follow another and 17 that turn
// to something else (web/build/testdata/threads.json), over the gallery in 103 chunks,
// the answer is among the six passages that are sent:
//
//	               follow  turn
//	alone             22     17
//	fewer than 2      26     16
//	fewer than 3      27     16
//	fewer than 4      27     15
//	always joined     27     13
const fewWords = 3

// FollowUp is what a question of a thread is searched for with: itself, and before it as
// many of the earlier ones, the oldest first, as it takes until one of them stands for
// itself. So "And in winter?" brings the words that it is about, and a new subject does
// not find the old one's passages.
func (s *Searcher) FollowUp(earlier []string, question string) string {
	query := question
	for i := len(earlier) - 1; i >= 0 && s.words.Telling(question) < fewWords; i-- {
		question = earlier[i]
		query = question + " " + query
	}
	return query
}
