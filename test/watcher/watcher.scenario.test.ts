import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { restartComponent } from '@signalbox/sandbox';
import pino from 'pino';
import type { Digest } from '../../contracts/digest.ts';
import { CONFIG_MAPS, LEASES } from '../../contracts/kubernetes.ts';
import { anchorNameOf } from '../../contracts/labels.ts';
import type { Running } from '../../contracts/settings.ts';
import { metrics } from '../../watcher/metrics.ts';
import { startWatcher, type WatcherSettings } from '../../watcher/watcher.ts';
import { ended, failed, READY, SUCCEEDED } from './fixtures.ts';
import { Stage, until } from './stage.ts';

describe('a watcher on a real cluster and a real Temporal server', () => {
  let stage: Stage;
  let running: Running[] = [];
  let processes: ChildProcess[] = [];
  let logged: { msg: string; resource?: string }[] = [];

  beforeAll(async () => {
    stage = await Stage.open();
  });

  afterEach(async () => {
    await Promise.all(running.map((watcher) => watcher.stop()));
    for (const child of processes) child.kill('SIGKILL');
    running = [];
    processes = [];
    logged = [];
  });

  afterAll(() => stage?.close());

  async function watch(more: Partial<WatcherSettings> = {}): Promise<Running> {
    const write = (line: string) => logged.push(JSON.parse(line));
    const log = pino({ level: 'debug' }, { write });
    const watcher = await startWatcher({ ...stage.settings, ...more }, log);
    running.push(watcher);
    await until('the watcher is ready', () => watcher.unready() === undefined);
    return watcher;
  }

  function watchInProcess(): ChildProcess {
    const script = fileURLToPath(new URL('./watcher-process.ts', import.meta.url));
    const child = spawn(process.execPath, [script, JSON.stringify(stage.settings)], {
      stdio: ['ignore', 'ignore', 'inherit'],
      env: { ...process.env, NODE_OPTIONS: '' },
    });
    processes.push(child);
    return child;
  }

  const holder = async () =>
    (
      (await stage.cluster.get(LEASES, 'default', 'signalbox-watcher')).spec as {
        holderIdentity?: string;
      }
    ).holderIdentity;

  const countPods = ({ roles }: Digest) =>
    Object.values(roles).reduce(
      (sum, { unscheduled, scheduled, ready, succeeded, failed, terminating }) =>
        sum + unscheduled + scheduled + ready + succeeded + failed + terminating,
      0,
    );

  const revisionsGrow = (digests: readonly Digest[]) =>
    digests.every(
      ({ resourceVersions }, i) => i === 0 || resourceVersions.pods >= digests[i - 1]!.resourceVersions.pods,
    );

  it('sends a job its pods as they are created, become ready, fail and are deleted', async () => {
    await watch();
    const job = await stage.startJob('reported');
    await job.addPods(3);
    await job.untilDigest('three pods have no node', ({ roles }) => roles.worker?.unscheduled === 3);
    await job.setAll(3, READY);
    await job.untilDigest('all are ready', ({ roles }) => roles.worker?.ready === 3);
    await job.setStatus(0, SUCCEEDED);
    await job.setStatus(2, failed(ended('pytorch', 3, { message: 'no such file' })));
    const last = await job.untilDigest('one failed', ({ failures }) => failures.length === 1);
    expect(last).toMatchObject({
      anchor: job.uid,
      attempt: 1,
      failures: [
        { pod: 'reported-worker-2', index: 2, exitCode: 3, reason: 'Error', message: 'no such file' },
      ],
    });
    await Promise.all([0, 1, 2].map(job.removePod));
    const { roles } = await job.untilDigest('no pods remain', (digest) => countPods(digest) === 0);
    // A success stays one.
    expect(roles.worker?.succeededIndices).toBe('0');
    expect(revisionsGrow(await job.received())).toBe(true);
  });

  it('sends a pod that was deleted and recreated, though it looks as before', async () => {
    await watch();
    const job = await stage.startJob('anew');
    await job.addPods(1);
    await job.untilDigest('its pod has no node', ({ roles }) => roles.worker?.unscheduled === 1);
    await job.removePod(0);
    const { metadata } = await job.addPod({ index: 0 });
    const again = await job.untilDigest(
      'the new pod is there',
      ({ resourceVersions }) => resourceVersions.pods >= Number(metadata.resourceVersion),
    );
    expect(again.roles.worker?.unscheduled).toBe(1);
  });

  it('sends few signals for many events', async () => {
    await watch();
    const job = await stage.startJob('burst');
    await job.addPods(100);
    await job.setAll(100, READY);
    await job.untilDigest('all hundred are ready', ({ roles }) => roles.worker?.ready === 100);
    // 200 events within seconds; at most one a second and the flush at the end.
    expect((await job.received()).length).toBeLessThan(12);
  });

  it('sends a last digest when the anchor is deleted, and none once the job has ended', async () => {
    await watch();
    const [deleted, over] = await Promise.all([stage.startJob('deleted'), stage.startJob('over')]);
    await Promise.all([deleted.addPods(1), over.addPods(1)]);
    await deleted.untilDigest('its pod is there', ({ attempt }) => attempt === 1);
    await over.untilDigest('its pod is there', ({ attempt }) => attempt === 1);
    await stage.annotate('over', 'signalbox.dev/phase', 'Completed');
    await stage.cluster.delete(CONFIG_MAPS, 'default', anchorNameOf('deleted'));
    await stage.cluster.delete(CONFIG_MAPS, 'default', anchorNameOf('over'));
    await deleted.untilDigest('its anchor is deleted', ({ anchorDeleted }) => anchorDeleted);
    expect((await over.received()).some(({ anchorDeleted }) => anchorDeleted)).toBe(false);
  });

  it('continues after the API server was killed and lost its watch history, and after Temporal was killed', async () => {
    await watch();
    const job = await stage.startJob('outage');
    await job.addPods(2);
    await job.untilDigest('its pods are there', ({ roles }) => roles.worker?.unscheduled === 2);
    await stage.forgetPast();
    await restartComponent(stage.dir, 'kube-apiserver', 'kill');
    await job.setStatus(0, READY);
    await job.untilDigest('one is ready', ({ roles }) => roles.worker?.ready === 1);
    // Once at the start, and again after 410 Gone; a server that is still starting may say 410 more than once.
    const lists = logged.filter(({ msg, resource }) => msg === 'listed' && resource === 'v1/pods').length;
    expect(lists).toBeGreaterThan(1);
    const temporalBack = restartComponent(stage.dir, 'temporal', 'kill');
    await job.setStatus(1, READY);
    await job.setStatus(0, failed(ended('pytorch', 137, { reason: 'OOMKilled' })));
    await temporalBack;
    const last = await job.untilDigest('one failed', ({ failures }) => failures.length === 1);
    expect(last.roles.worker).toMatchObject({ ready: 1, failed: 1 });
    expect(revisionsGrow(await job.received())).toBe(true);
  });

  it('has objects of terminated workflows cleaned up, after a signal or a scan', async () => {
    const quiet = await stage.startJob('quiet');
    await quiet.workflow.terminate();
    await watch();
    const busy = await stage.startJob('busy');
    await busy.addPods(1);
    await busy.untilDigest('its pod is there', ({ attempt }) => attempt === 1);
    await busy.workflow.terminate();
    await busy.setStatus(0, READY);
    for (const job of [quiet, busy]) {
      const anchorName = anchorNameOf(job.name);
      const cleanUp = stage.temporal.workflow.getHandle(`orphan/default/${anchorName}/${job.uid}`);
      const result = await until(`${job.name} is cleaned up`, () => cleanUp.result().catch(() => undefined));
      expect(result).toEqual({
        namespace: 'default',
        anchorName,
        anchorUid: job.uid,
        clusterId: stage.home.clusterId,
        workflowId: job.workflowId,
      });
      await stage.annotate(job.name, 'signalbox.dev/phase', 'Stopped');
    }
  });

  it('is replaced at once by another one when it stops, and not before', async () => {
    const first = await watch({ identity: 'first' });
    await watch({ identity: 'second', lease: { durationMs: 60_000, renewMs: 20_000 } });
    expect(await holder()).toBe('first');
    await first.stop();
    await until('the second leads', async () => (await holder()) === 'second', 20_000);
    const job = await stage.startJob('relief');
    await job.addPods(1);
    await job.untilDigest('its pod is there', ({ attempt }) => attempt === 1);
  });

  it('stops when it loses its lease, and restarts when it has it again', async () => {
    await watch({ identity: 'robbed' });
    const job = await stage.startJob('robbed');
    await job.addPods(1);
    await job.untilDigest('its pod is there', ({ attempt }) => attempt === 1);
    const lease = await stage.cluster.get(LEASES, 'default', 'signalbox-watcher');
    const spec = { ...(lease.spec as object), holderIdentity: 'thief' };
    await until('the lease is stolen', () =>
      stage.cluster.patch(LEASES, { namespace: 'default', name: 'signalbox-watcher' }, { spec }),
    );
    await until('it no longer leads', async () => (await metrics.leader.get()).values[0]?.value === 0);
    const before = await job.received();
    await job.setAll(1, READY);
    expect(await holder()).toBe('thief');
    expect(await job.received()).toEqual(before);
    await job.untilDigest('its pod is ready', ({ roles }) => roles.worker?.ready === 1);
    expect(await holder()).toBe('robbed');
  });

  it('loses nothing when it is killed: neither changes nor a deleted anchor', async () => {
    const first = watchInProcess();
    const [job, lost] = await Promise.all([stage.startJob('killed'), stage.startJob('lost')]);
    await job.addPods(2);
    await job.untilDigest('its pods are there', ({ roles }) => roles.worker?.unscheduled === 2);
    first.kill('SIGKILL');
    await once(first, 'exit');
    await job.setAll(2, READY);
    await stage.cluster.delete(CONFIG_MAPS, 'default', anchorNameOf('lost'));
    watchInProcess();
    await job.untilDigest('both are ready', ({ roles }) => roles.worker?.ready === 2);
    await lost.untilDigest('its anchor is deleted', ({ anchorDeleted }) => anchorDeleted);
    expect(revisionsGrow(await job.received())).toBe(true);
  });
});
