// What a document was read from, as far as it can be shown otherwise than as a text.

import type { Doc } from './doc.ts';

export type Kind = 'pdf' | 'html';

const HEAD = 1024;

/** What is known of the file of a document that is not here. */
const formatOf = ({ packed, kept }: Doc) => (packed?.source ?? kept?.record?.source)?.format;

/** By what its file begins with; of one that is not here, by what is known of it. */
export async function isPdf(doc: Doc): Promise<boolean> {
  const { name, source } = doc;
  try {
    if (source) return (await source.slice(0, HEAD).text()).includes('%PDF-');
  } catch {
    // it cannot be read any more: its name tells
  }
  const format = formatOf(doc);
  return format ? format === 'pdf' : /\.pdf$/i.test(name);
}

/** Null: there is nothing but its text. A page of HTML, and a book of such pages, are known by their names alone. */
export async function kindOf(doc: Doc): Promise<Kind | null> {
  if (await isPdf(doc)) return 'pdf';
  const format = doc.source ? '' : formatOf(doc);
  return (format ? format === 'html' || format === 'epub' : /\.(?:html?|xhtml|epub)$/i.test(doc.name)) ? 'html' : null;
}
