// PostgreSQL with pgvector for tests, as installed by proxy/remote/enginetest/install.sh.

import { execFileSync } from 'node:child_process';
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { started } from '../ending.mjs';

const engines = process.env.SEAM_ENGINES ?? '/var/tmp/seam-engines';
const libraries = join(engines, 'pg/lib'); // of one version of Python
const postgres = existsSync(libraries) && readdirSync(libraries).map((python) => join(libraries, python, 'site-packages/pgserver/pginstall/bin/postgres')).find((file) => existsSync(file));

/** Why its tests are skipped; undefined if it is installed. */
export const absent = postgres ? undefined : `PostgreSQL is not installed in ${engines}: proxy/remote/enginetest/install.sh postgres does that`;

/** Starts a server, and returns the address of its database, which ends in a slash. */
export async function serve() {
  const bin = dirname(postgres);
  const dir = mkdtempSync(join(tmpdir(), 'seam-postgres-'));
  // It refuses to run as root.
  const as = process.getuid() === 0 ? { uid: 65534, gid: 65534 } : {};
  if (as.uid) chownSync(dir, as.uid, as.gid);
  execFileSync(join(bin, 'initdb'), ['-D', join(dir, 'data'), '-U', 'seam', '--auth=trust', '--encoding=UTF8', '--locale=C', '--no-sync'], { ...as, cwd: dir, stdio: 'ignore' });
  const port = await freePort();
  const server = started(postgres, ['-D', join(dir, 'data'), '-p', String(port), '-k', dir, '-c', 'listen_addresses=127.0.0.1'], { ...as, cwd: dir, stdio: ['ignore', 'ignore', 'pipe'] });
  const ended = new Promise((done) => server.once('exit', done));
  await new Promise((ready, fail) => {
    let said = '';
    server.stderr.on('data', (data) => {
      said += data;
      if (said.includes('ready to accept connections')) ready();
    });
    void ended.then(() => fail(new Error(said)));
  });
  const stop = async () => {
    server.kill('SIGQUIT');
    await ended;
  };
  return {
    address: `postgres://seam@127.0.0.1:${port}/postgres/`,
    /** Ends it immediately. */
    stop,
    async close() {
      await stop();
      rmSync(dir, { recursive: true, force: true });
    },
  };
}

/** Returns a free port. */
export async function freePort() {
  const server = createServer();
  await new Promise((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address();
  await new Promise((done) => server.close(done));
  return port;
}
