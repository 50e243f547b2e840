// WebKitGTK stores the files of an origin, but its workers cannot open them for writing
// (createSyncAccessHandle), which Safari's can. This makes a copy of the built page with a
// worker that writes through a stream instead, so that the rest of the store can be tested.

import { createHash } from 'node:crypto';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { web } from '../browser/harness.mjs';

/**
 * Runs first in the worker. A file is complete when its stream is closed, so reads wait for
 * that.
 */
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

/**
 * Makes the copy. The service worker checks every file by its hash, so the hashes are
 * updated too.
 */
export function pageWithStandIn() {
  const dir = mkdtempSync(join(tmpdir(), 'seam-page-'));
  cpSync(process.env.SEAM_DIST ?? join(web, 'dist'), dir, { recursive: true });
  const named = (expression, folder = dir) => join(folder, readdirSync(folder).find((name) => expression.test(name)));
  const hash = (bytes) => `sha384-${createHash('sha384').update(bytes).digest('base64')}`;
  /** Replaces the bytes of a file, and records its old and new hash. */
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
