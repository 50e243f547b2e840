// The line above a passage that says where it comes from. It repeats Source.Line of
// shared/answer for a page with a title and a date such as 2024-03-05; a test compares both.

/** The text between the titles of a section. */
export const INSIDE = ' › ';

const apart = ' · ';
// Sizes in quarters of a token.
const longestLine = 76;
const leastSection = 12;

/** `section` is titles with INSIDE between them, outermost first. */
export function lineOf(title: string, section: string, pages: readonly number[], date: string): string {
  const shown = plain(title);
  const [first, last = first] = [pages[0], pages.at(-1)];
  const place = first ? (first === last ? `page ${first}` : `pages ${first}-${last}`) : '';
  const tail = [place, date].map((part) => part && apart + part).join('');
  const room = longestLine - quarters(tail);
  const most = room - Math.min(quarters(shown), Math.trunc(room / 2)) - quarters(apart);
  const part = sectionOf(section, shown, most);
  const inside = part && apart + part;
  return middle(shown, room - quarters(inside)) + inside + tail;
}

function sectionOf(section: string, title: string, room: number): string {
  const titles = plain(section).split(INSIDE);
  if (titles[0] === title) titles.shift();
  for (; titles.length > 0; titles.shift()) {
    const all = titles.join(INSIDE);
    if (quarters(all) <= room || (titles.length === 1 && room >= leastSection)) return middle(all, room);
  }
  return '';
}

function plain(s: string): string {
  const all = Array.from(
    s
      .replace(/\p{White_Space}/gu, ' ')
      .replace(/[\p{Cc}\p{Cf}\p{Co}\p{Cs}\ufffd]/gu, '')
      .replace(/ +/g, ' ')
      .trim(),
  );
  return all.length > 160 ? join(all, 80, -80) : all.join('');
}

const join = (all: readonly string[], to: number, from: number): string =>
  `${all.slice(0, to).join('').trim()}…${all.slice(from).join('').trim()}`;

function middle(s: string, most: number): string {
  if (quarters(s) <= most) return s;
  const all = Array.from(s);
  for (let n = all.length - 1; n > 0; n--) {
    const half = Math.trunc(n / 2);
    const cut = join(all, n - half, all.length - half);
    if (quarters(cut) <= most) return cut;
  }
  return '';
}

/** The lengths of characters in quarters of a token, by the last character of a range. */
const lasts = [32, 64, 127, 0x2ff, 0x52f, 0x58f, 0x6ff, 0x1fff, 0xffff];
const lengths = [1, 2, 1, 2, 3, 9, 5, 10, 6, 12];

function quarters(s: string): number {
  let sum = 0;
  for (const c of s) sum += lengths[lasts.filter((last) => last < c.codePointAt(0)!).length]!;
  return sum;
}
