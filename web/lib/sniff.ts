// What a file is, by what it begins with: enough to send it to the right reader
// without having it in memory.

/** Readers look for the mark of a PDF in the first kilobyte, as some files begin with other bytes. */
export const HEAD = 1024;
const MARK = [0x25, 0x50, 0x44, 0x46, 0x2d]; // %PDF-

/** Whether a file should go to the PDF worker: by its name, or by what it begins with. */
export function looksLikePdf(name: string, bytes: Uint8Array): boolean {
  return /\.pdf$/i.test(name) || holdsMark(bytes.subarray(0, HEAD));
}

function holdsMark(head: Uint8Array): boolean {
  for (let at = 0; at + MARK.length <= head.length; at++) {
    if (MARK.every((byte, i) => head[at + i] === byte)) return true;
  }
  return false;
}

/** Kinds of files that people try and that Seam cannot read. */
export type Foreign = 'jpeg' | 'png' | 'gif' | 'webp' | 'word' | 'excel' | 'powerpoint' | 'epub' | 'zip' | 'office';

const BEGINNINGS: [Foreign, number[]][] = [
  ['jpeg', [0xff, 0xd8, 0xff]],
  ['png', [0x89, 0x50, 0x4e, 0x47]],
  ['gif', [0x47, 0x49, 0x46, 0x38]],
  ['webp', [0x52, 0x49, 0x46, 0x46]],
  ['zip', [0x50, 0x4b, 3, 4]],
  ['zip', [0x1f, 0x8b]],
  ['office', [0xd0, 0xcf, 0x11, 0xe0]],
];

/** Archives that go by other names. */
const PACKED: Record<string, Foreign> = { docx: 'word', xlsx: 'excel', pptx: 'powerpoint', epub: 'epub' };

/** What a file is if it is none of Seam's: by its first bytes, which a wrong name does not change. */
export function foreign(name: string, head: Uint8Array): Foreign | null {
  const kind = BEGINNINGS.find(([, bytes]) => bytes.every((byte, i) => head[i] === byte))?.[0] ?? null;
  if (kind !== 'zip') return kind;
  return PACKED[name.slice(name.lastIndexOf('.') + 1).toLowerCase()] ?? 'zip';
}
