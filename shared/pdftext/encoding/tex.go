package encoding

// texName returns the text of names in TeX's fonts that the Adobe Glyph List lacks or
// defines differently.
func texName(name string) string {
	switch name {
	case "angbracketleft":
		return "⟨"
	case "angbracketright":
		return "⟩"
	case "bardbl":
		return "∥"
	case "negationslash":
		return "\u0338"
	case "owner":
		return "∋"
	case "epsilon1":
		return "ϵ"
	case "longst":
		return "ﬅ"
	case "st":
		return "ﬆ"
	case "visiblespace", "visualspace":
		return "␣"
	case "squaresolid":
		return "■"
	case "square":
		return "□"
	case "subsetnoteql":
		return "⊊"
	case "supersetnoteql":
		return "⊋"
	case "floorleft":
		return "⌊"
	case "floorright":
		return "⌋"
	case "ceilingleft":
		return "⌈"
	case "ceilingright":
		return "⌉"
	case "latticetop":
		return "⊤"
	case "turnstileleft":
		return "⊢"
	case "lessmuch":
		return "≪"
	case "greatermuch":
		return "≫"
	case "equivasymptotic":
		return "≍"
	case "logicalor":
		return "∨"
	case "logicaland":
		return "∧"
	}
	return ""
}
