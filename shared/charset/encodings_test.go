//go:build !js

package charset

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"golang.org/x/text/encoding/htmlindex"

	"seam/shared/text"
)

// spoken has a paragraph in each of many languages, with the encodings that it is written in.
var spoken = []struct{ encodings, text string }{
	{"windows-1251 koi8-r ibm866 iso-8859-5", "Река начинается высоко в горах и течёт на север. Весной, когда тает снег, вода поднимается и заливает луга. Летом здесь тихо, и дети целыми днями купаются."},
	{"windows-1251 koi8-u", "Річка починається високо в горах і тече на північ. Навесні, коли тане сніг, вода піднімається й заливає луки. Їхні діти влітку цілими днями купаються."},
	{"windows-1251 iso-8859-5", "Реката започва високо в планината и тече на север. През пролетта, когато снегът се топи, водата се вдига и залива ливадите."},
	{"windows-1250 iso-8859-2", "Rzeka zaczyna się wysoko w górach i płynie na północ. Wiosną, gdy topnieje śnieg, woda podnosi się i zalewa łąki. Latem jest tu cicho."},
	{"windows-1250 iso-8859-2", "Řeka začíná vysoko v horách a teče na sever. Na jaře, když taje sníh, voda stoupá a zaplavuje louky. V létě je tu ticho a děti se koupou."},
	{"windows-1250 iso-8859-2", "A folyó magasan a hegyekben ered, és északra folyik. Tavasszal, amikor olvad a hó, a víz megemelkedik és elönti a réteket. Nyáron itt csend van, s a gyerekek fürödnek. Az erdő zöld, a fű nő."},
	{"windows-1257", "Upė prasideda aukštai kalnuose ir teka į šiaurę. Pavasarį, kai tirpsta sniegas, vanduo pakyla ir užlieja pievas. Vasarą čia tylu."},
	{"windows-1254", "Nehir dağlarda doğar ve kuzeye akar. İlkbaharda kar eriyince su yükselir ve çayırları basar. Yazın burası sessizdir, çocuklar bütün gün yüzer."},
	{"windows-1253 iso-8859-7", "Το ποτάμι πηγάζει ψηλά στα βουνά και κυλά προς τον βορρά. Την άνοιξη, όταν λιώνει το χιόνι, το νερό ανεβαίνει και σκεπάζει τα λιβάδια."},
	{"windows-1255", "הנהר מתחיל גבוה בהרים וזורם צפונה. באביב, כאשר השלג נמס, המים עולים ומציפים את האחו. בקיץ שקט כאן, והילדים שוחים כל היום."},
	{"windows-1256 iso-8859-6", "ينبع النهر من أعالي الجبال ويجري نحو الشمال. وفي الربيع عندما يذوب الثلج يرتفع الماء ويغمر المروج. وفي الصيف يسود الهدوء هنا."},
	{"windows-874", "แม่น้ำเริ่มต้นสูงในภูเขาและไหลไปทางเหนือ ในฤดูฝนน้ำขึ้นและท่วมทุ่งนา ในฤดูร้อนที่นี่เงียบสงบและเด็กว่ายน้ำทั้งวัน"},
	{"shift_jis euc-jp iso-2022-jp", "川は高い山から始まり、北へ流れる。春に雪が解けると、水が増えて草地を覆う。夏は静かで、子どもたちは一日中泳ぐ。"},
	{"gb18030 gbk", "这条河从高山上开始，向北流去。春天雪化了，水涨起来，盖住了草地。夏天这里很安静，孩子们整天在河里游泳。"},
	{"big5", "這條河從高山上開始，向北流去。春天雪化了，水漲起來，蓋住了草地。夏天這裡很安靜，孩子們整天在河裡游泳。"},
	{"euc-kr", "강은 높은 산에서 시작하여 북쪽으로 흐른다. 봄에 눈이 녹으면 물이 불어나 풀밭을 덮는다. 여름에는 이곳이 조용하고 아이들이 하루 종일 헤엄친다."},
	{"windows-1252 macintosh", "Der Fluß beginnt hoch in den Bergen und fließt nach Norden. Im Frühling, wenn der Schnee schmilzt, steigt das Wasser und überschwemmt die Wiesen. Später hört man dort die Vögel."},
	{"windows-1252 macintosh", "La rivière naît très haut dans les montagnes et coule vers le nord. Au printemps, quand la neige fond, l’eau s’élève et couvre les prés. L’été, c’est calme à côté du pré."},
	{"windows-1252", "O rio nasce no alto das montanhas e corre para o norte. Na primavera a água sobe e cobre os prados. No verão não há ninguém, e as crianças nadam até à ilha."},
	{"windows-1252", "Áin á upptök sín hátt í fjöllunum og rennur til norðurs. Á vorin, þegar snjórinn bráðnar, hækkar vatnið og það flæðir yfir engin."},
}

func encoded(t *testing.T, name, s string) []byte {
	t.Helper()
	e, err := htmlindex.Get(name)
	if err != nil {
		t.Fatal(err)
	}
	b, err := e.NewEncoder().String(s)
	if err != nil {
		t.Fatalf("%s: %v: %.40q", name, err, s)
	}
	return []byte(b)
}

// Decode must read back each text, undeclared, declared and chosen, in plain text and
// between elements, and say which encoding it was.
func TestEncodings(t *testing.T) {
	for _, tt := range spoken {
		for name := range strings.FieldsSeq(tt.encodings) {
			b := encoded(t, name, tt.text)
			for _, e := range []Options{{}, {Name: name}} {
				got, notes, err := Decode(b, e)
				if err != nil || got != tt.text || len(notes) != 1 || e.Name != "" && !strings.Contains(strings.ToLower(notes[0]), "read as "+name) {
					t.Errorf("%s, %+v: %q, %q, %v", name, e, got, notes, err)
				}
			}
			for _, head := range []string{
				"<!doctype html><title>x</title><p class='a'>", "<meta charset=" + name + "><p>",
				"<meta charset=utf-8><p>", "<meta charset=nonesuch><p>", "<meta charset=utf-16><p>",
				"<?xml version='1.0' encoding='" + strings.ToUpper(name) + "'?>\n<p>",
			} {
				want := head + tt.text + "</p>"
				if got, notes, err := Decode(encoded(t, name, want), Options{}); err != nil || got != want {
					t.Errorf("%s: %q, %q, %v", name, got, notes, err)
				}
			}
		}
	}
}

// A declaration decides for texts that are too short to judge, and where two encodings differ
// little. It does not decide against the text.
func TestDeclared(t *testing.T) {
	for _, tt := range []struct{ in, encoding, end string }{
		{"<meta charset=shift_jis><p>茶</p>", "shift_jis", ""},
		{"<meta charset=x-sjis><p>茶</p>", "shift_jis", ""},
		{"<meta charset=gb2312><p>茶葉镕</p>", "gb18030", ""},
		{"<meta charset=koi8-u><p>ї</p>", "koi8-u", ""},
		{"<meta charset=iso-8859-1><p>“café” – 5 €</p>", "windows-1252", ""},
		{"<meta charset=iso-8859-15><p>café, 5 €</p>", "iso-8859-15", ""},
		{"<meta charset=iso-8859-1><p>Река течёт на север, и вода в ней холодная.</p>", "windows-1251", ""},
		{"<meta charset=shift_jis><p>Größe und Höhe der Häuser für Gäste</p>", "windows-1252", ""},
		{"\ufeff<meta charset=windows-1251><p>Größe</p>", "utf-8", ""},
		{"<meta charset=windows-1251><p>Größe: 茶</p>", "utf-8", ""},
		{"<meta charset=big5><p>Größe, naïve, Œuvre, Ærø", "utf-8", "\x80"},
	} {
		b := []byte(tt.in)
		if tt.encoding != "utf-8" {
			b = encoded(t, tt.encoding, tt.in)
		}
		b = append(b, tt.end...)
		want := tt.in + strings.ToValidUTF8(tt.end, "\ufffd")
		if got, notes, err := Decode(b, Options{}); err != nil || got != want {
			t.Errorf("%s: %q, %q, %v", tt.in, got, notes, err)
		}
	}
}

func TestUnclear(t *testing.T) {
	for name, in := range map[string]string{"two bytes": "\xe0\xe1", "a few letters and an invalid byte": "a \xe9\xd0\xfe b \xff\xaa c", "symbols": "a\xa4\xa4\xa8 \xb8\xbf b\xd7\xf7c \xd7"} {
		if got, notes, err := Decode([]byte(in), Options{}); !errors.Is(err, text.ErrUnclear) {
			t.Errorf("%s: %q, %q, %v", name, got, notes, err)
		}
	}
	if _, _, err := Decode([]byte("a"), Options{Name: "nonesuch"}); !errors.Is(err, ErrUnknown) || Known("nonesuch") || Known("iso-2022-kr") || !Known("CP1251") || !Known("") {
		t.Errorf("unknown names: %v", err)
	}
	for _, name := range []string{"utf-8", "utf-16le", "utf-16be", "gbk", "hz-gb-2312", "x-user-defined", "replacement"} {
		got, _, err := Decode([]byte("a\xff\x00b\xe9, and text"), Options{Name: name})
		if err == nil && strings.Contains(got, "\x00") {
			t.Errorf("%s: %q", name, got)
		}
	}
}

// Decode must take time in proportion to the length, and never more than its sample for the
// guesses.
func TestDecodeTime(t *testing.T) {
	for name, in := range map[string]string{
		"a long line": strings.Repeat("\xe0\xe1\xe2 ", 1<<20), "lines": strings.Repeat("a\n", 1<<20) + strings.Repeat("\xe0\n", 1<<20),
		"metas": strings.Repeat("<meta <!--", 1<<18) + "\xe0", "NULs": strings.Repeat("abcdefghijklmnopqrstuvwxyz, and so on until there are a hundred letters, of which one is a NUL and the others \x00", 1<<15),
		"escapes": strings.Repeat("\x1b$B", 1<<20), "UTF-16": strings.Repeat("a\x00", 1<<20),
	} {
		start := time.Now()
		_, _, _ = Decode([]byte(in), Options{})
		if took := time.Since(start); took > 5*time.Second {
			t.Errorf("%s: %s", name, took)
		}
	}
}

// For any bytes, Decode returns valid UTF-8 without NULs, or one of its errors. Noise
// must never pass for a text.
func FuzzDecode(f *testing.F) {
	for _, tt := range spoken {
		name, _, _ := strings.Cut(tt.encodings, " ")
		e, _ := htmlindex.Get(name)
		s, _ := e.NewEncoder().String(tt.text)
		f.Add([]byte(s), "")
		f.Add([]byte(s[:len(s)/3]), name)
	}
	f.Add([]byte("<?xml encoding='\xff'?>"), "utf-16")
	f.Fuzz(func(t *testing.T, b []byte, name string) {
		got, notes, err := Decode(b, Options{Name: name})
		switch {
		case err != nil && !errors.Is(err, text.ErrBinary) && !errors.Is(err, text.ErrUnclear) && !errors.Is(err, ErrUnknown):
			t.Fatal(err)
		case err != nil && (got != "" || notes != nil):
			t.Fatalf("%v with %q, %q", err, got, notes)
		case strings.ToValidUTF8(got, "") != got || strings.Contains(got, "\x00"):
			t.Fatalf("%q", got)
		case name == "" && text.Plain(b) && got != string(b):
			t.Fatalf("%q became %q", b, got)
		case err == nil && got != string(b) && len(notes) == 0:
			t.Fatalf("%q became %q without a note", b, got)
		}
	})
}

func TestNoise(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	read := map[string]int{}
	for i := range 500 {
		b := make([]byte, 20+i)
		for j := range b {
			if b[j] = byte(r.IntN(256)); b[j] < ' ' {
				b[j] = '\n' // without controls, which give binary data away
			}
		}
		if got, notes, err := Decode(b, Options{}); err == nil {
			read[fmt.Sprint(notes)]++
			t.Logf("%q: %q", notes, got)
		}
	}
	if len(read) > 0 {
		t.Errorf("%v", read)
	}
}
