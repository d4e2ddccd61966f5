import { execFileSync, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Command } from 'commander';
import pino from 'pino';
import { ClusterClient } from '../../cluster/client.ts';
import { pause } from '../../language/timers.ts';
import { StepReadings } from '../../watcher/step-readings.ts';
import { JobStore } from '../../watcher/store/job-store.ts';
import { anAnchor, aPod, RUNNING } from '../watcher/fixtures.ts';
import { integer } from './options.ts';

/**
 * What it costs a watcher to read the steps of many jobs that print a bar each: processor time of the watcher's side alone. The API
 * server is another process, which answers each request for a log with the last block of a bar.
 * `npm run bench:steps -- --jobs 5000 --seconds 180`
 */

const [, , folder = ''] = process.argv;
const certificateIn = (of: string) => ({
  key: readFileSync(join(of, 'key.pem')),
  cert: readFileSync(join(of, 'cert.pem')),
});

if (process.send) serve();
else await measure();

function serve(): void {
  const frame = (n: number) => `\r 31%|███▏      | ${n}/400000 [08:16<18:24,  2.50it/s, loss=1.873]`;
  const server = createServer(certificateIn(folder), (request, response) => {
    const { searchParams } = new URL(request.url ?? '/', 'http://log');
    const tail = Number(searchParams.get('tailLines'));
    const limit = Number(searchParams.get('limitBytes')) || undefined;
    // A block is full every 60 s, and has a step every 0.4 s.
    const block = Math.floor(Date.now() / 60_000);
    const text = [];
    for (let at = block - tail + 1; at <= block; at++) {
      const first = (at % 2_000) * 150;
      const frames = Array.from({ length: 150 }, (_, n) => frame(first + n)).join('');
      const time = `${new Date(at * 60_000).toISOString().replace('Z', '000000Z')} `;
      text.push(at === block - tail + 1 ? time + frames : frames);
    }
    response.end(Buffer.from(text.join('')).subarray(0, limit));
  });
  server.listen(0, '127.0.0.1', () => process.send!((server.address() as AddressInfo).port));
}

async function measure(): Promise<void> {
  const { jobs: count, seconds } = new Command('npm run bench:steps --')
    .option('--jobs <n>', 'running jobs', integer(1, 100_000), 5_000)
    .option('--seconds <n>', 'how long is measured, after as long without', integer(30, 3_600), 180)
    .parse()
    .opts<{ readonly jobs: number; readonly seconds: number }>();
  const keys = mkdtempSync(join(tmpdir(), 'signalbox-steps-'));
  const made = ['-newkey', 'rsa:2048', '-nodes', '-keyout', 'key.pem', '-out', 'cert.pem'];
  execFileSync('openssl', ['req', '-x509', '-subj', '/CN=localhost', ...made], {
    cwd: keys,
    stdio: 'ignore',
  });
  const server = fork(import.meta.filename, [keys]);
  const [port] = (await once(server, 'message')) as [number];
  const cluster = new ClusterClient({
    server: `https://127.0.0.1:${port}`,
    namespace: 'default',
    tls: async () => ({ ca: certificateIn(keys).cert, servername: 'localhost' }),
    headers: async () => ({}),
  });
  const jobs = new JobStore();
  for (let index = 0; index < count; index++) {
    const own = { job: `job-${index}`, uid: `job-${index}` };
    jobs.anchorsIn().changed(anAnchor({ ...own, phase: 'Running' }), 1);
    jobs.podsIn().changed(aPod({ ...own, uid: `${own.uid}-0`, owner: own.uid, status: RUNNING }), 1);
  }
  const leadership = new AbortController();
  let told = 0;
  const queue = { changed: () => void told++ };
  new StepReadings(
    { cluster, log: pino({ enabled: false }), queue, jobs: () => jobs.jobs },
    leadership.signal,
  ).start();
  // All are looked at for the first time, and for the second, before it is measured.
  await pause(seconds * 1000, leadership.signal);
  const before = process.cpuUsage();
  await pause(seconds * 1000, leadership.signal);
  const { user, system } = process.cpuUsage(before);
  const known = [...jobs.jobs].filter(({ steps }) => steps?.lastStepAt !== undefined).length;
  const cores = (user + system) / 1e6 / seconds;
  process.stdout.write(
    `${JSON.stringify({ jobs: count, known, told, seconds, cores: Number(cores.toFixed(3)), rssMb: Math.round(process.memoryUsage.rss() / 2 ** 20) })}\n`,
  );
  leadership.abort();
  server.kill();
  rmSync(keys, { recursive: true });
  await cluster.close();
}
