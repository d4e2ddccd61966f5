import { afterEach, describe, expect, it } from '@jest/globals';
import pino from 'pino';
import { Reconciler } from '../../bridge/reconciler.ts';
import { ResourceStore } from '../../bridge/resource-store.ts';
import { WorkQueue, type WorkResult } from '../../bridge/work-queue.ts';
import { eventually } from '../eventually.ts';
import { diceOf } from '../simulation/dice.ts';
import { ModelProcess } from '../simulation/process.ts';
import { ModelTemporal } from '../simulation/temporal-server.ts';
import { HOME } from '../watcher/a-tracker.ts';
import { FaultyCluster } from '../watcher/faulty-cluster.ts';
import { trainingJob } from '../watcher/recorder-workflow.ts';
import { anAnchor, aResource } from './fixtures.ts';

const queueOf = (work: (key: string) => Promise<WorkResult>, most = 2) => {
  const stop = new AbortController();
  return { queue: new WorkQueue(work, { most, signal: stop.signal }), stop };
};

describe('the queue of resources', () => {
  it('works on a key once more if it changed meanwhile, and never twice at once', async () => {
    const open: (() => void)[] = [];
    const { queue } = queueOf(async () => {
      await new Promise<void>((resolve) => open.push(resolve));
      return 'done';
    });
    queue.add('a');
    queue.add('a');
    queue.add('a');
    expect(open).toHaveLength(1);
    open[0]!();
    await eventually('it runs again', () => open.length === 2);
    open[1]!();
    await eventually('nothing is left', () => queue.size === 0);
    expect(open).toHaveLength(2);
  });

  it('works on as many keys at once as it may', async () => {
    const begun: string[] = [];
    const open: (() => void)[] = [];
    const { queue } = queueOf(async (key) => {
      begun.push(key);
      await new Promise<void>((resolve) => open.push(resolve));
      return 'done';
    });
    for (const key of ['a', 'b', 'c']) queue.add(key);
    expect(begun).toEqual(['a', 'b']);
    open[0]!();
    await eventually('the third runs', () => begun.length === 3);
  });

  it('repeats later what an event is to add, and at once when one comes', async () => {
    const begun: string[] = [];
    const { queue, stop } = queueOf(async (key) => {
      begun.push(key);
      return key === 'awaited' ? 'unlessAdded' : 'later';
    });
    queue.add('awaited');
    queue.add('polled');
    await eventually('the other is repeated', () => begun.length === 3);
    expect(begun).toEqual(['awaited', 'polled', 'polled']);
    queue.add('awaited');
    expect(begun.at(-1)).toBe('awaited');
    stop.abort();
  });

  it('repeats what is not done, until it stops', async () => {
    let times = 0;
    const { queue, stop } = queueOf(async () => {
      times++;
      return times < 2 ? 'later' : 'done';
    });
    queue.add('a');
    await eventually('it is done', () => times === 2 && queue.size === 0);
    stop.abort();
    queue.add('a');
    expect(times).toBe(2);
  });
});

describe('a resource whose name another job has', () => {
  const cluster = new FaultyCluster();
  afterEach(() => cluster.close());

  it('is looked at again soon, unless an anchor shows when that job has gone', async () => {
    const temporal = new ModelTemporal({ trainingJob }, diceOf(1), () => undefined);
    temporal.start('job/ml/train', 'trainingJob', []);
    const { apiVersion, kind, namespace, name, uid } = aResource();
    cluster.apply('pytorchjobs', { apiVersion, kind, metadata: { namespace, name, uid } });
    const store = new ResourceStore();
    const reconciler = new Reconciler({
      ...{
        temporal: temporal.connect(new ModelProcess('watcher', 1)),
        cluster: cluster.client,
        home: HOME,
        store,
      },
      ...{ taskQueue: 'signalbox', takes: 'all', operators: () => [], log: pino({ level: 'silent' }) },
    });
    const look = async () => {
      const resourceVersion = String(cluster.resourceVersion);
      store.put(aResource({ resourceVersion, status: { phase: 'Pending' } }));
      let result: WorkResult | undefined;
      void reconciler.reconcile(uid).then((is) => (result = is));
      await eventually('it was looked at', async () => {
        for (const { run } of temporal.steps()) await run();
        for (const run of temporal.open()) if (run.hasWork) await run.task();
        return result;
      });
      return result;
    };
    expect(await look()).toBe('soon');
    store.putAnchor(anAnchor({ owner: undefined }));
    expect(await look()).toBe('later');
  });
});
