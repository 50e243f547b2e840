// WebKitGTK has the files of an origin, but cannot open one for a worker to write (createSyncAccessHandle), which Safari
// can. Here is a copy of the built page whose worker writes them by a stream instead, so that all else of the store is tested.

import { createHash } from 'node:crypto';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { web } from '../browser/harness.mjs';

/** What the worker runs first. A file is whole once its stream is closed, so that whoever reads it waits for that. */
function standIn() {
  const closing = new Map();
  const { getFile } = FileSystemFileHandle.prototype;
  FileSystemFileHandle.prototype.createSyncAccessHandle = async function () {
    await closing.get(this.name);
    const stream = await this.createWritable();
    let bytes = new Uint8Array();
    return {
      truncate(size) { bytes = bytes.slice(0, size); },
      write(part, { at }) {
        const longer = new Uint8Array(Math.max(bytes.length, at + part.length));
        longer.set(bytes);
        longer.set(part, at);
        bytes = longer;
        return part.length;
      },
      flush() {},
      getSize: () => bytes.length,
      close: () => { closing.set(this.name, stream.write(bytes).then(() => stream.close())); },
    };
  };
  FileSystemFileHandle.prototype.getFile = async function () {
    await closing.get(this.name);
    return getFile.call(this);
  };
}

/** Makes the copy; the service worker checks every file by its hash, so that those change with it. */
export function pageWithStandIn() {
  const dir = mkdtempSync(join(tmpdir(), 'seam-page-'));
  cpSync(process.env.SEAM_DIST ?? join(web, 'dist'), dir, { recursive: true });
  const named = (expression, folder = dir) => join(folder, readdirSync(folder).find((name) => expression.test(name)));
  const hash = (bytes) => `sha384-${createHash('sha384').update(bytes).digest('base64')}`;
  /** Puts other bytes in the place of a file, and says which hash stands for which. */
  const change = (path, edit) => {
    const old = readFileSync(path, 'utf8');
    const made = edit(old);
    for (const packed of ['.br', '.gz']) rmSync(path + packed, { force: true });
    writeFileSync(path, made);
    return (text) => text.replaceAll(hash(old), hash(made));
  };
  const worker = /^worker-\w+\.js$/;
  const withStandIn = (script) => `(${standIn})();\n${script}`;
  change(named(worker, join(dir, 'sealed')), withStandIn);
  change(join(dir, 'sw.js'), change(named(/^files-\w+\.json$/), change(named(worker), withStandIn)));
  return { dir, remove: () => rmSync(dir, { recursive: true }) };
}
