import { describe, expect, it } from '@jest/globals';
import { findLogSigns } from '../../../../client/use-cases/pods/silence.ts';
import type { ClusterClient } from '../../../../cluster/client.ts';
import { formatAnchorRecord } from '../../../../contracts/anchor.ts';
import { LABELS } from '../../../../contracts/labels.ts';

const START = Date.parse('2026-01-01T00:00:00Z');
const at = (seconds: number) => `${new Date(START + seconds * 1000).toISOString().slice(0, -1)}000000Z`;

const JOB = { namespace: 'ml', name: 'fit', workflowId: 'job/ml/fit', phase: 'Running' } as const;

interface Seen {
  /** What a pod's log has, by name; each line with its time. */
  readonly logs: Readonly<Record<string, readonly string[]>>;
  readonly now: number;
  readonly env?: readonly object[];
  readonly command?: readonly string[];
  readonly mayList?: boolean;
}

function aCluster({ logs, now, env = [], command = [], mayList = true }: Seen) {
  const asked: string[] = [];
  const aPod = (name: string, index: number) => ({
    metadata: { name, namespace: 'ml', labels: { [LABELS.job]: 'fit', [LABELS.pod]: name } },
    spec: {
      containers: [{ name: 'pytorch', command, env: [...env, { name: 'RANK', value: String(index) }] }],
    },
    status: { containerStatuses: [{ name: 'pytorch', state: { running: { startedAt: at(0) } } }] },
  });
  const reads = {
    find: async () => ({
      metadata: {
        ...{ name: 'fit-signalbox', uid: 'u' },
        annotations: formatAnchorRecord({
          workflowId: JOB.workflowId,
          mainPod: 'fit-master-0',
          mainContainers: { master: 'pytorch', worker: 'pytorch' },
        }),
      },
    }),
    list: async () => {
      if (!mayList) throw new Error('forbidden');
      return { metadata: {}, items: Object.keys(logs).map(aPod) };
    },
    log: async (_: string, pod: string, { tailLines }: { tailLines: number }) => {
      asked.push(pod);
      const lines = logs[pod]!.slice(-tailLines);
      return (async function* () {
        yield Buffer.from(lines.join(''));
      })();
    },
    now: () => START + now * 1000,
  };
  return { asked, cluster: async () => reads as unknown as ClusterClient };
}

const stepsOf = async (seen: Seen) => (await findLogSigns(aCluster(seen), [JOB])).get(JOB.workflowId)?.steps;

const iteration = (step: number) =>
  ` iteration ${step}/ 5000 | consumed samples: 1 | elapsed time per iteration (ms): 300.0 | lm loss: 2.3E+00 |`;
const MEGATRON = [1, 2, 3, 4].map((n) => `${at(n * 3)} ${iteration(n * 10)}\n`);

describe('the steps of a running job', () => {
  it('are told without any policy: the last one, of how many, how often', async () => {
    const logs = { 'fit-master-0': MEGATRON };
    expect(await stepsOf({ logs, now: 14 })).toEqual({
      ...{ pod: 'fit-master-0', form: 'megatron', step: 40, total: 5000, secondsPerStep: 0.3 },
      at: '2026-01-01T00:00:12.000Z',
      sentence: 'step 40 of 5000, one every 300ms',
    });
  });

  it('are late after the longest of a minute, three reports and forty steps, and it says since when', async () => {
    const logs = { 'fit-master-0': MEGATRON };
    expect(await stepsOf({ logs, now: 71 })).not.toHaveProperty('isLate');
    expect(await stepsOf({ logs, now: 73 })).toMatchObject({
      isLate: true,
      sentence:
        'no step since 2026-01-01T00:00:12Z, usually one every 300ms, the last read was step 40 of 5000, 1m1s ago',
    });
    const slow = [1, 2, 3].map((n) => `${at(n * 10)} ${iteration(n)}\n`);
    expect(await stepsOf({ logs: { 'fit-master-0': slow }, now: 429 })).not.toHaveProperty('isLate');
    expect(await stepsOf({ logs: { 'fit-master-0': slow }, now: 431 })).toHaveProperty('isLate');
  });

  it('are those of the last pod, where the main one shows none', async () => {
    const saves = [`${at(1)} saving checkpoint at iteration 30 to /ckpt\n`];
    const logs = { 'fit-master-0': saves, 'fit-worker-0': [], 'fit-worker-1': MEGATRON };
    const seen = aCluster({ logs, now: 14 });
    const signs = (await findLogSigns(seen, [JOB])).get(JOB.workflowId);
    expect(signs?.steps).toMatchObject({ pod: 'fit-worker-1', step: 40 });
    expect(signs).not.toHaveProperty('silence');
    expect(seen.asked).toEqual(['fit-master-0', 'fit-worker-1']);
  });

  it('are those of a bar, at the time of its last block', async () => {
    const frames = (from: number) =>
      [0, 1, 2, 3].map((n) => `\r  1%|▏   | ${from + n}/4000 [00:31<16:50,  2.60s/it]`).join('');
    // A node tells the time of a line that goes on once, where reading begins.
    const block = (time: string, isFirst: boolean, from: number) =>
      `${isFirst ? `${time} ` : ''}${frames(from)}`;
    const whole = [block(at(100), true, 10), block(at(200), false, 50)];
    const cluster = aCluster({ logs: { 'fit-master-0': whole }, now: 210 });
    const client = await cluster.cluster();
    const log = client.log.bind(client);
    client.log = async (namespace, pod, options = {}) =>
      options.tailLines === 1
        ? (async function* () {
            yield Buffer.from(block(at(200), true, 50));
          })()
        : log(namespace, pod, options);
    const signs = await findLogSigns({ cluster: async () => client }, [JOB]);
    expect(signs.get(JOB.workflowId)?.steps).toMatchObject({
      ...{ form: 'tqdm', step: 53, total: 4000, at: '2026-01-01T00:03:20.000Z', secondsPerStep: 2.5 },
    });
  });
});

describe('steps that cannot be read are unknown', () => {
  const quiet = { 'fit-master-0': [`${at(1)} hello\n`] };

  it('ten minutes after the start, with what would show them', async () => {
    expect(await stepsOf({ logs: quiet, now: 599 })).toBeUndefined();
    const print = 'print one now and then: `print(f"step {step}/{total} loss {loss:.4f}", flush=True)`';
    const env = [{ name: 'PYTHONUNBUFFERED', value: '1' }];
    expect(await stepsOf({ logs: quiet, now: 601, env })).toEqual({
      pod: 'fit-master-0',
      sentence: `unknown, as its log shows none; ${print}`,
    });
    expect((await stepsOf({ logs: quiet, now: 601 }))?.sentence).toContain('PYTHONUNBUFFERED=1');
  });

  it.each([
    [['deepspeed', 'train.py'], 'steps_per_print'],
    [['python', '-m', 'axolotl.cli.train'], 'logging_steps'],
    [['python', 'lightning_train.py'], 'TQDMProgressBar'],
  ])('with the setting of the framework that its command names: %j', async (command, setting) => {
    expect((await stepsOf({ logs: quiet, now: 601, command }))?.sentence).toContain(setting);
  });

  it('and a cluster that lets nobody list pods tells nothing of them', async () => {
    expect(await stepsOf({ logs: quiet, now: 601, mayList: false })).toBeUndefined();
  });
});
