package answer

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"seam/shared/protocol"
)

// IsRefusal reports whether an answer is protocol.Refusal, ignoring quotes and white space
// around it.
func IsRefusal(answer string) bool {
	bare := func(s string) string { return strings.Trim(s, " \t\r\n\"'`“”„‘’«».") }
	return bare(answer) == bare(protocol.Refusal)
}

// Refuses reports whether an answer says that the passages do not hold the answer: by
// protocol.Refusal, by the mark that it began with, or in a sentence of the model's own. An
// answer that cites a passage, or goes on with a part of the answer, is none.
func Refuses(answer string, marked bool) bool {
	switch {
	case IsRefusal(answer):
		return true
	case cites(answer) || utf8.RuneCountInString(answer) > longestRefusal:
		return false
	}
	return marked || refusesInWords(strings.ToLower(bare(answer)))
}

const longestRefusal = 400 // characters

// denials has the words of refusals in each language: not knowing, and passages, answers or
// information. The first sentence of a refusal has one of each.
var denials = []struct{ not, of string }{
	{"not contain|n't contain|not provide|n't provide|not mention|n't mention|not specif|n't specif|not say|n't say|not state|n't state|not include|n't include|do not answer|does not answer|n't answer|cannot answer|unable to answer|not find|n't find|cannot find|no information|not enough|n't enough|insufficient|none of the|not have enough|n't have enough|no answer|no details|no mention|not possible to answer",
		"passages|excerpts|context|the text|sources|provided|information|an answer|the answer|this question|the question"},
	{"keine antwort|nicht beantwort|keine information|keine angabe|nicht erwähn|nicht hervor|nicht genügend|nicht genug|nicht ausreichend|unzureichend|steht nicht|nicht angegeben|nicht genannt|nicht enthalten|nicht zu entnehmen|nennen nicht|nennt nicht|sagen nicht|keine der|nicht gefunden",
		"textstelle|passage|auszüge|im text|dem text|der text|dokumente|quellen|information|antwort|frage|kontext|abschnitte"},
	{"ne contien|pas répondre|insuffisant|ne précise|aucune information|pas assez|ne mentionne|aucun des|ne permet|ne figure|pas d'information|ne fourni|pas trouv|ne dit|ne disent|pas mentionn|pas indiqu|pas précis|aucune réponse|ne répond|n'indique",
		"passages|extraits|le texte|documents|information|réponse|question|sources|contexte"},
	{"no contien|no puedo|no hay|no menciona|no se indica|no dispongo|no tengo|ninguno de|no especifica|no se encuentra|no se menciona|no proporciona|insuficiente|no encuentr|no encontr|no figura|no dice|no responde|no se especifica|no aparece",
		"pasaje|fragmento|el texto|documentos|información|respuesta|responder|pregunta|fuentes|contexto"},
	{"non conten|non posso|insufficient|non menziona|non è indicat|non ho |nessuno de|non specific|non ci sono|non c'è|non si trova|non fornisc|non è menzion|non trovo|non dic|non rispond|non è presente|non è specific|non sono suff|non viene menzion",
		"brani|estratti|il testo|testi|documenti|informazioni|risposta|rispondere|domanda|passaggi|fonti|contesto"},
	{"não cont|não posso|não há|não menciona|não é indicad|não tenho|nenhum|não especifica|não encontr|insuficiente|não fornec|não é mencion|não diz|não consta|não respond|não indica|não está",
		"trecho|passagens|o texto|no texto|documentos|informaç|resposta|responder|pergunta|fontes|contexto"},
	{"geen antwoord|niet beantwoord|onvoldoende|niet genoeg|geen informatie|geen van de|niet genoemd|niet vermeld|vermeldt niet|vermelden niet|tekst niet|passages niet|staat niet|niet gevonden|bevat geen|bevatten geen|noemt niet|noemen niet|niet vinden|niet aangegeven",
		"passage|fragment|tekst|documenten|informatie|antwoord|vraag|bronnen|context"},
	{"nie zawiera|nie mogę|brak wystarcz|brak inform|brak odpow|nie podan|żaden z|nie ma |nie wspomina|nie mam |nie określa|nie znajd|nie wynika|nie odpowiada|nie wspomn|nie podaj|nie da się",
		"fragment|tekst|dokument|informacj|odpowied|pytani|źród|kontek"},
	{"не содерж|не могу ответить|недостаточно|нет информации|ни один из|не сказано|не указан|не упомин|нет ответа|ответа нет|не найд|не нашл|не говорится|невозможно ответить|нет данных|не отвеча|не удалось найти",
		"отрыв|текст|документ|информаци|ответ|вопрос|источник|контекст|фрагмент"},
	{"içermiyor|yeterli bilgi yok|bilgi bulunm|hiçbiri|bilgi yok|yanıtlayam|cevaplayam|cevap verem|belirtilm|bahsedilm|sahip değil|yer alm|bulunam|yeterli değil|söz edilm|cevap yok|yanıt yok|bulamad",
		"metin|belge|pasaj|bilgi|cevap|yanıt|soru|kaynak|bağlam"},
	{"لا تحتوي|لا يحتوي|لا توجد معلومات|لم يرد|لم ترد|لا يجيب|لا تجيب|لا يمكنني|لا أستطيع|لا يذكر|لا تذكر|لم يذكر|لم تذكر|ليس لدي|غير كاف|غير موجود|لا توجد إجابة|لم أجد|لا يوجد|غير مذكور|لا توضح|لا يوضح|لا تتضمن|لا يتضمن",
		"المقاطع|المقتطفات|النص|المستندات|الوثائق|معلومات|إجاب|السؤال|المصادر|السياق"},
	{"没有包含|不包含|未包含|信息不足|没有关于|没有任何|未提及|没有提到|没有提及|未提到|无法回答|不能回答|没有足够|找不到|没有找到|未说明|没有说明|未提供|没有提供|没有相关|不足以",
		"段落|文本|文中|文档|资料|信息|答案|回答|问题|摘录|上下文|原文"},
	{"含まれていません|含まれていない|含まれておりません|不足して|情報がありません|情報はありません|答えていません|触れられていません|記載されていません|記載がありません|記載はありません|お答えできません|答えられません|回答できません|見つかりません|十分な情報|示されていません|言及されていません|書かれていません",
		"文章|本文|文書|情報|答え|回答|質問|資料|抜粋|文脈|テキスト"},
	{"답이 없|정보가 부족|정보가 없|답하지 않|찾을 수 없|답할 수 없|답변할 수 없|대답할 수 없|언급되어 있지 않|언급되지 않|언급하지 않|충분한 정보가|나와 있지 않|포함되어 있지 않|포함하지 않|명시되어 있지 않|명시되지 않",
		"구절|본문|문서|정보|답|질문|자료|발췌|텍스트|문맥|지문"},
	{"उत्तर नहीं|जानकारी नहीं|नहीं दे सक|नहीं कहा|नहीं बताया|उल्लेख नहीं|नहीं मिल|नहीं दिया गया|जवाब नहीं|नहीं देते|वर्णन नहीं",
		"अंश|पाठ|दस्तावेज|जानकारी|उत्तर|प्रश्न|स्रोत|संदर्भ|जवाब"},
}

// turns are words before a part of the answer.
const turns = " but |however|although| aber |jedoch|allerdings| mais |cependant|toutefois| pero |sin embargo| ma |però|tuttavia| mas |porém|no entanto| maar |echter| ale |jednak| но |однако| ama |fakat|ancak|لكن|但|不过|然而|しかし|ただし|ですが|하지만|그러나|लेकिन|परंतु|किंतु"

// refusesInWords is Refuses for a sentence in any of the languages of denials, in lower case.
func refusesInWords(answer string) bool {
	answer = strings.ReplaceAll(strings.ReplaceAll(answer, "’", "'"), "*", "")
	first, rest := answer, ""
	if i := strings.IndexAny(answer, ".!?。！？।؟\n:;；："); i >= 0 {
		first, rest = answer[:i], answer[i:]
	}
	for _, d := range denials {
		at := after(first, d.not)
		if at < 0 || after(first, d.of) < 0 {
			continue
		}
		// A reason is about the passages; other sentences give a part of the answer.
		goesOn := strings.IndexFunc(rest, unicode.IsLetter) >= 0 && !strings.ContainsAny(rest[:1], ":;；：") && after(rest, d.of) < 0 && after(rest, sources) < 0
		return !goesOn && after(answer[at:], turns) < 0 && strings.IndexFunc(rest, unicode.IsDigit) < 0
	}
	return false
}

// sources are words of a reason, in languages with other words for them there.
const sources = "they only|excerpt|stellen|abschnitt|fragment|отрывк|bölüm|抜粋|摘录|발췌|अंश|المقتطف|estratt|trecho|passage"

// after returns the end of the first of several words in a text, or -1.
func after(text, words string) int {
	for word := range strings.SplitSeq(words, "|") {
		if i := strings.Index(text, word); i >= 0 {
			return i + len(word)
		}
	}
	return -1
}

// cites reports whether a text names a passage, as in "[2]" or "[1, 3]".
func cites(text string) bool {
	for i := 0; i+2 < len(text); i++ {
		if text[i] != '[' {
			continue
		}
		for j := i + 1; j < len(text) && (text[j] >= '0' && text[j] <= '9' || text[j] == ',' || text[j] == ' '); j++ {
			if j+1 < len(text) && text[j+1] == ']' {
				return true
			}
		}
	}
	return false
}

// bare removes quotes, marks of Markdown and white space around a text.
func bare(s string) string { return strings.Trim(s, quotes) }

const quotes = " \t\r\n\"'`“”„‘’«»「」『』*_#>."
