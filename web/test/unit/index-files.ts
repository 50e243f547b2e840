// The files of an index in a folder, as a source for the widget's search.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Source } from '../../widget/index/open.ts';

export const sourceOf =
  (folder: string): Source =>
  async (name, piece) => {
    const b = readFileSync(join(folder, name));
    const from = b.byteOffset + (piece?.at ?? 0);
    return b.buffer.slice(from, piece ? from + piece.size : b.byteOffset + b.length) as ArrayBuffer;
  };
