package gauge

// samples are texts written for this purpose, one for each class of characters. A model's
// server counts their tokens; they are sent to nobody else.
var samples = [classes]string{
	word: `The committee met on a cold morning in March to discuss the future of the old harbour. Several members had travelled from distant villages, and the hall was full before the chairman spoke. He explained that the ships which once brought timber and wool no longer came, because the channel had become too shallow for them. A young engineer described how the water could be deepened, but her plan needed more money than the town possessed. After a long debate they agreed to ask for help. Patients with chronic hepatitis or autosomal recessive myopathy usually receive corticosteroids; serum creatinine, haemoglobin and glucose concentrations are monitored weekly. Configure the authentication endpoint, deploy the container to the subscription, and verify that asynchronous callbacks are serialized.`,
	sign: `func (s *store) load(name string) (*item, error) {
	if it, ok := s.items[name]; ok && !it.stale() {
		return it, nil // cached
	}
	b, err := os.ReadFile(filepath.Join(s.dir, name+".json"))
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", name, err)
	}
    for (let i = 0; i < rows.length; i += 2) { out.push({ id: rows[i].id, "x-y": [a, b] }); }
| key | value (%) | <b>see</b> |
|-----|-----------|------------|
- [ ] $HOME/.config/app.yml --> "https://example.org/a?b=c&d=e#f"
}
`,
	digit:      `1873 40 2.75 19,204 0.0031 118.4 6 77 302 4096 15:30 2024-07-19 88.1 5,610 931 12.06 7 64 250 3.9 10,488 0.57 23 1999 416 8.25 31 702 55.5 1,240 96 0.18 2,077 13 49.3 860 4.4 7,351 28 640`,
	accent:     `Der Ausschuß prüfte die Vorschläge für den künftigen Straßenverkehr in den größeren Städten und verschob die Entscheidung. Les élèves ont été invités à présenter leurs théories générales devant une assemblée étonnée mais très intéressée. La próxima reunión tendrá lugar después de las vacaciones, según explicó el señor García en la estación. Členové výboru řešili především otázky školství, a także możliwość współpracy między gminami przy budowie dróg. Komisyon üyeleri köylerdeki okulların geleceğini görüştü ve kararı ertelediler. De wethouder legde uit waarom de bewoners van het dorp niet eerder waren geraadpleegd. Eleverna fick själva bestämma över sina läroböcker.`,
	cyrillic:   `Комиссия собралась холодным утром в начале весны, чтобы обсудить будущее старой гавани. Многие жители приехали из дальних деревень, и зал был полон ещё до начала заседания. Молодой инженер объяснил, как можно углубить русло реки, но на это не хватало денег. Комісія зібралася холодного ранку, щоб обговорити майбутнє старої гавані; багато мешканців приїхало з далеких сіл, і зала була повна ще до початку засідання.`,
	greek:      `Η επιτροπή συνεδρίασε ένα κρύο πρωινό στις αρχές της άνοιξης για να συζητήσει το μέλλον του παλιού λιμανιού. Πολλοί κάτοικοι ήρθαν από μακρινά χωριά και η αίθουσα ήταν γεμάτη πριν αρχίσει η συνεδρίαση.`,
	arabic:     `اجتمعت اللجنة في صباح بارد من أوائل الربيع لمناقشة مستقبل الميناء القديم. جاء كثير من السكان من القرى البعيدة وامتلأت القاعة قبل أن تبدأ الجلسة. شرح مهندس شاب كيف يمكن تعميق مجرى النهر، لكن المال لم يكن كافيا لذلك. قال المتحدث إن الشركة حققت أرباحا كبيرة في الربع الأول. هل يمكنك أن تخبرني متى تفتح المكتبة؟ سافرت الطالبة إلى القاهرة لدراسة الطب، ثم عادت لتعمل في مستشفى الأطفال.`,
	hebrew:     `הוועדה התכנסה בבוקר קר בתחילת האביב כדי לדון בעתידו של הנמל הישן. תושבים רבים הגיעו מכפרים רחוקים והאולם היה מלא עוד לפני תחילת הישיבה.`,
	devanagari: `समिति वसंत की शुरुआत में एक ठंडी सुबह पुराने बंदरगाह के भविष्य पर चर्चा करने के लिए मिली। कई निवासी दूर के गाँवों से आए थे और बैठक शुरू होने से पहले ही सभागार भर गया था।`,
	thai:       `คณะกรรมการประชุมกันในเช้าวันที่อากาศหนาวต้นฤดูใบไม้ผลิเพื่อหารือเกี่ยวกับอนาคตของท่าเรือเก่า ชาวบ้านจำนวนมากเดินทางมาจากหมู่บ้านที่ห่างไกล`,
	kana:       `委員会は春先の寒い朝に集まり、古い港の将来について話し合いました。多くの住民が遠くの村からやって来て、会議が始まる前に会場はいっぱいになりました。若いエンジニアが川を深くする方法を説明しましたが、お金が足りませんでした。`,
	han:        `委员会在初春一个寒冷的早晨开会，讨论旧港口的未来。许多居民从遥远的村庄赶来，会议开始之前大厅里已经坐满了人。一位年轻的工程师说明了怎样加深河道，但是城里没有足够的资金。最后大家同意向政府请求帮助，并把仓库改成小型工场。公司去年的营业收入达到三十五亿元，同比增长百分之十二。请问图书馆几点开门？医生说病人需要住院治疗，每天服用两次抗生素。用户登录系统后可以修改密码并下载数据。`,
	hangul:     `위원회는 이른 봄의 추운 아침에 모여 오래된 항구의 미래를 논의했다. 많은 주민이 먼 마을에서 왔고 회의가 시작되기 전에 이미 강당이 가득 찼다. 회사는 지난해 매출이 크게 늘었다고 발표했다. 도서관은 몇 시에 문을 여나요? 의사는 환자가 입원해야 한다고 말했다.`,
	vietnamese: `Ủy ban đã họp vào một buổi sáng lạnh đầu mùa xuân để bàn về tương lai của bến cảng cũ. Nhiều người dân đến từ những ngôi làng xa xôi và hội trường đã chật kín trước khi cuộc họp bắt đầu. Một kỹ sư trẻ giải thích cách nạo vét lòng sông, nhưng thành phố không đủ tiền.`,
}
