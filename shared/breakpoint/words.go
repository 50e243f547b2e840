package breakpoint

// Words holds the texts about a method that users read, in addition to its label and help.
type Words struct {
	Good   string // what the method is good for, written to follow "Good for:"
	German German
}

// German holds the German words of a method.
type German struct {
	Label, Help, Good string
	Setting           string // label of its setting; empty for a method without a setting
}

// AllWords returns the words of all methods, keyed by name. They are not part of Method so
// that the engine binary, which shows none of them, does not contain them.
func AllWords() map[string]Words {
	return map[string]Words{
		"percentile": {Good: "a text of which a fixed share of all gaps is to be cut, however large or small its changes are.",
			German: German{Label: "Perzentil",
				Help: "Schneidet, wo der Abstand über dem gewählten Perzentil aller Abstände liegt. Schwelle von LangChain, Sätze von Seam.", Setting: "Perzentil der Abstände",
				Good: "einen Text, von dem ein fester Anteil aller Lücken geschnitten werden soll, wie groß oder klein seine Wechsel auch sind."}},
		"stddev": {Good: "the few changes that stand out far from all others. An even text stays whole.",
			German: German{Label: "Standardabweichung",
				Help: "Schneidet, wo der Abstand um mehr als die gewählte Zahl von Standardabweichungen über dem Mittel liegt. Schwelle von LangChain, Sätze von Seam.", Setting: "Standard\u00adabweichungen über dem Mittel",
				Good: "die wenigen Wechsel, die weit über alle anderen hinausragen. Ein gleichmäßiger Text bleibt ganz."}},
		"iqr": {Good: "the same, where a few very large changes are not to hide the others.",
			German: German{Label: "Interquartilsabstand",
				Help: "Schneidet, wo der Abstand um mehr als die gewählte Zahl von Interquartilsabständen über dem Mittel liegt. Schwelle von LangChain, Sätze von Seam.", Setting: "Interquartils\u00adabstände über dem Mittel",
				Good: "dasselbe, wo einige sehr große Wechsel die anderen nicht verdecken sollen."}},
		"gradient": {Good: "texts of one field, such as law or medicine, whose distances are alike: the rise counts and not the height.",
			German: German{Label: "Anstieg",
				Help: "Schneidet, wo der Abstand schneller wächst als am gewählten Perzentil aller Stellen. Schwelle von LangChain, Sätze von Seam.", Setting: "Perzentil der Anstiege",
				Good: "Texte eines Fachs wie Recht oder Medizin, deren Abstände einander gleichen: Es zählt der Anstieg und nicht die Höhe."}},
		"notebook-percentile": {Good: "seeing what the published notebook does: at 90 it cuts nearly everywhere.",
			German: German{Label: "Notebook: Perzentil",
				Help: "Schneidet wie das Notebook, wo die Ähnlichkeit unter dem gewählten Perzentil der Ähnlichkeiten liegt: bei 90 an neun von zehn Stellen.", Setting: "Perzentil der Ähnlichkeiten",
				Good: "einen Blick auf das, was das veröffentlichte Notebook tut: Bei 90 schneidet es fast überall."}},
		"notebook-stddev": {Good: "a comparison with the notebook where it cuts at what is unusually unlike.",
			German: German{Label: "Notebook: Standardabweichung",
				Help: "Schneidet wie das Notebook, wo die Ähnlichkeit um mehr als die gewählte Zahl von Standardabweichungen unter dem Mittel liegt.", Setting: "Standard\u00adabweichungen unter dem Mittel",
				Good: "einen Vergleich mit dem Notebook, wo es bei ungewöhnlich Unähnlichem schneidet."}},
		"notebook-iqr": {Good: "a comparison with the notebook where it cuts at outliers alone, of which there may be none.",
			German: German{Label: "Notebook: Quartile",
				Help: "Schneidet wie das Notebook, wo die Ähnlichkeit unter dem ersten Quartil abzüglich 1,5\u00a0Interquartilsabständen liegt.",
				Good: "einen Vergleich mit dem Notebook, wo es nur bei Ausreißern schneidet, von denen es keine geben muss."}},
	}
}
