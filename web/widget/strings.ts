// The words of the widget, in the site's language where they are here, else in English.

const en = {
  search: 'Search',
  placeholder: 'Search this site',
  close: 'Close',
  clear: 'Clear',
  all: 'all',
  order: 'Order',
  best: 'best first',
  newest: 'newest first',
  results: 'Results',
  recent: 'Recent searches',
  forget: 'Forget these',
  searching: 'Searching …',
  none: 'Nothing found for “{query}”.',
  nonHint: 'Try other words, or fewer.',
  pages: '{n} pages',
  page: '1 page',
  corrected: 'No page has “{word}”. These are results for “{taken}”.',
  unknown: 'No page has the word “{word}”.',
  apart: 'These words stand together on no page. The nearest are first.',
  keys: '↑ ↓ choose · ↵ open · Esc close',
  missing: 'The search of this site is not there. Its owner may not have built it yet.',
  network: 'The search could not be loaded. Check your connection.',
  damaged: 'The search of this site is damaged. Its owner can build it again.',
  busy: 'The search does not answer at the moment. Try again soon.',
  partly: 'Results of {host} are missing: its search could not be loaded.',
  again: 'Try again',
  ask: 'Answer from these pages',
  tell: 'Something missing? Tell us',
};
export type Strings = typeof en;

const de: Strings = {
  search: 'Suche', placeholder: 'Diese Seiten durchsuchen', close: 'Schließen', clear: 'Leeren', all: 'alle', order: 'Reihenfolge', best: 'die besten zuerst', newest: 'die neuesten zuerst', results: 'Ergebnisse', recent: 'Zuletzt gesucht',
  forget: 'Vergessen', searching: 'Sucht …', none: 'Nichts gefunden zu „{query}“.', nonHint: 'Versuchen Sie andere oder weniger Wörter.',
  pages: '{n} Seiten', page: '1 Seite', corrected: 'Keine Seite enthält „{word}“. Das sind Ergebnisse für „{taken}“.',
  unknown: 'Keine Seite enthält das Wort „{word}“.', apart: 'Diese Wörter stehen auf keiner Seite zusammen. Die nächsten zuerst.',
  keys: '↑ ↓ wählen · ↵ öffnen · Esc schließen', missing: 'Die Suche dieser Seiten fehlt. Vielleicht wurde sie noch nicht erstellt.',
  network: 'Die Suche konnte nicht geladen werden. Besteht eine Verbindung?', damaged: 'Die Suche dieser Seiten ist beschädigt und muss neu erstellt werden.', busy: 'Die Suche antwortet gerade nicht. Versuchen Sie es bald noch einmal.', partly: 'Ergebnisse von {host} fehlen: Die Suche dort konnte nicht geladen werden.', again: 'Noch einmal', ask: 'Aus diesen Seiten beantworten', tell: 'Fehlt etwas? Sagen Sie es uns',
};
const fr: Strings = {
  search: 'Rechercher', placeholder: 'Rechercher sur ce site', close: 'Fermer', clear: 'Effacer', all: 'tout', order: 'Ordre', best: 'les meilleurs d’abord', newest: 'les plus récents d’abord', results: 'Résultats', recent: 'Recherches récentes',
  forget: 'Oublier', searching: 'Recherche …', none: 'Rien trouvé pour « {query} ».', nonHint: 'Essayez d’autres mots, ou moins de mots.',
  pages: '{n} pages', page: '1 page', corrected: 'Aucune page ne contient « {word} ». Voici les résultats pour « {taken} ».',
  unknown: 'Aucune page ne contient le mot « {word} ».', apart: 'Aucune page ne réunit ces mots. Les plus proches d’abord.',
  keys: '↑ ↓ choisir · ↵ ouvrir · Échap fermer', missing: 'La recherche de ce site est absente. Elle n’a peut-être pas encore été construite.',
  network: 'La recherche n’a pas pu être chargée. Vérifiez votre connexion.', damaged: 'La recherche de ce site est endommagée et doit être reconstruite.', busy: 'La recherche ne répond pas en ce moment. Réessayez bientôt.', partly: 'Les résultats de {host} manquent : sa recherche n’a pas pu être chargée.', again: 'Réessayer', ask: 'Répondre d’après ces pages', tell: 'Il manque quelque chose ? Dites-le-nous',
};
const es: Strings = {
  search: 'Buscar', placeholder: 'Buscar en este sitio', close: 'Cerrar', clear: 'Borrar', all: 'todo', order: 'Orden', best: 'los mejores primero', newest: 'los más recientes primero', results: 'Resultados', recent: 'Búsquedas recientes',
  forget: 'Olvidar', searching: 'Buscando …', none: 'No hay resultados para «{query}».', nonHint: 'Pruebe otras palabras, o menos.',
  pages: '{n} páginas', page: '1 página', corrected: 'Ninguna página contiene «{word}». Estos son los resultados de «{taken}».',
  unknown: 'Ninguna página contiene la palabra «{word}».', apart: 'Ninguna página reúne estas palabras. Primero las más cercanas.',
  keys: '↑ ↓ elegir · ↵ abrir · Esc cerrar', missing: 'Falta la búsqueda de este sitio. Quizá aún no se ha creado.',
  network: 'No se pudo cargar la búsqueda. Compruebe la conexión.', damaged: 'La búsqueda de este sitio está dañada y debe crearse de nuevo.', busy: 'La búsqueda no responde en este momento. Inténtelo pronto de nuevo.', partly: 'Faltan los resultados de {host}: no se pudo cargar su búsqueda.', again: 'Reintentar', ask: 'Responder con estas páginas', tell: '¿Falta algo? Díganoslo',
};
const zh: Strings = {
  search: '搜索', placeholder: '搜索本站', close: '关闭', clear: '清除', all: '全部', order: '排序', best: '最相关在前', newest: '最新在前', results: '结果', recent: '最近的搜索', forget: '清除记录', searching: '正在搜索……',
  none: '没有找到“{query}”。', nonHint: '请换用其他词，或减少词数。', pages: '{n} 个页面', page: '1 个页面', corrected: '没有页面含有“{word}”。以下是“{taken}”的结果。',
  unknown: '没有页面含有“{word}”一词。', apart: '没有页面同时含有这些词。最接近的在前。', keys: '↑ ↓ 选择 · ↵ 打开 · Esc 关闭',
  missing: '本站的搜索不存在，可能尚未生成。', network: '无法加载搜索，请检查网络连接。', damaged: '本站的搜索已损坏，需要重新生成。', busy: '搜索暂时没有响应，请稍后重试。', partly: '缺少 {host} 的结果：无法加载其搜索。', again: '重试', ask: '根据这些页面回答', tell: '缺少内容？请告诉我们',
};
const ar: Strings = {
  search: 'بحث', placeholder: 'ابحث في هذا الموقع', close: 'إغلاق', clear: 'مسح', all: 'الكل', order: 'الترتيب', best: 'الأفضل أولًا', newest: 'الأحدث أولًا', results: 'النتائج', recent: 'عمليات البحث الأخيرة', forget: 'نسيانها', searching: 'جارٍ البحث …',
  none: 'لا نتائج عن «{query}».', nonHint: 'جرّب كلمات أخرى أو أقل.', pages: 'عدد الصفحات: {n}', page: 'صفحة واحدة', corrected: 'لا صفحة فيها «{word}». هذه نتائج «{taken}».',
  unknown: 'لا صفحة فيها كلمة «{word}».', apart: 'لا تجتمع هذه الكلمات في أي صفحة. الأقرب أولًا.', keys: '↑ ↓ اختيار · ↵ فتح · Esc إغلاق',
  missing: 'بحث هذا الموقع غير موجود. ربما لم يُنشأ بعد.', network: 'تعذّر تحميل البحث. تحقق من الاتصال.', damaged: 'بحث هذا الموقع تالف ويجب إنشاؤه من جديد.', busy: 'البحث لا يستجيب الآن. أعد المحاولة بعد قليل.', partly: 'نتائج {host} ناقصة: تعذّر تحميل بحثه.', again: 'أعد المحاولة', ask: 'أجب من هذه الصفحات', tell: 'هل ينقص شيء؟ أخبرنا',
};

const all: Record<string, Strings> = { en, de, fr, es, zh, ar };

/** The words of a language, with those that the site's owner has of his own. */
export function stringsOf(language: string, own: Partial<Strings> = {}): Strings {
  return { ...(all[language] ?? en), ...own };
}

export function fill(text: string, values: Record<string, string | number>): string {
  return text.replace(/\{(\w+)\}/g, (whole, name: string) => String(values[name] ?? whole));
}
