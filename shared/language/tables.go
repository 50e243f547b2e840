package language

import "unicode"

// script is a writing system distinguished by this package.
type script int

const (
	none script = iota // not a letter
	latin
	cyrillic
	greek
	arabic
	hebrew
	devanagari
	thai
	han
	kana
	hangul
	other
	scripts // number of scripts
)

// blocks lists the Unicode blocks with a script's letters, in order.
var blocks = []struct {
	first, last rune
	script      script
}{
	{0x0041, 0x005a, latin}, {0x0061, 0x007a, latin}, {0x00aa, 0x00aa, latin}, {0x00ba, 0x00ba, latin}, {0x00c0, 0x024f, latin},
	{0x0370, 0x03ff, greek}, {0x0400, 0x052f, cyrillic}, {0x0590, 0x05ff, hebrew}, {0x0600, 0x06ff, arabic}, {0x0750, 0x077f, arabic},
	{0x0900, 0x097f, devanagari}, {0x0e00, 0x0e7f, thai}, {0x1100, 0x11ff, hangul}, {0x1e00, 0x1eff, latin}, {0x1f00, 0x1fff, greek},
	{0x3040, 0x30ff, kana}, {0x3130, 0x318f, hangul}, {0x3400, 0x4dbf, han}, {0x4e00, 0x9fff, han}, {0xac00, 0xd7af, hangul},
	{0xf900, 0xfaff, han}, {0xfb1d, 0xfb4f, hebrew}, {0xfb50, 0xfdff, arabic}, {0xfe70, 0xfefc, arabic}, {0x20000, 0x323af, han},
}

func scriptOf(r rune) script {
	if r < 0x80 {
		if 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' {
			return latin
		}
		return none
	}
	if !unicode.IsLetter(r) {
		return none
	}
	for _, b := range blocks {
		if r <= b.last {
			if r >= b.first {
				return b.script
			}
			break
		}
	}
	return other
}

// alone maps a script to its language if there is no other evidence.
var alone = map[script]string{greek: "el", arabic: "ar", hebrew: "he", devanagari: "hi", thai: "th", han: "zh", kana: "ja", hangul: "ko", cyrillic: "ru", other: "und"}

var names = map[string]string{"el": "Greek", "ar": "Arabic", "he": "Hebrew", "hi": "Hindi", "th": "Thai", "zh": "Chinese", "ja": "Japanese", "ko": "Korean", "und": "a script it has not seen"}

// languages lists languages with their most frequent function words: articles,
// prepositions, pronouns, conjunctions and auxiliary verbs, collected by hand. Single ASCII
// letters are left out, because tables, formulas and spaced-out headings are full of them.
var languages = [...]struct {
	code, name string
	script     script
	words      string
}{
	{"en", "English", latin, "the of and to in is that for it with as was on are by this be from or an at not which have has were their its but they you can we he his will been more when if one would there all who what how do does about into than then these those also may your"},
	{"de", "German", latin, "der die das und ist nicht ein eine zu den von mit des im auf für dem sich auch als an es wird sind werden aus bei nach oder er sie war wie einer einen einem nur noch durch zum zur über kann hat ich wir vom aber wenn haben diese dieser"},
	{"fr", "French", latin, "le la les des et est une un du dans que qui pour pas sur au par avec il ce sont plus ne se aux cette ces ou elle été mais nous vous leur son sa ses être fait comme on deux même après qu"},
	{"es", "Spanish", latin, "el la los las que en un una es por con para del se no su al lo como más pero sus fue son este esta ha entre cuando muy sin sobre también hasta hay donde desde todo nos durante ser está"},
	{"it", "Italian", latin, "il di che la è un una per non in con del della si le da dei al nel gli sono lo alla come più anche ha delle ma questo questa dal nella essere stato suo sua degli dalla su tra"},
	{"pt", "Portuguese", latin, "os as que de do da em um uma para com não é por dos das no na se mais como ao foi mas são sua seu ou pelo pela à também entre ser já está até isso ele ela quando muito nos"},
	{"nl", "Dutch", latin, "de het een en van is dat op te niet zijn met voor die aan ook als er maar om door bij wordt naar werd dit uit over worden hij of heeft kan nog tot deze haar hun we je ik geen wat"},
	{"sv", "Swedish", latin, "och att det som en är på för med av ett inte den till har de om var från kan men sig så vid också eller när där efter man han hon vi ska skulle denna detta under mot hade jag"},
	{"da", "Danish", latin, "og at det er en som på for med af et ikke den til har de om var fra kan men sig så ved også eller når der efter man han hun vi skal skulle denne dette under mod havde jeg blev"},
	{"no", "Norwegian", latin, "og å det er en som på for med av et ikke den til har de om var fra kan men seg så ved også eller når der etter man han hun vi skal skulle denne dette under mot hadde jeg ble"},
	{"fi", "Finnish", latin, "ja on ei että se oli hän mutta myös tai kun sen ovat niin kuin jos mukaan sekä jotka joka vain ole voi olla hänen mitä nyt sitä olen tämä tämän ennen jo kanssa"},
	{"pl", "Polish", latin, "na się nie do jest że to po jak za od przez dla są oraz ale tak jego był tym co który która które może lub już jej być tego przy także ich ze"},
	{"cs", "Czech", latin, "se na je že do to pro jako by ve po které který která však jeho nebo byl od jsou ale také již při za tak bylo až může kde"},
	{"hu", "Hungarian", latin, "az és hogy nem is egy ez van meg de volt csak mint el már még ha vagy azt kell ki azonban lehet amely minden között után ezt amikor majd"},
	{"ro", "Romanian", latin, "și de în la cu pe din care nu un este să se că mai pentru fost sunt au prin ca sau după lui ale al dar era între acest această fi"},
	{"tr", "Turkish", latin, "ve bir bu da de için ile olarak çok daha olan gibi en kadar sonra ne ise ancak var her ya veya değil ki tarafından ben olduğu göre"},
	{"id", "Indonesian", latin, "yang dan di itu dengan untuk tidak ini dari dalam pada akan ke adalah oleh juga atau karena bisa ada telah sebagai mereka saya dapat lebih kami seperti"},
	{"vi", "Vietnamese", latin, "và của là có được cho các trong một không với người những đã này để khi từ đến như về cũng tại theo ra trên sau đó nhưng"},
	{"ca", "Catalan", latin, "el la els les de que en un una és per amb del al no es com més va ser són aquest aquesta seva seu dels també però des fins hi ha"},
	{"ru", "Russian", cyrillic, "и в не на что с он как это по но из к у за от так же для его все они мы был было или бы то только она при ещё быть уже которые"},
	{"uk", "Ukrainian", cyrillic, "і в не на що з він як це по але із до у за від так для його все вони ми був було або б та тільки вона при ще бути вже які є й"},
	{"bg", "Bulgarian", cyrillic, "и в не на че с той като това по но от за се да са е към при или те ние беше му си също един която които има може след"},
}
