// The tests of a browser: the short ones, or all with $SEAM_LONG. If the browser is not
// installed, prints one line.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { after, before, test } from 'node:test';
import { join } from 'node:path';
import { makeFixtures, web } from '../browser/harness.mjs';
import { blocked, jobs, serve } from './jobs.mjs';
import { proxied } from '../browser/proxy-host.mjs';
import { twoDays } from './two-days.mjs';

/**
 * `start` is called with the program and whether to use a private window; `dir` may return
 * another page to serve than the built one. `only` names the jobs, if not all are tried.
 */
export function suite(name, { finder, start, dir = () => undefined, only }) {
  const { status, stdout, stderr } = spawnSync(join(web, 'test', finder), { encoding: 'utf8' });
  if (status !== 0) {
    test(name, { skip: stderr.trim() });
    return;
  }
  const program = stdout.trim();
  let visitor;
  let served;
  before(async () => {
    makeFixtures();
    served = dir();
    visitor = await start(program, false);
    console.log(`${name} ${visitor.version}`);
  });
  after(() => visitor?.close());

  /** Runs a job with its own server. The console must stay empty. */
  async function done(job, who) {
    const site = await serve(served);
    try {
      await job(who, site);
      assert.deepEqual(await who.trouble(site.url), []);
    } finally {
      await site.stop();
    }
  }

  if (only?.includes('two days') || process.env.SEAM_LONG) {
    test(`${name}: two days`, async () => {
      const site = await proxied({ dir: served ?? process.env.SEAM_DIST });
      try {
        await twoDays(visitor, site);
        assert.deepEqual(await visitor.trouble(site.bare), []);
      } finally {
        await site.close();
      }
    });
  }
  for (const [what, { run, short }] of Object.entries(only ? {} : jobs)) {
    if (short || process.env.SEAM_LONG) test(`${name}: ${what}`, () => done(run, visitor));
  }
  if (process.env.SEAM_LONG && !only) {
    test(`${name}: a private window, where nothing can be kept`, async () => {
      const hidden = await start(program, true);
      try {
        await done(blocked, hidden);
      } finally {
        await hidden.close();
      }
    });
  }
}
