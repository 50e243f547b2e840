package search

// fewWords is the number of meaningful words that make a question understandable without
// the one before. It was tested with 29 questions that follow another and 17 that change
// the subject (web/build/testdata/threads.json), over the gallery in 103 chunks. The table
// shows how often the answer is among the six passages that are sent:
//
//	               follow  turn
//	alone             22     17
//	fewer than 2      26     16
//	fewer than 3      27     16
//	fewer than 4      27     15
//	always joined     27     13
const fewWords = 3

// FollowUp returns the query to search for a question in a thread. It is the question,
// preceded by earlier questions back to one that is understandable alone, oldest first. So
// "And in winter?" includes the words it refers to, and a new subject does not find the
// passages of the old one.
func (s *Searcher) FollowUp(earlier []string, question string) string {
	query := question
	for i := len(earlier) - 1; i >= 0 && s.words.CountContentWords(question) < fewWords; i-- {
		question = earlier[i]
		query = question + " " + query
	}
	return query
}
