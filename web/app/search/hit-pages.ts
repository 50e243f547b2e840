// The pages of a hit, as its card shows them.

import type { Hit } from '../../lib/api.ts';
import type { Doc } from '../session/doc.ts';
import { strings } from '../words/en/page.ts';

/**
 * Returns the page of a hit's passage as text, or the pages of its chunk without a passage.
 * It is empty for a document of one page, unless that has another printed number.
 */
export function pagesOf({ pages, labels, passagePage }: Hit, doc: Doc | undefined): string {
  if ((doc?.opened?.pages ?? doc?.kept?.record?.pages ?? 0) < 2 && !labels) return '';
  const at = pages.indexOf(passagePage ?? 0);
  return at < 0 ? strings.pagesOf(pages, labels) : strings.pagesOf(pages.slice(at, at + 1), labels?.slice(at, at + 1));
}
