"""The texts of the fixtures: sentences to train tokenizers, and ugly texts to encode. All were written for Seam."""

import random
from unicodedata import ucd_3_2_0 as old

SENTENCES = """
The lighthouse keeper wrote down every ship that passed the northern cape.
Nobody had opened the archive since the flood of 1953, and the door was stuck.
A good index answers before the reader has finished asking.
In the evening the valley fills with fog, and the bells of the cows sound nearer than they are.
We measured the bridge twice: 214.5 metres, then 214.6 metres.
He couldn't say why, but he didn't trust a compiler that never complained.
The recipe asks for two cups of flour, a pinch of salt, and more patience than I've got.
Rivers move their beds slowly; maps move theirs only when somebody redraws them.
She'll arrive at 9:45 if the train isn't late, which it always is.
Every chunk of a document begins somewhere and ends somewhere else.
The orchestra tuned for a long time, and then there was silence.
It's easier to cut a text in pieces than to put the pieces back in order.
Small waves, 30 cm high, ran up the beach and took the letters away.
The museum owns 12,408 beetles, of which 311 have no label.
Engineers say that a test which cannot fail is a decoration.
They've kept bees on the roof of the library since 2009.
A network of canals carries water from the hills to the plain.
What looks like noise in one experiment may be the signal of the next.
The printer jams on Mondays; we've stopped asking why.
Old glass is thicker at the bottom only because glaziers liked it so.
Without punctuation a sentence is a corridor without doors.
The price rose by 3.7 % in March and fell by 0.4 % in April.
Winter apples keep until spring when the cellar is dark and cool.
You don't need a telescope to see that the moon is far away.
Der Leuchtturm steht seit über hundert Jahren auf der Klippe, und niemand weiß, wer ihn gebaut hat.
Größere Fenster ließen das Licht in die Küche, in der früher nur Öl brannte.
Im Frühjahr öffnen die Müller die Schleusen, damit das Wasser über die Wiesen läuft.
Wer viel misst, misst manchmal Mist, sagte der alte Mechaniker und lachte.
Die Straßenbahn fährt um 7 Uhr 15, außer sonntags.
L'été dernier, nous avons traversé la forêt à pied, sans carte ni boussole.
Où étiez-vous quand la cloche a sonné pour la première fois depuis la guerre ?
Le garçon a reçu une lettre d'un élève qu'il n'avait jamais rencontré.
Ça ne coûte rien d'essayer, disait-elle, mais ça coûte cher d'échouer.
Η θάλασσα ήταν ήρεμη και το καράβι έφυγε το πρωί.
Ο δάσκαλος έγραψε τη λέξη στον πίνακα και περίμενε.
Στο νησί μας οι γάτες κοιμούνται πάνω στις βάρκες.
Старый мост через реку построили ещё до войны.
Зимой дорога к деревне закрыта, и письма приходят на санях.
Каждый вечер он записывал погоду в маленькую тетрадь.
Ёжик нашёл в саду яблоко и унёс его под куст.
图书馆的钟每天早上八点响一次。
河水慢慢地改变了它的方向,地图却没有改变。
我们把长长的文章分成许多小块,然后再把它们找回来。
今天的天气很好,孩子们在公园里放风筝。
灯台の番人は、岬を通る船をすべて書き留めた。
古い地図には、今はもうない村の名前が残っている。
カタカナの言葉は外国から来たものが多いです。
春になると、川の水が畑を満たす。
كان البحر هادئا عندما غادرت السفينة الميناء.
يكتب الحارس أسماء السفن كل يوم في دفتر قديم.
في الربيع تفتح أبواب القناة ويجري الماء إلى الحقول.
מגדל האור עומד על הצוק כבר מאה שנה.
नदी धीरे धीरे अपना रास्ता बदलती है।
หอสมุดเปิดทุกวันยกเว้นวันอาทิตย์
한국의 겨울은 춥고 눈이 많이 옵니다.
도서관의 종은 매일 아침 여덟 시에 울린다.
Ngọn hải đăng cũ vẫn sáng mỗi đêm trên bờ biển.
Żółta łódź płynęła powoli po jeziorze wśród mgły.
İstanbul'da ışıklar gece boyunca yanıyordu, ığdır uzakta kaldı.
Příliš žluťoučký stůl stál u okna a čekal na hosty.
Party time 🎉🎉 said the 👩‍🚀, and the 🐝 agreed 👍🏽!
Price: €1,299.00 (≈ $1,410) — or £1,105; see § 12 & § 13.
def cut(text, size=512): return [text[i:i+size] for i in range(0, len(text), size)]
https://example.org/a/b?x=1&y=2#part and mail to someone@example.org, please.
""".strip().split("\n")

UGLY = [
    "", " ", "\n", "\t\t  \n", "a", ".", "...", "Hello, world!", "  leading and trailing  ", "two  blanks   three", "line\nbreak\r\nand\rmore\n\n\nend",
    "tab\there", "no\u00a0break\u2003em\u3000wide", "zero\u200bwidth\u200djoin\u2060er", "soft\u00adhyphen", "bell\x07 null\x00 esc\x1b del\x7f c1\x85\x9f.",
    "\ufefffirst mark", "bad \ufffd character", "private \ue000 use", "don't can't I'M WE'RE they've she'll I'd 'tis o'clock rock'n'roll",
    "1234567890 3.14159 1,000,000 ½ ² Ⅳ ① ٣٤٥ १२३", "café cafe\u0301 CAFÉ CAFE\u0301 naïve Ångström A\u030angstro\u0308m", "ÀÉÎÕÜ àéîõü ß ẞ ſ ﬁ ﬂ ﬃ",
    "e\u0301\u0323\u0302 a\u0323\u0301 q\u0307\u0323", "İstanbul ISPARTA ıI iİ", "ΑΣ ΑΣΑ ὈΔΥΣΣΕΎΣ ά ΐ", "Ёжик ёжик Йод и\u0306",
    "中文字符混合English和日本語。", "図書館　で　本を読む", "ｶﾞﾝﾊﾞﾚ ＡＢＣａ１２ ㌔ ㈱ 株式会社™", "豈更車 \U0002f800 \U00020000 \U0002b820", "한국어 각 \u1100\u1161\u11a8 가\u11a8",
    "الْعَرَبِيَّة مُهِمَّة لا ﷲ", "שָׁלוֹם עולם", "हिन्दी में क्षत्रिय", "ภาษาไทยไม่มีวรรค", "Tiếng Việt ngọn hải đăng", "🎉👩‍🚀👍🏽🇩🇪🏴󠁧󠁢󠁥󠁮󠁧󠁿 ok ☺️", "a" * 120, "Donaudampfschifffahrtsgesellschaftskapitän",
    "[CLS] is not [SEP] but [UNK] and [MASK]", "<mask> here, x<mask>y, < mask >", "<s>start</s> <unk> <|endoftext|> end<|endoftext|>", "   <mask>   after", "word##piece ## #hash",
    "▁visible blank▁", "<0x0A> <0x41>", "a_b c__d -- --- — –", "f(x) = a^2 + b*c / {d} [e] |g| ~h `i` \\j", "https://example.org/a?b=c&d=%20#e user@example.org",
    "\"quoted\" 'single' “curly” ‘curly’ «guillemets» „low“", "!?!?!?...;;;:::", "ALL CAPS SENTENCE WITH 42 NUMBERS", "MiXeD cAsE wOrDs", "\n\n  indented\n    more\n\ttab",
    "x\n \n y   \n  z ", "end with spaces   ", "end with newline\n", "NEW\u2028line\u2029paragraph\x0bvt\x0cff\x1cfs", "≠ \u226e ∉ K Ω Å", "\u0301 lone mark \u0301\u0302", "ᏣᎳᎩ ꮳꮃꭹ ǅ ǆ Ǆ", "\u1e9b\u0323 \ufb2c \u0958",
    "The lighthouse keeper " * 9, "灯" * 70, "x " * 60,
]


def random_texts(seed: int, count: int) -> list[str]:
    """Texts cut and mixed from all of the above, with random characters of all kinds.

    Only characters of Unicode 3.2: the tables of the Rust crates have different versions, and Go's are newer than all of them.
    """
    rng = random.Random(seed)
    pool = SENTENCES + UGLY
    kinds = [(0x20, 0x7e), (0, 0x2ff), (0x300, 0x36f), (0x370, 0x5ff), (0x900, 0xdff), (0x1100, 0x11ff), (0x1e00, 0x206f), (0x2070, 0x2bff), (0x3000, 0x33ff), (0x4e00, 0x9fa5), (0xac00, 0xd7a3), (0xf900, 0xfaff), (0xfb00, 0xffef), (0x1f300, 0x1f6ff)]
    out = []
    for _ in range(count):
        s = ""
        for _ in range(rng.randint(1, 5)):
            t = rng.choice(pool)
            a = rng.randint(0, len(t))
            s += t[a : a + rng.randint(0, 40)]
            if rng.random() < 0.5:
                odd = [chr(rng.randint(*rng.choice(kinds))) for _ in range(rng.randint(1, 4))]
                s += "".join(c for c in odd if old.category(c) != "Cn")
        out.append(s)
    return out
