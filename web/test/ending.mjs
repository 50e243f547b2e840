// Ends the programs that a test has started, even if the test is interrupted.

import { spawn } from 'node:child_process';

/** Running programs, each the leader of a process group. */
const running = new Set();

const kill = ({ pid }) => {
  try {
    process.kill(-pid, 'SIGKILL');
  } catch (cause) {
    if (cause.code !== 'ESRCH') throw cause;
  }
};

process.once('exit', () => running.forEach(kill));
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(1));

/** Starts a program. Ending it also ends all its children. */
export function started(program, args, options) {
  const child = spawn(program, args, { ...options, detached: true });
  if (child.pid) running.add(child);
  child.once('exit', () => {
    kill(child); // the rest of its group
    running.delete(child);
  });
  return child;
}

export async function ended(child) {
  if (!running.has(child)) return;
  const gone = new Promise((done) => child.once('exit', done));
  kill(child);
  await gone;
}
