/** Readers look for the mark of a PDF in the first kilobyte, as some files begin with other bytes. */
const HEAD = 1024;
const MARK = [0x25, 0x50, 0x44, 0x46, 0x2d]; // %PDF-

/** Whether a file should go to the PDF worker: by its name, or by what it begins with. */
export function looksLikePdf(name: string, bytes: Uint8Array): boolean {
  if (/\.pdf$/i.test(name)) return true;
  const head = bytes.subarray(0, HEAD);
  for (let at = 0; at + MARK.length <= head.length; at++) {
    if (MARK.every((byte, i) => head[at + i] === byte)) return true;
  }
  return false;
}
