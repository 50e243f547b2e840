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
		"percentile": {Good: "texts where a fixed share of all gaps should be cut, however large or small the changes are.",
			German: German{Label: "Perzentil",
				Help: "Schneidet, wo der Abstand über dem gewählten Perzentil aller Abstände liegt. Schwelle von LangChain, Sätze von Seam.", Setting: "Perzentil der Abstände",
				Good: "Texte, in denen ein fester Anteil aller Lücken geschnitten werden soll, egal wie groß die Wechsel sind."}},
		"stddev": {Good: "finding the few changes that stand out far from all others. An even text stays whole.",
			German: German{Label: "Standardabweichung",
				Help: "Schneidet, wo der Abstand um mehr als die gewählte Zahl von Standardabweichungen über dem Mittel liegt. Schwelle von LangChain, Sätze von Seam.", Setting: "Standard\u00adabweichungen über dem Mittel",
				Good: "die wenigen Wechsel, die weit über alle anderen hinausragen. Ein gleichmäßiger Text bleibt ganz."}},
		"iqr": {Good: "the same, if a few very large changes should not hide the others.",
			German: German{Label: "Interquartilsabstand",
				Help: "Schneidet, wo der Abstand um mehr als die gewählte Zahl von Interquartilsabständen über dem Mittel liegt. Schwelle von LangChain, Sätze von Seam.", Setting: "Interquartils\u00adabstände über dem Mittel",
				Good: "dasselbe, wenn wenige sehr große Wechsel die anderen nicht verdecken sollen."}},
		"gradient": {Good: "texts of one field, such as law or medicine, with similar distances: the rise counts, not the height.",
			German: German{Label: "Anstieg",
				Help: "Schneidet, wo der Abstand schneller wächst als das gewählte Perzentil aller Anstiege. Schwelle von LangChain, Sätze von Seam.", Setting: "Perzentil der Anstiege",
				Good: "Texte eines Fachs wie Recht oder Medizin mit ähnlichen Abständen: Es zählt der Anstieg, nicht die Höhe."}},
		"notebook-percentile": {Good: "comparing with the published notebook: at 90 it cuts nearly everywhere.",
			German: German{Label: "Notebook: Perzentil",
				Help: "Schneidet wie das Notebook, wo die Ähnlichkeit unter dem gewählten Perzentil der Ähnlichkeiten liegt: bei 90 an neun von zehn Stellen.", Setting: "Perzentil der Ähnlichkeiten",
				Good: "den Vergleich mit dem veröffentlichten Notebook: Bei 90 schneidet es fast überall."}},
		"notebook-stddev": {Good: "comparing with the notebook when it cuts at unusually low similarities.",
			German: German{Label: "Notebook: Standardabweichung",
				Help: "Schneidet wie das Notebook, wo die Ähnlichkeit um mehr als die gewählte Zahl von Standardabweichungen unter dem Mittel liegt.", Setting: "Standard\u00adabweichungen unter dem Mittel",
				Good: "den Vergleich mit dem Notebook bei Schnitten an ungewöhnlich geringen Ähnlichkeiten."}},
		"notebook-iqr": {Good: "comparing with the notebook when it cuts only at outliers. A text may have none.",
			German: German{Label: "Notebook: Quartile",
				Help: "Schneidet wie das Notebook, wo die Ähnlichkeit unter dem ersten Quartil abzüglich 1,5\u00a0Interquartilsabständen liegt.",
				Good: "den Vergleich mit dem Notebook bei Schnitten nur an Ausreißern. Ein Text hat vielleicht keine."}},
	}
}
