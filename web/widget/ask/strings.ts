// The words of answers, in the languages of ../strings.ts.

const en = {
  sends: 'Your question and the passages that fit it best will be sent to {host}, where a language model answers.',
  send: 'Send',
  stop: 'Stop',
  answer: 'Answer',
  asking: 'Asking …',
  by: 'Written by {model} from the numbered passages. It may be wrong: follow the numbers.',
  short: 'The answer ends here: it had reached its longest.',
  stopped: 'Stopped.',
  refused: 'These pages do not hold the answer.',
  failed: 'No answer came: the service cannot be reached. The results below are not touched by that.',
};
export type AskStrings = typeof en;

const all: Record<string, AskStrings> = {
  en,
  de: {
    sends: 'Ihre Frage und die passendsten Stellen werden an {host} gesendet; dort antwortet ein Sprachmodell.',
    send: 'Senden',
    stop: 'Anhalten',
    answer: 'Antwort',
    asking: 'Fragt …',
    by: 'Von {model} aus den nummerierten Stellen geschrieben. Sie kann falsch sein: Folgen Sie den Nummern.',
    short: 'Hier endet die Antwort: Sie ist so lang, wie sie sein darf.',
    stopped: 'Angehalten.',
    refused: 'Diese Seiten enthalten die Antwort nicht.',
    failed: 'Es kam keine Antwort: Der Dienst ist nicht erreichbar. Die Ergebnisse unten betrifft das nicht.',
  },
  fr: {
    sends: 'Votre question et les passages les plus pertinents seront envoyés à {host}, où un modèle de langue répond.',
    send: 'Envoyer',
    stop: 'Arrêter',
    answer: 'Réponse',
    asking: 'Question envoyée …',
    by: 'Écrit par {model} d’après les passages numérotés. Il peut se tromper : suivez les numéros.',
    short: 'La réponse s’arrête ici : elle a atteint sa longueur maximale.',
    stopped: 'Arrêté.',
    refused: 'Ces pages ne contiennent pas la réponse.',
    failed: 'Aucune réponse : le service est injoignable. Les résultats ci-dessous n’en dépendent pas.',
  },
  es: {
    sends: 'Su pregunta y los pasajes más adecuados se enviarán a {host}, donde responde un modelo de lenguaje.',
    send: 'Enviar',
    stop: 'Detener',
    answer: 'Respuesta',
    asking: 'Preguntando …',
    by: 'Escrito por {model} a partir de los pasajes numerados. Puede equivocarse: siga los números.',
    short: 'La respuesta termina aquí: alcanzó su longitud máxima.',
    stopped: 'Detenido.',
    refused: 'Estas páginas no contienen la respuesta.',
    failed: 'No llegó respuesta: no se puede acceder al servicio. Los resultados de abajo no dependen de él.',
  },
  zh: {
    sends: '您的问题和最相关的段落将发送到 {host}，由语言模型回答。',
    send: '发送',
    stop: '停止',
    answer: '回答',
    asking: '正在提问……',
    by: '由 {model} 根据带编号的段落撰写，可能有误，请按编号核对。',
    short: '回答到此为止：已达最大长度。',
    stopped: '已停止。',
    refused: '这些页面中没有答案。',
    failed: '没有收到回答：无法连接到服务。下方的结果不受影响。',
  },
  ar: {
    sends: 'سيُرسل سؤالك وأنسب المقاطع إلى {host} حيث يجيب نموذج لغوي.',
    send: 'إرسال',
    stop: 'إيقاف',
    answer: 'الجواب',
    asking: 'جارٍ السؤال …',
    by: 'كتبه {model} من المقاطع المرقمة. قد يخطئ: اتبع الأرقام.',
    short: 'ينتهي الجواب هنا: بلغ أقصى طوله.',
    stopped: 'أُوقف.',
    refused: 'لا تحوي هذه الصفحات الجواب.',
    failed: 'لم يصل جواب: تعذّر الوصول إلى الخدمة. النتائج أدناه لا تتأثر.',
  },
};

export function askStringsOf(language: string): AskStrings {
  return all[language] ?? en;
}
