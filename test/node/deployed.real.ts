import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { Installer } from '../deploy/installers.ts';
import { NAMESPACE } from '../deploy/manifests.ts';
import { eventually } from '../eventually.ts';
import { renewed, untilRestarted } from '../scenarios/attempts.ts';
import { deletion, eviction } from '../scenarios/disruptions.ts';
import { deployEngine, enginePods, removeEngine, untilReady } from './engine-deployment.ts';
import { describeOnNodes, openRealStage, type RealStage } from './stage.ts';

/** The engine in the cluster: its image, its Deployments, its probes, and no rights but those of its accounts. */

/** Its budget lets nobody go before another one is ready. */
const PATIENTLY = { withinMs: 120_000, everyMs: 1_000 };

describeOnNodes('the engine of the chart on real nodes', () => {
  let stage: RealStage;
  let helm: Installer;

  beforeAll(async () => {
    stage = await openRealStage();
    helm = await deployEngine(stage);
  }, 600_000);

  afterAll(async () => {
    await removeEngine(stage);
    await stage.close();
  });

  /** Trains until the test says that it is done. */
  const begin = (name: string) => {
    const script = `until [ -e /out/${name} ]; do sleep 0.2; done`;
    return stage.running({ name, master: { script }, worker: { script }, restartPolicy: 'OnFailure' });
  };

  const trained = (name: string) => writeFile(join(stage.out, name), '');

  it('has two workers and two watchers, on different nodes', async () => {
    const pods = await enginePods(stage);
    const placed = pods.map(
      ({ metadata, spec }) => `${metadata.labels?.['app.kubernetes.io/component']} ${spec.nodeName}`,
    );
    expect(placed.sort()).toEqual(['watcher node-1', 'watcher node-2', 'worker node-1', 'worker node-2']);
  });

  it('passes the tests of its release: doctor, as worker and watcher see it', async () => {
    const output = await helm('test', 'signalbox', '-n', NAMESPACE, '--logs');
    expect(output.match(/Phase: +Succeeded/g)).toHaveLength(2);
    // Temporal remembers workers that have ended: other tests have run some before.
    expect(output).toMatch(/\d+ workers poll the task queue signalbox/);
    expect(output).toMatch(/this account has those of a worker/);
    expect(output).toMatch(/this account has those of a watcher/);
    expect(output).toMatch(/leads \(lease signalbox-system\/signalbox-watcher\)/);
    expect(output).toMatch(/jobs are forgotten when the retention time/);
  });

  it('runs a job to its end, and removes its objects', async () => {
    const job = await begin('trains');
    await trained('trains');
    expect(await job.wait()).toMatchObject({ phase: 'Completed', restarts: 0 });
    await eventually('its pods are gone', async () => (await stage.pods('trains')).length === 0);
  });

  it('has the last log lines of a failed pod', async () => {
    const script = 'echo broken shard 7 > /dev/termination-log; exit 3';
    const job = await stage.submit({ name: 'fails', master: { script } });
    const { phase, evidence } = await job.wait();
    expect(phase).toBe('Failed');
    expect(evidence).toMatchObject([
      { pod: 'fails-master-0', exitCode: 3, message: expect.stringContaining('broken shard 7') },
    ]);
    expect(evidence?.[0]).not.toHaveProperty('incomplete');
  });

  it('continues its jobs when its own pods are evicted, one after the other', async () => {
    const job = await begin('goes-on');
    const before = await enginePods(stage);
    for (const { metadata } of before) {
      await eventually(
        `${metadata.name} may go`,
        async () => {
          await eviction({ ...stage, namespace: NAMESPACE }, metadata.name);
          return true;
        },
        PATIENTLY,
      );
    }
    await eventually('others are in their place', async () => {
      const after = await enginePods(stage);
      return after.length === before.length && renewed(before, after).length === before.length;
    });
    await untilReady(stage);
    await deletion(stage, 'goes-on-worker-0');
    await untilRestarted(job, 1);
    await trained('goes-on');
    expect(await job.wait()).toMatchObject({ phase: 'Completed', restarts: 1 });
  });

  it('lacked no permission', async () => {
    for (const { metadata } of await enginePods(stage)) {
      let log = '';
      for await (const chunk of await stage.cluster.log(NAMESPACE, metadata.name)) log += chunk;
      expect(log).toContain('"level"');
      expect(log).not.toMatch(/forbidden/i);
    }
  });
});
