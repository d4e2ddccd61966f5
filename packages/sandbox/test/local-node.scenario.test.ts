import { execFile } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { ClusterClient } from '../../../cluster/client.ts';
import { CONFIG_MAPS, PODS, type Pod, SERVICES } from '../../../contracts/kubernetes.ts';
import { type LocalNodeCluster, startLocalNodeCluster } from './local-node-cluster.ts';
import { mainOf, type podsOf } from './local-node-pods.ts';
import { FIRST_RUN_MS, until } from './support.ts';

let cluster: LocalNodeCluster;
let dir: string;
let client: ClusterClient;
let pods: ReturnType<typeof podsOf>;

beforeAll(async () => {
  cluster = await startLocalNodeCluster();
  ({ dir, client, pods } = cluster);
}, FIRST_RUN_MS);

afterAll(() => cluster.remove());

/** Returns a pid that the script wrote to its log. */
async function pidIn(name: string, word: string): Promise<number> {
  return until(`${name} has logged ${word}`, async () => {
    const log = await pods.logOf(name).catch(() => '');
    const found = new RegExp(`${word}=(\\d+)`).exec(log);
    return found ? Number(found[1]) : false;
  });
}

/** A killed process may remain as a zombie until its parent reaps it. */
async function isGone(pid: number): Promise<boolean> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => undefined);
  return stat === undefined || / [ZX] /.test(stat);
}

const hasEnded = (pod: Pod) => mainOf(pod)?.state?.terminated !== undefined;
const runsOf = (pod: Pod) => (mainOf(pod)?.restartCount ?? 0) + 1;
const isRunning = ({ status }: Pod) => status?.phase === 'Running';
/** Kubernetes reads `$$` as one `$`. */
const OWN_PID = '$$$$';
const FOREVER = 'while :; do sleep 1; done';

describe('a pod on the local node', () => {
  it('succeeds', async () => {
    await pods.run(
      'ok',
      'echo "I am $(hostname) at $IP"',
      {},
      {
        env: [{ name: 'IP', valueFrom: { fieldRef: { fieldPath: 'status.podIP' } } }],
      },
    );
    const { status } = await pods.isPhase('ok', 'Succeeded');
    expect(status?.containerStatuses?.[0]?.state?.terminated).toMatchObject({
      exitCode: 0,
      reason: 'Completed',
    });
    expect(await pods.logOf('ok')).toMatch(new RegExp(`^I am \\S+ at ${status?.podIP}\n$`));
  });

  it('fails with its exit code and its last log lines', async () => {
    const container = { terminationMessagePolicy: 'FallbackToLogsOnError' };
    await pods.run('three', 'echo out of luck >&2; exit 3', {}, container);
    expect(mainOf(await pods.isPhase('three', 'Failed'))?.state?.terminated).toMatchObject({
      exitCode: 3,
      reason: 'Error',
      message: 'out of luck\n',
    });
  });

  it('reports the signal that killed it', async () => {
    await pods.run('killed', `kill -9 ${OWN_PID}`);
    const main = mainOf(await pods.isPhase('killed', 'Failed'));
    expect(main?.state?.terminated).toMatchObject({ exitCode: 137, signal: 9 });
  });

  it('fails to start a command that is not there', async () => {
    await pods.run('nowhere', '', {}, { command: ['no-such-program'] });
    const main = mainOf(await pods.isPhase('nowhere', 'Failed'));
    expect(main?.state?.terminated).toMatchObject({ exitCode: 128, reason: 'StartError' });
  });

  it('says that it needs a command', async () => {
    await pods.run('image-only', '', {}, { command: undefined });
    const pod = await pods.is(
      'image-only',
      'is refused',
      (p) => mainOf(p)?.state?.waiting?.message !== undefined,
    );
    expect(mainOf(pod)?.state?.waiting).toMatchObject({
      reason: 'CreateContainerError',
      message: expect.stringContaining('needs a command'),
    });
  });

  it('is restarted at once, then after a back-off, and keeps the previous log', async () => {
    await pods.run('flaky', 'echo "run $(date +%s%N)"; exit 1', { restartPolicy: 'OnFailure' });
    const again = await pods.is('flaky', 'has failed twice', (p) => runsOf(p) === 2 && hasEnded(p));
    expect(mainOf(again)).toMatchObject({ lastState: { terminated: { exitCode: 1 } } });
    expect(again.status?.phase).toBe('Running');
    await pods.is('flaky', 'has failed a third time', (p) => runsOf(p) === 3 && hasEnded(p));
    expect(await pods.logOf('flaky', { previous: true })).toMatch(/^run \d+\n$/);
    const waiting = (pod: Pod) => mainOf(pod)?.state?.waiting;
    const pod = await pods.is('flaky', 'is said to wait', (p) => waiting(p) !== undefined);
    expect(waiting(pod)).toMatchObject({
      reason: 'CrashLoopBackOff',
      message: expect.stringContaining('back-off 20s restarting failed container=main pod=flaky_default('),
    });
    expect(mainOf(pod)).toMatchObject({ restartCount: 2, lastState: { terminated: { exitCode: 1 } } });
  });

  it('runs its init containers one after the other, and then the others', async () => {
    const file = join(dir, 'order');
    const init = (name: string) => ({
      name,
      image: 'ignored',
      command: ['sh', '-c', `sleep 0.2; echo ${name} >> ${file}`],
    });
    await pods.run('inits', `cat ${file}`, { initContainers: [init('first'), init('second')] });
    const { status } = await pods.isPhase('inits', 'Succeeded');
    expect(await pods.logOf('inits', { container: 'main' })).toBe('first\nsecond\n');
    expect(status?.initContainerStatuses?.map(({ ready }) => ready)).toEqual([true, true]);
  });

  it('waits for a ConfigMap that is created later', async () => {
    const envFrom = [{ configMapRef: { name: 'later' } }];
    await pods.run('waits', 'echo $WORD', {}, { envFrom });
    const pod = await pods.is('waits', 'waits', (p) => mainOf(p)?.state?.waiting?.message !== undefined);
    expect(pod.status?.phase).toBe('Pending');
    expect(mainOf(pod)?.state?.waiting).toEqual({
      reason: 'CreateContainerConfigError',
      message: 'configmap "later" not found',
    });
    const metadata = { name: 'later', namespace: 'default' };
    await client.create(CONFIG_MAPS, {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata,
      data: { WORD: 'there' },
    });
    await pods.isPhase('waits', 'Succeeded');
    expect(await pods.logOf('waits')).toBe('there\n');
  });

  it('is ready when its probe says so', async () => {
    const script = `node -e "setTimeout(() => require('net').createServer().listen(4000, process.env.IP), 300)"`;
    const probe = { tcpSocket: { port: 4000 }, periodSeconds: 1 };
    const env = [{ name: 'IP', valueFrom: { fieldRef: { fieldPath: 'status.podIP' } } }];
    await pods.run('probed', script, {}, { readinessProbe: probe, env });
    expect(mainOf(await pods.is('probed', 'runs', isRunning))?.ready).toBe(false);
    await pods.is('probed', 'is ready', (p) => mainOf(p)?.ready === true);
  });

  it.each([
    ['OnFailure', 'starts again', (pod: Pod) => (mainOf(pod)?.restartCount ?? 0) > 0],
    ['Never', 'has failed', (pod: Pod) => pod.status?.phase === 'Failed'],
  ] as const)(
    'is killed when its liveness probe fails; with %s it %s',
    async (restartPolicy, fact, holds) => {
      const name = `stuck-${restartPolicy.toLowerCase()}`;
      const grace = { terminationGracePeriodSeconds: 1 };
      const livenessProbe = { exec: { command: ['false'] }, periodSeconds: 1, failureThreshold: 2, ...grace };
      // A stopped process hears no SIGTERM. Kubernetes makes one dollar of two.
      await pods.run(name, 'kill -STOP $$$$', { restartPolicy }, { livenessProbe });
      const { state, lastState } = mainOf(await pods.is(name, fact, holds)) ?? {};
      expect((lastState?.terminated ?? state?.terminated)?.exitCode).toBe(137);
      await client.delete(PODS, 'default', name);
    },
  );
});

describe('a deletion', () => {
  it('sends SIGTERM first, and kills all processes at the end of the grace period', async () => {
    const script = `trap 'echo asked' TERM; (trap '' TERM; ${FOREVER}) & echo child=$!; ${FOREVER}`;
    await pods.run('stubborn', script, { terminationGracePeriodSeconds: 1 });
    const child = await pidIn('stubborn', 'child');
    const log = pods.logOf('stubborn', { follow: true });
    const { seen } = await followStatuses('stubborn');
    await client.delete(PODS, 'default', 'stubborn');
    await pods.isGone('stubborn');
    expect(await log).toContain('asked');
    expect(await isGone(child)).toBe(true);
    expect((await seen).at(-1)).toMatch('Failed, not ready, ended with 137, deleted');
  });

  it.each([
    ['Failed', 'exit 1', 1, 'Never'],
    ['Succeeded', 'exit 0', 0, 'Never'],
    ['Failed', 'exit 1', 1, 'Always'],
  ] as const)(
    'ends it as %s where it does `%s`, which is code %d, with restartPolicy %s',
    async (phase, end, exitCode, restartPolicy) => {
      const name = `told-${end.replace(' ', '-')}-${restartPolicy.toLowerCase()}`;
      await pods.run(name, `trap '${end}' TERM; echo trapped; ${FOREVER}`, { restartPolicy });
      await until('it traps', async () => (await pods.logOf(name)).includes('trapped'));
      // A program may write before its pod's status says that it runs.
      await pods.is(name, 'is ready', (p) => mainOf(p)?.ready === true);
      const { seen } = await followStatuses(name);
      await client.delete(PODS, 'default', name);
      expect(await seen).toEqual([
        'Running, ready, deleted',
        `Running, not ready, ended with ${exitCode}, deleted`,
        `${phase}, not ready, ended with ${exitCode}, deleted`,
      ]);
    },
  );

  it('does not interrupt a pod that ends by itself, also if its end takes two updates', async () => {
    await pods.run('by-itself', 'read go < go; exit 4', {}, { workingDir: await pipeIn('by-itself') });
    await pods.is('by-itself', 'runs', isRunning);
    const { seen } = await followStatuses('by-itself', ({ status }) => status?.phase === 'Failed');
    await writeFile(join(dir, 'by-itself', 'go'), '\n');
    expect(await seen).toEqual(['Running, not ready, ended with 4', 'Failed, not ready, ended with 4']);
  });

  it('by force kills at once', async () => {
    await pods.run('forced', `trap '' TERM; echo self=${OWN_PID}; ${FOREVER}`);
    const self = await pidIn('forced', 'self');
    await client.delete(PODS, 'default', 'forced', { gracePeriodSeconds: 0 });
    await until('its process is gone', () => isGone(self));
  });
});

/** Watches a pod from its current version: every status until it is gone or `last` holds. */
async function followStatuses(name: string, last: (pod: Pod) => boolean = () => false) {
  const { resourceVersion = '' } = (await pods.get(name)).metadata;
  return { seen: statusesFrom(name, resourceVersion, last) };
}

async function statusesFrom(
  name: string,
  resourceVersion: string,
  last: (pod: Pod) => boolean,
): Promise<string[]> {
  const options = { namespace: 'default', fieldSelector: `metadata.name=${name}`, resourceVersion };
  const seen: string[] = [];
  for await (const { type, object } of client.watch(PODS, options)) {
    if (type === 'DELETED') break;
    if (seen.at(-1) !== wordsOf(object)) seen.push(wordsOf(object));
    if (last(object)) break;
  }
  return seen;
}

function wordsOf(pod: Pod): string {
  const isReady = pod.status?.conditions?.find(({ type }) => type === 'Ready')?.status === 'True';
  const ended = mainOf(pod)?.state?.terminated;
  return [
    pod.status?.phase,
    isReady ? 'ready' : 'not ready',
    ...(ended ? [`ended with ${ended.exitCode}`] : []),
    ...(pod.metadata.deletionTimestamp ? ['deleted'] : []),
  ].join(', ');
}

/** A folder with a pipe \`go\`, on which a container waits. */
async function pipeIn(name: string): Promise<string> {
  const folder = join(dir, name);
  await mkdir(folder);
  await promisify(execFile)('mkfifo', [join(folder, 'go')]);
  return folder;
}

describe('logs through the API server', () => {
  it('are followed to the end, and read from the end', async () => {
    await pods.run('counts', 'for i in 1 2 3; do echo $i; sleep 0.3; done');
    await pods.is('counts', 'runs', isRunning);
    expect(await pods.logOf('counts', { follow: true })).toBe('1\n2\n3\n');
    expect(await pods.logOf('counts', { tailLines: 1 })).toBe('3\n');
    expect(await pods.logOf('counts', { tailLines: 1, timestamps: true })).toMatch(/^\d{4}-\S+Z 3\n$/);
  });

  it('are refused with a reason if there are none', async () => {
    await expect(pods.logOf('counts', { previous: true })).rejects.toThrow(
      'previous terminated container "main" in pod "counts" not found',
    );
  });
});

describe('the network', () => {
  it('lets two pods talk through the name of a Service, on the same port', async () => {
    const metadata = { name: 'answers', namespace: 'default' };
    const spec = { clusterIP: 'None', selector: { app: 'answers' }, ports: [{ port: 4000 }] };
    await client.create(SERVICES, { apiVersion: 'v1', kind: 'Service', metadata, spec });
    const env = [{ name: 'IP', valueFrom: { fieldRef: { fieldPath: 'status.podIP' } } }];
    const listen = (answer: string) => [
      'node',
      '-e',
      `const {createServer, connect} = require('node:net');
       createServer(s => s.end('${answer}')).listen(4000, process.env.IP);
       const ask = () => connect(4000, 'answers.default.svc.cluster.local').on('data', d => console.log(String(d)))
         .on('error', () => setTimeout(ask, 100)).on('end', () => process.argv[1] && process.exit());
       process.argv[1] && ask();`,
    ];
    await pods.run('asks', '', {}, { command: [...listen('wrong'), 'ask'], env });
    await pods.is('asks', 'runs', isRunning);
    await pods.run('answers', '', {}, { command: listen('right'), env }); // its peer runs already
    await pods.isPhase('asks', 'Succeeded');
    expect(await pods.logOf('asks')).toBe('right\n');
  });
});

describe('when the local node dies', () => {
  it('its containers end with it, and are reported and restarted when it is back', async () => {
    await pods.run('once', `echo self=${OWN_PID}; ${FOREVER}`);
    await pods.run('always', `echo self=${OWN_PID}; ${FOREVER}`, { restartPolicy: 'Always' });
    const [once, always] = await Promise.all([pidIn('once', 'self'), pidIn('always', 'self')]);
    const { podIP } = (await pods.get('always')).status ?? {};
    await cluster.end('SIGKILL');
    await until('both are gone', async () => (await isGone(once)) && (await isGone(always)));
    await cluster.start();
    expect(mainOf(await pods.isPhase('once', 'Failed'))?.state?.terminated).toMatchObject({
      exitCode: 137,
      reason: 'ContainerStatusUnknown',
    });
    const pod = await pods.is('always', 'is restarted', (p) => mainOf(p)?.restartCount === 1 && isRunning(p));
    expect(mainOf(pod)?.lastState?.terminated?.exitCode).toBe(137);
    expect(pod.status?.podIP).toBe(podIP);
  });
});
