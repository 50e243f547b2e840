package sentence

import "strings"

// class defines the behaviour of an abbreviation: what may follow its full stop without
// starting a new sentence. In the descriptions, a capital is a next word that begins with a
// capital, or with a letter of a script without capitals.
type class uint8

const (
	none   class = iota
	title        // precedes a name: any capital continues, except in "Main St. The"
	always       // never ends a sentence: "e.g.", "vs."
	number       // a number continues, a capital begins a sentence: "No. 5"
	part         // a number continues; so does a capital, unless it is a starter: "Fig. 3", "Cal. Civ. Code"
	month        // a number or another date word continues: "Jan. 5", "Mon. Jan. 5"
	ender        // may end a sentence; a capital continues unless it is a starter: "Inc.", "U.S."
	clock        // ends before a capital, except before a zone or a weekday: "a.m."
	unit         // follows a number; another number continues: "6 ft. 2 in."
	year         // ends after a number, otherwise precedes a name: "1990 г.", "г. Псков"
	final        // ends before any capital: "etc."
)

// lexicon lists the abbreviations in lower case, without the last full stop and inner
// spaces. The words come from the languages' spelling guides and this package's test sets.
// An abbreviation that is also a common word is in capitals instead, or left out. A word
// may be in one row only (TestLexicon).
var lexicon = []struct {
	class class
	words string
}{
	// English, including its Latin
	{title, `mr mrs ms mx dr drs prof profs rev st ste mt messrs msgr gen lt col sgt maj capt cpt cmdr cdr cpl pvt adm brig supt insp amb asst atty attn`},
	{always, `e.g i.e eg ie viz cf cp vs v approx a.k.a w.r.t s.t i.i.d incl excl resp n.b p.s var subsp esp`},
	{number, `no nos nr pp p pg pgs § §§ n° nº n.o ext tel fax rs pt pts art ref refs max min rd temp avg est wt apt mind rm bldg rte ver tab`},
	{part, `al fig figs eq eqs eqn eqns sec secs sect sects suppl supp ch chap chaps vol vols appx para paras exh exs illus sched reg regs subch subd subsec amend
		u.s.c f.supp s.ct l.ed c.f.r crim evid ed eds transl ct rptr bankr dept l.j l.rev int'l nat'l ass'n comm'n gov't govt`},
	{month, `jan feb mar apr jun jul aug sep sept oct nov dec mon tue tues wed thu thur thurs fri sat`},
	{ender, `inc ltd co corp bros mfg intl assn assoc natl jr sr esq sq blvd ave ln hwy pkwy sp spp
		u.s u.k u.n e.u u.s.a u.a.e u.s.s.r d.c n.y l.a n.j n.c n.d s.d n.h n.m r.i p.r ph.d m.d b.a m.a b.sc m.sc b.s m.s m.b.a d.d.s d.phil r.n ll.b ll.m j.d ed.d d.v.m c.p.a
		ibid id op.cit loc.cit`},
	{clock, `a.m p.m`},
	{unit, `ft in lb lbs oz yd yds mi mins hrs kg mg ml cm mm km gal qt tbsp tsp cc mcg mos yr yrs wk wks cu`},
	{final, `etc et.seq et.cetera b.i.d t.i.d q.i.d q.d q.h q.h.s h.s p.o p.r.n i.v i.m s.c o.d b.d t.d.s a.c p.c b.c b.c.e c.e p.a`},

	// German
	{title, `dr.med dr.phil dr.jur dr.rer rer.nat dr.h.c h.c hrn dipl ing dipl-ing univ-prof priv-doz pfr bgm hrsg verf joh`},
	{always, `z.b d.h o.ä o.a s.o s.u i.d.r i.a u.u m.e z.t z.zt v.a u.a u.ä bzw vgl bspw sog sogen insb insbes evtl ggf exkl inkl einschl ausschl zzgl geb gest verh gem betr ehem gegr i.w i.s i.h.v i.v.m i.s.d
		z.hd zb ca circa str.nr allg bes bzgl entspr gez lfd tgl tägl monatl jährl mtl o.g u.g u.e z.n a.d vorl zit zus zw v.l n.v i.allg`},
	{number, `nrn s rn rdnr rz bde jg vers art.-nr tel.-nr`},
	{part, `abs abschn anm kap abb aufl ausg ziff zif buchst unterabs bd mio mrd tsd mill li re hbf bhf`},
	{month, `okt dez mär`},
	{ender, `e.k a.g co.kg str sen`},
	{unit, `std sek`},
	{final, `usw u.s.w usf ff f d.j d.m u.v.m u.v.a o.dgl u.dgl n.chr v.chr jh jhd jhs jahrh ü.d.m v.l.n.r`},

	// French
	{title, `mme mmes mlle mlles mgr vve boul bld chem imp`},
	{always, `p.ex c.-à-d c.à.d env`},
	{number, `tél tabl n.b.p`},
	{part, `liv fasc réf éd coll`},
	{month, `janv févr avr juil déc`},
	{final, `av.j.-c apr.j.-c ap.j.-c j.-c`},

	// Spanish, Portuguese, Italian
	{title, `sra srta sres sras dra dras srs dña profa lic arq excmo excma ilmo ilma mons gral cnel tte sto sta exmo exma mtro mtra cmdte pdte fdo sig sigg sig.ra sig.na dott dott.ssa avv geom rag prof.ssa c.so p.za v.le`},
	{always, `bs.as p.ej v.gr aprox ad.es p.es cfr p.e`},
	{number, `núm num nro pág págs pag pagg fl fls tfno tlf máx mín apdo ud uds vd dpto`},
	{part, `párr lám artt séc`},
	{month, `ene abr ago dic giu lug ott genn febbr fev set`},
	{ender, `s.a s.p.a s.r.l s.a.s s.l ltda lda cía hnos ee.uu rr.hh ff.aa jj.oo av avda`},
	{final, `ecc`},

	// Dutch and Nordic languages
	{title, `dhr mevr mw ir kungl cand`},
	{always, `bijv d.w.z i.p.v m.b.t t.a.v m.a.w t.o.v a.d.h.v z.g zgn m.n d.d m.i.v ong evt m.u.v s.v.p jl t.ex bl.a d.v.s dvs f.eks f.ex fx jf jfr f.o.m fr.o.m t.o.m p.g.a mht ifm ift ifht iht vedr ekskl kl pga vha esim ks ts vrt huom f.d ang sml`},
	{number, `blz klo puh tfn sid maks pst adr`},
	{part, `afb hfdst hfst hst stk mom avd afd mia milj`},
	{unit, `kr`},
	{final, `enz e.d e.a e.v osv o.s.v m.fl m.v m.m mfl o.l jne yms ym e.kr f.kr ekr jkr a.u.b`},

	// Polish, Czech, Slovak, Hungarian, Romanian, Turkish
	{title, `inż hab bp abp kpt ppłk płk mudr judr phdr rndr thdr mvdr phmr csc doc mjr por sv św bł d-l d-na dl yrd doç sn ifj özv uzm arş öğr gör müh hz`},
	{always, `np m.in tzn tj tzw zob wg ur zm tzv popř příp cca zejm kupř srov např napr mj pl ún vö ld de.ex örn bkz krş kb dot ww cyt t.j i.e.sz.e m.ö`},
	{number, `ok č čís čj čl poz sz godz hod lok roč bl ap sc et jud sf woj gm pow os dn wew roz`},
	{part, `rys ryc rozdz ust pkt wyd oprac obr odst ods písm ul nám tř sb stol bek évf fej alin cad sok mah mln mld mil tys tis`},
	{month, `sty lut kwi cze lip sie wrz paź lis gru pon śr czw sob niedz`},
	{ender, `s.r.o a.s a.ş z.o.o sp.z.o.o şti kft bt zrt nyrt krt`},
	{unit, `zł gr`},
	{final, `itd itp i.t.p atd atď apod a.pod atp stb vb i.t.d ș.a ș.a.m.d p.n.e n.e n.l př.n.l d.hr î.hr ub br`},

	// Russian, Ukrainian, Bulgarian, Kazakh
	{title, `проф доц акад г-н г-жа г-ца тов гр инж св ген полк кап д-р пл просп бул бульв наб р-н обл общ пос дер ул вул зам зав нач гл.ред отв инд арх`},
	{always, `т.е т.к т.н т.ч в.т.ч напр см ср т.наз т.зв прибл тобто наприкл див пор т.зн вж срв т.нар рт`},
	{number, `с м о д п х чл ал ет бл вх фр ап № стор стр кн табл гл разд абз вип арк кв тел пп ч ст т тт буд оф корп под эт көш фиг макс ок`},
	{part, `рис илл изд им ім мал тыс млн млрд тис хил пер`},
	{month, `янв февр апр авг сент окт нояб дек`},
	{unit, `мин сек час руб коп долл трлн кг км мм га чел экз шт грн хв лв тг сут нед мес`},
	{year, `г гг в вв р рр ж hr`},
	{final, `и.т.д т.д т.п и.т.п др пр и.т.н і.т.н н.э н.е р.х і.т.д і.т.п ін та.ін пр.хр сл.хр пр.н.е`},

	// Estonian, Latvian, Lithuanian, and languages of the Balkans
	{always, `nt vt pvz t.y piem t.i odn npr`},
	{number, `lk lpp`},
	{final, `jt jms utt`},

	// Greek
	{title, `κ κα κκ δρ καθ αγ οδ λεωφ`},
	{always, `δηλ βλ πρβλ λ.χ`},
	{number, `σ σσ σελ αρ τηλ αριθ παρ άρθρ ν τ τόμ αι σχ`},
	{part, `εικ κεφ πίν εκατ δισ χιλ π.δ`},
	{unit, `χλμ μ εκ`},
	{month, `ιαν φεβ φεβρ μαρτ απρ μαΐ ιουν ιουλ αυγ σεπ σεπτ οκτ νοε νοεμβ δεκ`},
	{final, `κ.λπ κλπ κ.ά κ.ο.κ μ.χ π.μ μ.μ κτλ`},
	{always, `π.χ`},

	// scripts without capitals
	{title, `डॉ डा प्रो श्री श्रीमती कु सुश्री पं प्रा ह.भ.प न्या इंजि ডা ড মো ডঃ திரு டாக்டர்`},
	{number, `पृ क्र सं रु नं इ.स ई.पू ক্র নং ரூ`},
	{always, `उदा`},

	// Armenian
	{number, `փ ժ էջ հ`},
	{always, `մ.թ մ.թ.ա`},
}

// capitals lists abbreviations that count only in this exact case. In another case they are
// ordinary words.
var capitals = []struct {
	class class
	words string
}{
	{part, `Ala Ariz Ark Cal Calif Colo Conn Del Fla Ga Ill Ind Kan Ky La Mass Md Mich Minn Miss Mo Mont Neb Nev Okla Ore Pa Tenn Tex Va Vt Wash Wis Wyo
		Am Amer Acad Anal Ann Appl Arch Astron Astrophys Biochem Biol Bioinf Biophys Bot Brit Bull Bur Cardiol Chem Clin Cogn Commun Comm Comp Comput
		Conf Dev Dermatol Disord Econ Educ Electr Electron Endocrinol Engl Environ Epidemiol Eur Exp Gastroenterol Genet Geogr Geol Geophys Hist Hum Hydrol Meteorol Oceanogr Roy Immunol Inf Inst Int Jpn Lett Lang
		Linguist Mach Manag Math Mech Methodol Microbiol Mod Mol Nat Natl Neurol Neurosci Nucl Nutr Obstet Oncol Opt Org Pediatr Pharm Pharmacol Philos Phys
		Physiol Polit Polym Proc Prog Psychiatr Psychol Publ Quart Radiol Rec Res Rheumatol Sci Ser Soc Sociol Softw Spectrosc Struct Stud Surg Symp Syst
		Tech Technol Theor Toxicol Trans Univ Urol Vet Virol Zool Med Sch Staph Strep Cong Sess Admin Auth Dep Hosp Lab Mus Tab Abt App Civ Const Sub Art Cap Fed Pub Stat Dist Div Cert Cir Lit`},
	{ender, `Rd e.V`},
	{final, `A.D`},
	{number, `Op Ex Ps Cor Rom Matt MS MSS Add Abb`},
	{title, `Eng Hr Fr Frl Gebr Gov Sen Rep Pres Hon Ven MM Ft Pt Bc Mgr Ing Mag Fray Br Bp Seb Wilh Friedr Chr Jos Wm Chas Geo Thos Jas Robt Giov Batt Gius Fa Edw Benj PGS TS ThS TP GS BS PGS.TS GS.TS PGS.TSKH GS.TSKH TS.BS ThS.BS Dir Cia dna dnei Dna`},
	{number, `pr`}, // a street in Lithuanian; in capitals a word
}

// starters nearly always begin a sentence if they have a capital. Words that are also
// names, or parts of names, are left out.
const starters = `
	the a an this that these those it its it's he she they we you i there here in on at as but and or so if when while after before however for from with what who whose which why how where
	his her their our my your all some many most no not nor one two three each both either neither every another such any few several other others is are was were do does did can could would should has have had
	then now later moreover furthermore thus therefore hence meanwhile since because although though until unless once only just even also still yet again instead otherwise finally next
	please let to of by during under over between among across along within without through throughout despite upon whether everyone everything nobody nothing somebody someone anyone
	yes yesterday today tomorrow tonight last recently currently eventually perhaps maybe indeed similarly likewise conversely nevertheless nonetheless additionally consequently accordingly according
	i'm i'd i've i'll he's she's that's there's they're we're you're don't didn't isn't aren't wasn't weren't
	der die das den dem ein eine einen einer eines er sie es wir ihr ich im am an auf bei mit nach von vom zu zum zur für durch als wenn da dann dies diese dieser dieses aber und oder doch auch
	nun hier dort dabei damit danach daher deshalb trotzdem jedoch wie was wer wo warum man alle viele keine seine ihre unser mein seit vor über unter ob obwohl während weil bis bereits heute gestern morgen zudem außerdem
	le les un une des il elle ils elles nous vous je ce cet cette ces c'est dans en sur pour par avec mais et où quand si son sa ses leur leurs au aux après avant depuis puis ensuite ainsi donc cependant lorsque tout on
	el los las una unos unas por para con pero y se su sus este esta estos estas ella ellos yo nosotros es cuando como después luego entonces tras también además según hay ayer hoy todo todos ambos
	lo gli uno nel nella nei alla allo della dello sul sulla con ma questo questa questi queste non quando come poi dopo anche però così infine oggi ieri
	os as um uma em na nos nas com ele eles não depois também hoje ontem isso isto
	het een hij zij ze wij ik dit dat deze met voor maar toen daarna er ook zijn haar vandaag gisteren naar om
	to ta ten te nie jest był była było w po od do z za gdy jednak następnie potem oraz ale jego jej ich dziś wczoraj
	byl byla bylo je jsou ve pak však když její dnes včera
	det han hun hon jeg jag og och men som når när i på til till av fra från ved efter så også också idag
	bu o şu bir ama fakat ancak daha sonra onun biz siz ben
	он она оно они мы вы я это этот эта эти того в во на с со по к ко у и но а если когда как там здесь его её их для от до из за при после перед потом затем однако также так все всё что кто где не нет был была было
	він вона воно вони ми ви ці ця ці та але якщо коли тут його її їх від потім також що хто був була було цей це
	той тя те ние вие аз това този тази тези ако когато тук неговият след обаче също
	ο η το οι τα αυτός αυτή αυτό αλλά και αν όταν όπως εκεί εδώ για από με σε στο στη στην στον μετά επίσης όμως δεν ήταν είναι`

// names end in a mark that does not end a sentence.
const names = `yahoo jeopardy yum oklahoma wham`

// labels are followed by a capital letter that is not an initial.
const labels = `vitamin plan hepatitis type class grade group appendix section figure table exhibit part option schedule phase team building room gate terminal level form step point node case question
	annex chapter column row item version variant model factor protein strain patient company party site zone area line set event method sample control condition study trial block unit tier stage category app ex fig sect exh sched tab eq suppl
	anlage gruppe klasse abschnitt tabelle abbildung teil stufe typ annexe groupe tableau partie grupo tabla anexo parte gruppo tabella`

// speech lists verbs that continue a sentence after direct speech.
const speech = `said asked replied cried shouted whispered answered exclaimed yelled murmured muttered called added continued wondered demanded screamed began explained says asks replies thought laughed sighed snapped gasped warned insisted kysyi sanoi vastasi huusi`

// divisions begin a label that ends in a number, such as "Section 5.". At the beginning of
// a sentence its full stop belongs to the label.
const divisions = `section sec article art rule chapter clause schedule part title exhibit appendix step question figure fig table example theorem lemma definition proposition corollary remark note case exercise problem chart plate box annex paragraph item scene act lesson unit phase day
	artikel abschnitt kapitel abbildung tabelle teil satz anlage frage schritt beispiel artículo capítulo sección figura tabla chapitre tableau articolo capitolo sezione tabella artigo capítulo статья глава раздел рисунок таблица rys tab obr §`

// zones follow a time of day: time zones, weekdays and months.
const zones = `et est edt ct cst cdt mt mst mdt pt pst pdt gmt utc bst cet cest eastern pacific central mountain greenwich
	monday tuesday wednesday thursday friday saturday sunday mondays tuesdays wednesdays thursdays fridays saturdays sundays
	january february march april may june july august september october november december`

// timeOpeners precede a time of day at the beginning of a sentence.
const timeOpeners = `at by around about since until till from after before between on`

// months follow the full stop of an ordinal number: "5. Mai". The list includes German
// nouns that do, too.
const months = `januar februar märz april mai juni juli august september oktober november dezember jänner
	jahrhundert jahrhunderts jh jahrtausend lebensjahr weltkrieg auflage kapitel klasse etage stock bundesliga
	jan feb mär apr jun jul aug sep sept okt nov dez leden maj červen marts oktober august`

// ordinals precede an ordinal number in German.
const ordinals = `am im vom zum beim der die das den dem des bis ab seit zur jeder jedem jeden ihr ihrem ihren ihrer sein seinem seinen seiner unser unserem unseren einem einen und`

func set(list string) map[string]bool {
	m := map[string]bool{}
	for word := range strings.FieldsSeq(list) {
		m[word] = true
	}
	return m
}
