import { afterEach, expect, test } from '@jest/globals';
import { identify, isAlive } from '../../../runtime/process-identity.mjs';
import { eventually } from '../../eventually.ts';
import { ask, type Hosted, hosted, killHosted } from '../hosted.ts';

const group = (behaviour: string) => hosted('./hosted-group-process.ts', behaviour);
afterEach(killHosted);

interface Started {
  readonly process: number;
  readonly pid: number;
}

const startsOf = ({ said }: Hosted): Started[] =>
  said.filter((line) => line.includes('"worker process started"')).map((line) => JSON.parse(line) as Started);

const untilReady = (run: Hosted) =>
  eventually('both are ready', async () => (await ask(run, '/readyz')).status === 200);

/** Both processes of a group that is ready. */
async function processesOf(run: Hosted) {
  await untilReady(run);
  return startsOf(run).map(({ pid }) => identify(pid)!);
}

test('a signal stops the processes in order, and the exit code is 0', async () => {
  const run = group('runs');
  const processes = await processesOf(run);
  run.child.kill('SIGTERM');
  expect(await run.exit).toBe(0);
  expect(processes.map(isAlive)).toEqual([false, false]);
  const stopped = run.said.map((line) => JSON.parse(line)).filter(({ msg }) => msg === 'stopped');
  expect(stopped.map(({ part }) => part).sort()).toEqual(['worker 1', 'worker 2', 'workers']);
});

test('a second signal ends processes that do not stop', async () => {
  const run = group('never stops');
  const processes = await processesOf(run);
  run.child.kill('SIGTERM');
  await run.line('stopping');
  const repeating = setInterval(() => run.child.kill('SIGTERM'), 100);
  expect(await run.exit).toBe(1);
  clearInterval(repeating);
  await eventually('the processes have ended', () => !processes.some(isAlive));
});

test('the processes stop when their command is killed', async () => {
  const run = group('runs');
  const processes = await processesOf(run);
  run.child.kill('SIGKILL');
  await eventually('the processes have ended', () => !processes.some(isAlive));
});

test('a process that is killed is replaced, and until then the group is not ready', async () => {
  const run = group('runs');
  const [, second] = await processesOf(run);
  process.kill(second!.pid, 'SIGKILL');
  const { err, level, msg, ...about } = JSON.parse(await run.line('has ended'));
  expect({ level, msg, process: about.process, message: err.message }).toEqual({
    level: 'warn',
    msg: 'a worker process has ended; another one starts in 1 s',
    process: 2,
    message: 'A worker process ended by SIGKILL.',
  });
  expect(await ask(run, '/readyz')).toEqual({
    status: 503,
    body: 'workers: worker 2: it has ended and is replaced\n',
  });
  await untilReady(run);
  expect(startsOf(run).map((one) => one.process)).toEqual([1, 2, 2]);
});

test('processes that cannot start end the command with one error', async () => {
  const run = group('fails to start');
  expect(await run.exit).toBe(1);
  expect(startsOf(run)).toHaveLength(2);
  expect(run.said.slice(-2)).toEqual(['error: no steam', 'Light a fire.']);
  expect(run.said.filter((line) => line.includes('no steam'))).toHaveLength(1);
});

test('the group is ready when each process is', async () => {
  const run = group('second is not ready');
  await eventually('the second tells what it lacks', async () => {
    const { status, body } = await ask(run, '/readyz');
    return status === 503 && body === 'workers: worker 2: pressure is low\n';
  });
});

test('health and metrics of the processes are one', async () => {
  const run = group('runs');
  await untilReady(run);
  expect(await ask(run, '/readyz')).toMatchObject({ body: 'ok, but workers: worker 2: a valve is stuck\n' });
  const { body } = await ask(run, '/metrics');
  expect(body).toContain('# TYPE whistles counter\nwhistles{process="1"} 3\nwhistles{process="2"} 3\n');
  expect(
    body.match(/^# TYPE process_cpu_seconds_total .*(\nprocess_cpu_seconds_total.*)+/m)![0].split('\n'),
  ).toEqual([
    '# TYPE process_cpu_seconds_total counter',
    expect.stringMatching(/^process_cpu_seconds_total \d/),
    expect.stringMatching(/^process_cpu_seconds_total{process="1"} \d/),
    expect.stringMatching(/^process_cpu_seconds_total{process="2"} \d/),
  ]);
});
