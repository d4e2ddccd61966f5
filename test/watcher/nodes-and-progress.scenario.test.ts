import { appendFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { restartComponent } from '@signalbox/sandbox';
import pino from 'pino';
import type { Digest } from '../../contracts/digest.ts';
import { NODES } from '../../contracts/kubernetes.ts';
import { ANNOTATIONS } from '../../contracts/labels.ts';
import type { WatchRules } from '../../contracts/policy.ts';
import type { Running } from '../../contracts/settings.ts';
import { startWatcher } from '../../watcher/watcher.ts';
import { aNode, type NodeChoice, READY } from './fixtures.ts';
import { Stage, type StagedJob, until } from './stage.ts';

describe('on a real cluster, a watcher', () => {
  let stage: Stage;
  let watcher: Running | undefined;

  beforeAll(async () => {
    stage = await Stage.open({ localNode: true });
  });

  afterEach(() => watcher?.stop());
  afterAll(() => stage?.close());

  async function watch(): Promise<void> {
    const running = await startWatcher(stage.settings, pino({ level: 'warn' }, { write: () => undefined }));
    watcher = running;
    await until('the watcher is ready', () => running.unready() === undefined);
  }

  /** A node that no kubelet looks after: it is as the tests say. */
  async function addNode(name: string): Promise<void> {
    const { spec: _, status, ...node } = aNode({ name });
    await stage.cluster.create(NODES, node);
    await stage.cluster.patch(NODES, { name, subresource: 'status' }, { status });
  }

  const setReady = (name: string, ready: NodeChoice['ready'], since: string) =>
    stage.cluster.patch(
      NODES,
      { name, subresource: 'status' },
      { status: aNode({ name, ready, since }).status },
    );

  const troubleIn = ({ endangered = [] }: Digest) =>
    endangered.map(({ pod, trouble }) => `${pod} ${trouble}`);

  it('reports pods on a node that is not ready, since when, and that it has recovered', async () => {
    await addNode('gpu-1');
    await watch();
    const job = await stage.startJob('dead');
    await job.addPod({ index: 0, node: 'gpu-1' });
    await job.addPod({ index: 1 });
    await job.setAll(2, READY);
    await job.untilDigest('both are ready', ({ roles }) => roles.worker?.ready === 2);
    await setReady('gpu-1', 'False', '2026-01-01T00:10:00Z');
    const { endangered, resourceVersions } = await job.untilDigest(
      'one is in danger',
      ({ endangered }) => !!endangered,
    );
    expect(endangered).toEqual([
      {
        ...{ pod: 'dead-worker-0', uid: expect.any(String), role: 'worker', index: 0, node: 'gpu-1' },
        ...{ trouble: 'NotReady', since: Date.parse('2026-01-01T00:10:00Z') },
      },
    ]);
    await setReady('gpu-1', 'True', '2026-01-01T00:11:00Z');
    const after = await job.untilDigest('the danger is over', ({ endangered }) => !endangered);
    expect(after.resourceVersions.nodes).toBeGreaterThan(resourceVersions.nodes!);
  });

  it('reports pods on a cordoned node, and on a deleted one', async () => {
    await addNode('gpu-2');
    await watch();
    const job = await stage.startJob('cordoned');
    await job.addPod({ index: 0, node: 'gpu-2' });
    await job.untilDigest('it has a node', ({ roles }) => roles.worker?.scheduled === 1);
    await stage.cluster.patch(NODES, { name: 'gpu-2' }, { spec: { unschedulable: true } });
    await job.untilDigest('its node is cordoned', (d) => troubleIn(d).includes('cordoned-worker-0 Cordoned'));
    await stage.cluster.delete(NODES, undefined, 'gpu-2');
    await job.untilDigest('its node is gone', (d) => troubleIn(d).includes('cordoned-worker-0 NotReady'));
  });

  it('reports progress by annotation: the first at once, and later ones at most as often as configured', async () => {
    await watch();
    const job = await stage.startJob('annotated', {
      watch: { progress: { annotation: 'example.com/step' }, everyMs: 2_000 },
    });
    await job.addPods(1);
    await job.untilDigest('its pod is there', ({ roles }) => roles.worker?.unscheduled === 1);
    await job.annotatePod(0, { 'example.com/step': '0' });
    await job.untilDigest('it has begun', ({ progress }) => progress?.value === '0');
    const startedAt = Date.now();
    for (let step = 1; step <= 40; step++) await job.annotatePod(0, { 'example.com/step': String(step) });
    await job.untilDigest('it came to step 40', ({ progress }) => progress?.value === '40');
    const reports = (await job.received()).filter(({ progress }) => progress);
    expect(reports.length).toBeLessThanOrEqual(2 + Math.ceil((Date.now() - startedAt) / 2_000));
    expect(
      reports.every(({ lastReportAt }, i) => i === 0 || lastReportAt! > reports[i - 1]!.lastReportAt!),
    ).toBe(true);
  });

  /** A pod whose log is a file: the test says what it says. */
  async function speakingJob(name: string, rules: WatchRules): Promise<{ job: StagedJob; say: Say }> {
    const file = join(stage.dir, `${name}.txt`);
    await writeFile(file, '');
    const job = await stage.startJob(name, { watch: rules });
    await job.addPod({ index: 0, node: 'local', command: ['tail', '-n', '+1', '-F', file] });
    await job.untilDigest('its pod runs', ({ roles }) => roles.worker?.ready === 1);
    return { job, say: (...lines) => appendFile(file, lines.map((line) => `${line}\n`).join('')) };
  }

  type Say = (...lines: readonly string[]) => Promise<void>;

  it('reports progress from the log, also through an outage and after another one took over', async () => {
    await watch();
    const { job, say } = await speakingJob('logged', { progress: { log: '^step=(\\d+)' }, everyMs: 100 });
    await say('loading', 'step=1');
    const first = await job.untilDigest('it got to step 1', ({ progress }) => progress?.value === '1');
    await restartComponent(stage.dir, 'kube-apiserver', 'kill');
    await say('step=2', 'other words');
    const second = await job.untilDigest('it got to step 2', ({ progress }) => progress?.value === '2');
    expect(second.progress!.count).toBeGreaterThan(first.progress!.count);
    await watcher?.stop();
    await watch();
    const { length: before } = await job.received();
    const after = await until('the other one has caught up', async () => {
      const later = (await job.received()).slice(before);
      return later.find(({ progress }) => progress)?.progress;
    });
    // Only how long ago it was is another.
    expect({ ...after, ageMs: second.progress!.ageMs }).toEqual(second.progress);
    await say('step=3');
    await job.untilDigest('it got to step 3', ({ progress }) => progress?.value === '3');
  });

  it('searches for another pattern when the anchor changes', async () => {
    await watch();
    const { job, say } = await speakingJob('amended', { progress: { log: '^step=(\\d+)' }, everyMs: 100 });
    await say('step=1');
    await job.untilDigest('it got to step 1', ({ progress }) => progress?.value === '1');
    const rules: WatchRules = { progress: { log: '^epoch=(\\d+)' }, everyMs: 100 };
    await stage.annotate('amended', ANNOTATIONS.watch, JSON.stringify(rules));
    await until('an epoch is reported', async () => {
      await say('epoch=7', 'step=2');
      return (await job.received()).at(-1)?.progress?.value === '7';
    });
  });

  it('reports the requested checkpoint, and not an earlier one', async () => {
    await watch();
    const { job, say } = await speakingJob('saved', {
      progress: { log: '^step=(\\d+)' },
      acknowledgedBy: { log: '^checkpoint written' },
      everyMs: 100,
    });
    await say('checkpoint written', 'step=1');
    await job.untilDigest('it got to step 1', ({ progress }) => progress?.value === '1');
    await job.annotatePod(0, { [ANNOTATIONS.checkpoint]: new Date().toISOString() });
    await say('step=2');
    const before = await job.untilDigest('it got to step 2', ({ progress }) => progress?.value === '2');
    expect(before.acknowledged).toBeUndefined();
    await say('checkpoint written');
    await job.untilDigest('the checkpoint is written', ({ acknowledged }) => acknowledged === true);
  });
});
