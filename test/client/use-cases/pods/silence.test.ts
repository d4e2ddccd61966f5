import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { findLogSigns, silentAfter } from '../../../../client/use-cases/pods/silence.ts';
import type { ClusterClient } from '../../../../cluster/client.ts';
import { formatAnchorRecord } from '../../../../contracts/anchor.ts';
import type { KubeObject, Resource } from '../../../../contracts/kubernetes.ts';
import { jobNameOf, LABELS } from '../../../../contracts/labels.ts';
import type { Phase } from '../../../../contracts/types.ts';

const START = Date.parse('2026-01-01T00:00:00Z');

const at = (seconds: number) => `${new Date(START + seconds * 1000).toISOString().slice(0, -1)}000000Z`;

const aJob = (name = 'fit', phase: Phase = 'Running') => ({
  ...{ namespace: 'ml', name, workflowId: `job/ml/${name}`, phase },
});

interface Seen {
  readonly log: readonly string[];
  readonly now: number;
  readonly progress?: Readonly<Record<string, unknown>>;
  readonly workflowId?: string;
  /** When the program started, in seconds; undefined if it does not run. */
  readonly started?: number;
}

/** A cluster with this log of the main pod. `atOnce`: how many logs were read side by side at most. */
function aCluster({ log, now, progress, workflowId, started }: Seen) {
  const asked: unknown[] = [];
  const counts = { present: 0, atOnce: 0 };
  const reads: Partial<ClusterClient> = {
    find: async <T>({ kind }: Resource<KubeObject>, _: unknown, name: string) => {
      if (kind === 'Pod') return aPod(name, started) as T;
      const job = jobNameOf(name);
      const id = workflowId ?? `job/ml/${job}`;
      const record = { workflowId: id, mainPod: `${job}-master-0`, mainContainers: { master: 'pytorch' } };
      return {
        metadata: { name, uid: 'u', annotations: formatAnchorRecord(record) },
        data: { job: JSON.stringify({ plan: { policy: { progress } } }) },
      } as T;
    },
    log: async (namespace, pod, { signal: _, ...options } = {}) => {
      asked.push([namespace, pod, options]);
      counts.present++;
      counts.atOnce = Math.max(counts.atOnce, counts.present);
      await Promise.resolve();
      return (async function* () {
        yield Buffer.from(log.map((line) => `${line}\n`).join(''));
        counts.present--;
      })();
    },
    now: () => START + now * 1000,
  };
  return { asked, counts, cluster: async () => reads as ClusterClient };
}

const aPod = (name: string, started: number | undefined) => ({
  metadata: { name, labels: { [LABELS.job]: 'fit' } },
  spec: { containers: [{ name: 'sidecar' }, { name: 'pytorch' }] },
  status: {
    containerStatuses: [
      { name: 'sidecar', state: { running: { startedAt: new Date(START - 1).toISOString() } } },
      {
        name: 'pytorch',
        state: started === undefined ? {} : { running: { startedAt: new Date(START + started * 1000) } },
      },
    ],
  },
});

const silenceOf = async (seen: Seen, job = aJob()) =>
  (await findLogSigns(aCluster(seen), [job])).get(job.workflowId)?.silence;

const STEPS = [0, 1, 2, 3].map((second) => `${at(second)} step=${second}`);

describe('a running job is silent', () => {
  it('once it has written nothing for much longer than between its last lines, and says which was the last', async () => {
    expect(await silenceOf({ log: STEPS, now: 30 })).toBeUndefined();
    expect(await silenceOf({ log: STEPS, now: 45 })).toEqual({
      pod: 'fit-master-0',
      since: '2026-01-01T00:00:03.000Z',
      seconds: 42,
      line: 'step=3',
      remedy:
        '`signalbox amend fit -n ml --set progress.log=.+ --set progress.stalledAfter=10m` restarts its pods when it is silent for so long.',
    });
  });

  it.each([
    [
      undefined,
      '`signalbox amend fit -n ml --set progress.onHang=restart` restarts its pods when it makes no steps.',
    ],
    [
      { onHang: 'restart' },
      'It restarts once the watcher has confirmed that it makes no steps (progress.onHang).',
    ],
    [{ log: 'loss' }, expect.stringContaining('--set progress.stalledAfter=10m')],
  ])('and gets a limit that fits steps which are read, with %j', async (progress, remedy) => {
    const log = [0, 1, 2, 3].map((second) => `${at(second)} iter ${second}: loss 2.1, time 1.00ms, mfu 1%`);
    expect(await silenceOf({ log, now: 600, progress })).toMatchObject({ remedy });
  });

  it('only after a longer time, if it has been that slow before', async () => {
    const log = [0, 60, 120].map((second) => `${at(second)} epoch`);
    expect(await silenceOf({ log, now: 120 + 299 })).toBeUndefined();
    expect(await silenceOf({ log, now: 120 + 301 })).toMatchObject({ seconds: 301 });
  });

  it('after ten minutes, if it wrote a single line, and gets a limit that its own pauses allow', async () => {
    expect(await silenceOf({ log: [`${at(0)} start`], now: 599 })).toBeUndefined();
    expect(await silenceOf({ log: [`${at(0)} start`], now: 601 })).toMatchObject({ line: 'start' });
    const log = [`${at(0)} a`, `${at(400)} b`];
    const { remedy } = (await silenceOf({ log, now: 1_100 })) ?? {};
    expect(remedy).toContain('progress.stalledAfter=34m');
  });

  it('ten minutes after its start, if it wrote no line', async () => {
    expect(await silenceOf({ log: [], started: 0, now: 601 })).toEqual({
      pod: 'fit-master-0',
      since: '2026-01-01T00:00:00.000Z',
      seconds: 601,
      remedy: expect.stringContaining('progress.stalledAfter=10m'),
    });
    expect(await silenceOf({ log: [`${at(5)} `], started: 0, now: 606 })).toMatchObject({ seconds: 601 });
  });

  it('with a line without colours and secrets; a progress bar is as many lines', async () => {
    const bar = `${at(0)} \u001b[32m1%\u001b[0m\r2%\r\u001b[1mHF_TOKEN=hf_${'a'.repeat(30)} 3%`;
    const silence = await silenceOf({ log: [bar, `${at(1)} `], now: 100 });
    expect(silence).toMatchObject({ line: 'HF_TOKEN=(hidden) 3%' });
  });

  it('with the limit that its policy has, or a command that only adds the time', async () => {
    const limited = { log: STEPS, now: 100, progress: { log: 'step', stalledAfterMs: 1_800_000 } };
    expect((await silenceOf(limited))?.remedy).toBe(
      'It counts as stalled without progress for 30m (progress.stalledAfter).',
    );
    const followed = await silenceOf({ log: STEPS, now: 100, progress: { annotation: 'a/b' } });
    expect(followed?.remedy).toMatch(/^`signalbox amend fit -n ml --set progress\.stalledAfter=10m`/);
  });
});

describe('nothing is said of', () => {
  it.each<Phase>(['Pending', 'Starting', 'Restarting', 'Completed', 'Failed'])(
    'a job that is %s, nor is the cluster asked',
    async (phase) => {
      const stage = aCluster({ log: STEPS, now: 1_000 });
      expect((await findLogSigns(stage, [aJob('fit', phase)])).size).toBe(0);
      expect(stage.asked).toEqual([]);
    },
  );

  it('a program without lines that does not run or has just started, the anchor of another job, and a cluster that does not answer', async () => {
    expect(await silenceOf({ log: [], now: 1_000 })).toBeUndefined();
    expect(await silenceOf({ log: [], started: 0, now: 599 })).toBeUndefined();
    expect(await silenceOf({ log: STEPS, now: 1_000, workflowId: 'other' })).toBeUndefined();
    const away = { cluster: () => Promise.reject(new Error('away')) };
    expect((await findLogSigns(away, [aJob()])).size).toBe(0);
  });
});

it('of many jobs a few logs are read side by side, the end of each', async () => {
  const stage = aCluster({ log: STEPS, now: 100 });
  const jobs = Array.from({ length: 60 }, (_, index) => aJob(`fit-${index}`));
  expect((await findLogSigns(stage, jobs)).size).toBe(60);
  expect(stage.counts.atOnce).toBeLessThanOrEqual(8);
  const options = { container: 'pytorch', tailLines: 20, timestamps: true };
  expect(stage.asked[0]).toEqual(['ml', 'fit-0-master-0', options]);
});

it('the time until a silence is told is between half a minute and ten', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(100_000)), (seconds) => {
      const lines = seconds.toSorted((a, b) => a - b).map((second) => ({ time: at(second) }));
      const ms = silentAfter(lines);
      expect(ms).toBeGreaterThanOrEqual(30_000);
      expect(ms).toBeLessThanOrEqual(600_000);
    }),
  );
});
