package language

import (
	"math"
	"strings"
	"testing"
)

// texts are written for these tests and contain names, numbers and foreign words.
var texts = map[string]string{
	"en": "The miller opened the gate and let the water in. It was a cold day, and the wheel turned so slowly that he could count its paddles. What would he do when the river froze?",
	"de": "Der Müller öffnete das Wehr und ließ das Wasser herein. Es war ein kalter Tag, und das Rad drehte sich so langsam, dass er die Schaufeln zählen konnte. Was sollte er tun, wenn der Fluss zufror?",
	"fr": "Le meunier ouvrit la vanne et laissa entrer l'eau. C'était une journée froide, et la roue tournait si lentement qu'il pouvait compter les pales. Que ferait-il quand la rivière serait gelée dans la vallée ?",
	"es": "El molinero abrió la compuerta y dejó entrar el agua. Era un día frío, y la rueda giraba tan despacio que se podían contar las palas. ¿Qué haría cuando el río se helara por la noche?",
	"it": "Il mugnaio aprì la chiusa e lasciò entrare l'acqua. Era una giornata fredda, e la ruota girava così piano che si potevano contare le pale. Che cosa avrebbe fatto con il fiume gelato della valle?",
	"pt": "O moleiro abriu a comporta e deixou a água entrar. Era um dia frio, e a roda girava tão devagar que ele podia contar as pás. O que faria quando o rio congelasse e não houvesse mais água para a roda?",
	"nl": "De molenaar opende de sluis en liet het water binnen. Het was een koude dag, en het rad draaide zo langzaam dat hij de schoepen kon tellen. Wat zou hij doen als de rivier dichtvroor?",
	"sv": "Mjölnaren öppnade luckan och släppte in vattnet. Det var en kall dag, och hjulet snurrade så långsamt att han kunde räkna skovlarna. Vad skulle han göra när ån frös till is och det inte fanns något vatten?",
	"pl": "Młynarz otworzył zastawkę i wpuścił wodę. To był zimny dzień, a koło obracało się tak wolno, że można było policzyć łopatki. Co zrobi, jeśli rzeka zamarznie i nie będzie już wody do młyna na wzgórzu?",
	"cs": "Mlynář otevřel stavidlo a vpustil vodu. Byl to studený den a kolo se točilo tak pomalu, že by se daly spočítat lopatky. Co bude dělat, až řeka zamrzne a do mlýna se už žádná voda nedostane?",
	"fi": "Mylläri avasi luukun ja päästi veden sisään. Oli kylmä päivä, ja ratas pyöri niin hitaasti, että hän saattoi laskea siivet. Mitä hän tekisi, kun joki jäätyy ja vettä ei ole?",
	"hu": "A molnár kinyitotta a zsilipet, és beengedte a vizet. Hideg nap volt, és a kerék olyan lassan forgott, hogy meg lehetett számolni a lapátokat. Mit csinál majd, ha a folyó befagy, és nem jön víz?",
	"tr": "Değirmenci kapağı açtı ve suyu içeri bıraktı. Soğuk bir gündü ve çark o kadar yavaş dönüyordu ki kanatları saymak mümkündü. Nehir donduğu zaman ne yapacaktı, bunun için bir çare var mıydı?",
	"id": "Tukang giling itu membuka pintu air dan membiarkan air masuk. Hari itu dingin, dan kincir berputar begitu pelan sehingga bilahnya bisa dihitung. Apa yang akan dia lakukan jika sungai itu membeku?",
	"vi": "Người thợ xay mở cống và cho nước chảy vào. Đó là một ngày lạnh, và bánh xe quay chậm đến mức có thể đếm được các cánh của nó. Ông sẽ làm gì khi dòng sông đóng băng?",
	"ru": "Мельник открыл заслонку и впустил воду. День был холодный, и колесо вращалось так медленно, что можно было сосчитать лопасти. Что он будет делать, когда река замёрзнет?",
	"uk": "Мельник відкрив заслінку і впустив воду. День був холодний, і колесо оберталося так повільно, що можна було порахувати лопаті. Що він робитиме, коли річка замерзне, і як це буде?",
	"el": "Ο μυλωνάς άνοιξε την πόρτα και άφησε το νερό να μπει μέσα.",
	"ar": "فتح الطحان البوابة وترك الماء يدخل. كان يوما باردا.",
	"he": "הטוחן פתח את השער והכניס את המים. היה יום קר.",
	"hi": "चक्कीवाले ने फाटक खोला और पानी को अंदर आने दिया।",
	"th": "คนโม่แป้งเปิดประตูและปล่อยให้น้ำไหลเข้ามา",
	"zh": "磨坊主打开了闸门,让水流进来。那是寒冷的一天。",
	"ja": "粉屋は水門を開けて、水を入れました。寒い日でした。",
	"ko": "방앗간 주인은 수문을 열고 물을 들였다. 추운 날이었다.",
}

func TestDetect(t *testing.T) {
	for code, text := range texts {
		got := Detect(text)
		if len(got) == 0 || got[0].Code != code || got[0].Share < .9 {
			t.Errorf("%s: %v", code, got)
		}
		sum := 0.0
		for _, s := range got {
			sum += s.Share
		}
		if math.Abs(sum-1) > 1e-9 {
			t.Errorf("%s: shares of %v together", code, sum)
		}
		unknown, share, ok := Unknown(text, "en")
		if ok != (code != "en") || ok && (unknown != code || share < .9) {
			t.Errorf("%s: unknown %s %.2f %v", code, unknown, share, ok)
		}
		if ok && (Name(code) == "" || Name(code) == code) {
			t.Errorf("%s has no name", code)
		}
	}
}

func TestMixed(t *testing.T) {
	english, german := strings.Repeat(texts["en"]+"\n\n", 9), strings.Repeat(texts["de"]+"\n\n", 9)
	if _, _, ok := Unknown(strings.Repeat(english, 9)+german, "en"); ok {
		t.Error("a tenth of German is too much")
	}
	code, share, ok := Unknown(english+german, "en")
	if !ok || code != "de" || share < .4 || share > .6 {
		t.Errorf("half German: %s %.2f %v", code, share, ok)
	}
	if code, _, ok := Unknown(english+strings.Repeat(texts["zh"], 30), "en"); !ok || code != "zh" {
		t.Errorf("%s %v", code, ok)
	}
}

// A long text must be judged by a sample.
func TestLong(t *testing.T) {
	for code, text := range texts {
		long := strings.Repeat(text+" ", 3000)
		if got, share, ok := Unknown(long, "en"); ok != (code != "en") || ok && (got != code || share < .9) {
			t.Errorf("%s: %s %.2f %v", code, got, share, ok)
		}
	}
	english, german := strings.Repeat(texts["en"]+"\n", 9000), strings.Repeat(texts["de"]+"\n", 9000)
	if _, share, _ := Unknown(english+german, "en"); share < .4 || share > .6 {
		t.Errorf("half German: %.2f", share)
	}
}

// Text other than prose must give no result.
func TestNothingTells(t *testing.T) {
	for _, text := range []string{"", "123 456", "\xff\xfe", "🙂🙂", "a", "Kowalski, Jan; García, José; Müller, Hans; Rossi, Paolo",
		"func main() { fmt.Println(x, y) }\nvar a = b + c", "CO2 H2SO4 NaCl K2Cr2O7", strings.Repeat("Lorem ipsum dolor sit amet consectetur. ", 20)} {
		if code, share, ok := Unknown(text, "en"); ok {
			t.Errorf("%.30q: %s %.2f", text, code, share)
		}
	}
}

func FuzzDetect(f *testing.F) {
	for _, text := range texts {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		for _, s := range Detect(text) {
			if s.Share <= 0 || s.Share > 1 {
				t.Errorf("%v", s)
			}
		}
	})
}

func BenchmarkDetect(b *testing.B) {
	text := strings.Repeat(texts["en"]+" ", 1000)
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		Detect(text)
	}
}
