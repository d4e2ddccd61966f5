// /etc/mpi/discover_hosts.sh lists the workers that are ready, so it changes while a job starts.
import { execFile } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { check } from './check.mjs';

const DEADLINE_MS = 120_000; // a kubelet needs a minute to renew a file
const PAUSE_MS = 100;

/** Waits until the script prints these lines; fails with what it prints instead. */
export async function untilDiscovered(lines) {
  const expected = lines.map((line) => `${line}\n`).join('');
  const until = Date.now() + DEADLINE_MS;
  for (;;) {
    const { stdout } = await promisify(execFile)('/bin/sh', ['/etc/mpi/discover_hosts.sh']);
    if (stdout === expected || Date.now() > until)
      return check('output', { 'discover_hosts.sh': expected }, { 'discover_hosts.sh': stdout });
    await delay(PAUSE_MS);
  }
}
