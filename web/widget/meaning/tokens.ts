// BERT's lower-case tokens without accents, as in shared/embed/static/wordpiece.

const dropped = /[\p{Cc}\p{Cf}\p{Co}\p{Cs}\ufffd]/u;
const blank = /\p{White_Space}/u;
const accent = /\p{Mn}/u;
const punctuation = /\p{P}/u;

export interface Shape {
  before: number[];
  after: number[];
  unknown: number;
  longest: number;
  added: number[];
}

/**
 * Reports whether BERT makes a character a separate word: ASCII symbols and Unicode
 * punctuation.
 */
function isAlone(c: string): boolean {
  return c < '\u0080' ? c > ' ' && !/[0-9A-Za-z\u007f]/.test(c) : punctuation.test(c);
}

/** Reports whether a character is Chinese, by BERT's own list with its gaps. */
function isHan(c: string): boolean {
  const r = c.codePointAt(0)!;
  return (
    (r >= 0x4e00 && r <= 0x9fff) ||
    (r >= 0x3400 && r <= 0x4dbf) ||
    (r >= 0x20000 && r <= 0x2a6df) ||
    (r >= 0x2a700 && r <= 0x2b81f) ||
    (r >= 0x2b920 && r <= 0x2ceaf) ||
    (r >= 0xf900 && r <= 0xfaff) ||
    (r >= 0x2f800 && r <= 0x2fa1f)
  );
}

// For a word split into pieces: the least length of a piece that counts as more than
// letters, and the first character of scripts other than Latin.
const tellingPiece = 3;
const otherScript = '\u0250';

const isLatin = (piece: string) => piece < otherScript;

export class Tokens {
  readonly #ids = new Map<string, number>();
  readonly #words: readonly string[];
  readonly #added: RegExp | undefined;
  #most = 0; // length of the longest token

  /** `words` are the tokens in the order of their ids; '' is an unused id. */
  constructor(
    words: string[],
    readonly shape: Shape,
  ) {
    this.#words = words;
    words.forEach((word, id) => {
      if (!word) return;
      this.#ids.set(word, id);
      this.#most = Math.max(this.#most, word.length);
    });
    const looked = shape.added
      .map((id) => words[id] ?? '')
      .filter(Boolean)
      .sort((a, b) => b.length - a.length);
    if (looked.length) this.#added = new RegExp(`(${looked.map((s) => s.replace(/[^\w]/g, '\\$&')).join('|')})`);
  }

  /** Returns up to `most` ids of a text, without the special tokens around it. */
  ids(text: string, most = Infinity): number[] {
    const out: number[] = [];
    for (const [i, part] of (this.#added ? text.split(this.#added) : [text]).entries()) {
      if (i % 2) out.push(this.#ids.get(part)!);
      else this.#section(part, most, out);
      if (out.length >= most) break;
    }
    return out.slice(0, most);
  }

  /**
   * Reports whether at least half of a text's words are known, by the rule in knows.go of
   * shared/embed/encoder.
   */
  knows(text: string): boolean {
    let words = 0;
    let known = 0;
    let word: string[] = [];
    const end = () => {
      if (word.length) words++;
      if (
        (word.length === 1 && isLatin(word[0]!)) ||
        word.some((piece) => isLatin(piece) && [...piece].length >= tellingPiece)
      )
        known++;
      word = [];
    };
    for (const id of this.ids(text)) {
      const token = this.#words[id]!;
      const continues = token.startsWith('##');
      const piece = continues ? token.slice(2) : token;
      if (!continues) end();
      if (id === this.shape.unknown) words++;
      else if (continues || /^[\p{L}\p{Nd}]/u.test(piece)) word.push(piece);
    }
    end();
    return words > 0 && 2 * known >= words;
  }

  #section(text: string, most: number, out: number[]): void {
    let word: string[] = [];
    const flush = () => {
      if (word.length) this.#pieces(word, out);
      word = [];
    };
    for (const c of text) {
      if (out.length >= most) return;
      if (dropped.test(c) && !/[\t\n\r]/.test(c)) continue;
      const han = isHan(c);
      if (han) flush();
      for (const part of c < '\u0080' ? c : c.normalize('NFD')) {
        if (part >= '\u0300' && accent.test(part)) continue;
        for (const p of part.toLowerCase()) {
          if (blank.test(p)) flush();
          else if (isAlone(p)) {
            flush();
            word.push(p);
            flush();
          } else word.push(p);
        }
      }
      if (han) flush();
    }
    flush();
  }

  /** Splits a word into tokens greedily, longest first. */
  #pieces(chars: string[], out: number[]): void {
    const { unknown, longest } = this.shape;
    const word = chars.join('');
    const pieces: number[] = [];
    for (let at = 0; at < word.length; ) {
      const before = at ? '##' : '';
      let end = Math.min(word.length, at + this.#most);
      let id: number | undefined;
      while (end > at && (id = this.#ids.get(before + word.slice(at, end))) === undefined) end--;
      if (id === undefined || chars.length > longest) {
        out.push(unknown);
        return;
      }
      pieces.push(id);
      at = end;
    }
    out.push(...pieces);
  }
}
