import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import type { DigestQueue } from '../../../watcher/digest/digest-queue.ts';
import { Lanes } from '../../../watcher/digest/lanes.ts';
import { SignalHealth } from '../../../watcher/digest/signal-health.ts';
import { UnconfirmedError } from '../../../watcher/digest/signal-workflow.ts';
import type { JobStore } from '../../../watcher/store/job-store.ts';
import { eventually } from '../../eventually.ts';
import { aTracker } from '../a-tracker.ts';
import { anAnchor, aPod, READY } from '../fixtures.ts';

const TIMEOUT_MS = 10_000;

describe('jobs whose signals fail', () => {
  let store: JobStore;
  let queue: DigestQueue;
  /** Names of the anchors of signals, with the time. */
  let tried: { readonly job: string; readonly at: number }[];
  let results: string[];
  let isTemporalAway: boolean;
  let resourceVersion: number;

  const wait = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

  beforeEach(() => {
    jest.useFakeTimers();
    [tried, results, isTemporalAway, resourceVersion] = [[], [], false, 1];
    const tracker = aTracker({
      send: async ({ name }) => {
        const job = name.replace('.signalbox', '');
        tried.push({ job, at: Date.now() });
        if (job.startsWith('new')) throw new UnconfirmedError('no anchor yet');
        if (!job.startsWith('bad') && !isTemporalAway) return 'delivered';
        await wait(TIMEOUT_MS);
        throw new Error('DEADLINE_EXCEEDED');
      },
    });
    ({ jobs: store, queue } = tracker);
    queue.on('result', (_, { is }) => results.push(is));
    tracker.start();
  });

  afterEach(async () => {
    const stopping = queue.stop();
    await jest.advanceTimersByTimeAsync(2 * TIMEOUT_MS);
    await stopping;
    jest.useRealTimers();
  });

  const pass = (ms: number) => jest.advanceTimersByTimeAsync(ms);
  const triesOf = (job: string) => tried.filter((one) => one.job === job).map(({ at }) => at);

  function add(job: string): void {
    store
      .anchorsIn()
      .changed(anAnchor({ job, uid: job, milestones: '1', phase: 'Running' }), resourceVersion++);
    change(job);
  }

  /** Something that its workflow must know at once. */
  function change(job: string): void {
    const uid = `pod-${resourceVersion}`;
    const pod = aPod({ job, owner: job, uid, index: resourceVersion, status: READY });
    store.podsIn().changed(pod, resourceVersion++);
  }

  it('do not delay the digests of others, though they are a hundred', async () => {
    add('good');
    await pass(5_000);
    for (let index = 0; index < 100; index++) add(`bad-${index}`);
    for (let second = 0; second < 60; second++) {
      await pass(2_000);
      const before = triesOf('good').length;
      change('good');
      await pass(1_000);
      expect(triesOf('good').length).toBeGreaterThan(before);
    }
  });

  it('do not delay the first digest of a new job by more than their own first one', async () => {
    for (let index = 0; index < 100; index++) add(`bad-${index}`);
    await pass(5 * TIMEOUT_MS);
    add('good');
    await pass(0);
    expect(triesOf('good')).toHaveLength(1);
  });

  it('are retried less and less often, up to once in some minutes', async () => {
    add('bad');
    for (let minute = 0; minute < 60; minute++) {
      add(`good-${minute}`);
      await pass(60_000);
    }
    const tries = triesOf('bad');
    expect(tries.length).toBeGreaterThan(10);
    expect(tries.length).toBeLessThan(45);
  });

  it('are retried every few seconds if all others fail, too: Temporal is unavailable', async () => {
    isTemporalAway = true;
    for (const job of ['a', 'b', 'c']) add(job);
    await pass(600_000);
    isTemporalAway = false;
    await pass(30_000);
    expect(queue.failing).toBe(0);
    expect(results.filter((result) => result === 'delivered')).toHaveLength(3);
  });

  it('are dropped once their anchor is gone, and are counted until then', async () => {
    add('bad');
    await pass(20_000);
    expect(queue.failing).toBe(1);
    store.anchorsIn().deleted(anAnchor({ job: 'bad', uid: 'bad' }), resourceVersion++);
    for (let minute = 0; minute < 40; minute++) {
      queue.answered();
      await pass(60_000);
    }
    expect(results.at(-1)).toBe('givenUp');
    expect(queue.failing).toBe(0);
    const tries = tried.length;
    queue.answered();
    await pass(3_600_000);
    expect(tried).toHaveLength(tries);
  });

  it('are not dropped while Temporal is unavailable', async () => {
    isTemporalAway = true;
    add('good');
    await pass(1_000);
    store.anchorsIn().deleted(anAnchor({ job: 'good', uid: 'good' }), resourceVersion++);
    await pass(3_600_000);
    expect(results).not.toContain('givenUp');
    isTemporalAway = false;
    await pass(30_000);
    expect(results.at(-1)).toBe('delivered');
  });

  it('are retried soon if their workflow has only just begun', async () => {
    add('new');
    for (let second = 0; second < 60; second++) {
      queue.answered();
      await pass(10_000);
    }
    const tries = triesOf('new');
    expect(tries.at(-1)! - tries.at(-2)!).toBeLessThanOrEqual(15_000);
  });
});

describe('lanes', () => {
  it('leave room for healthy jobs, and for new ones', () => {
    const lanes = new Lanes<string>(10);
    const begun: string[] = [];
    for (const lane of ['failing', 'new', 'known'] as const) {
      for (let index = 0; index < 10; index++) lanes.add(lane, `${lane}-${index}`);
    }
    for (let next = lanes.take(); next; next = lanes.take()) {
      lanes.begun(next.lane);
      begun.push(next.lane);
    }
    expect(
      Object.fromEntries([...Map.groupBy(begun, (lane) => lane)].map(([lane, all]) => [lane, all.length])),
    ).toEqual({
      known: 8,
      new: 2,
    });
    lanes.ended('new');
    expect(lanes.take()?.item).toBe('new-2');
  });

  it('give failing jobs a fifth at most', () => {
    const lanes = new Lanes<number>(50);
    for (let index = 0; index < 100; index++) lanes.add('failing', index);
    let begun = 0;
    for (; lanes.take(); begun++) lanes.begun('failing');
    expect(begun).toBe(10);
  });
});

describe('readiness', () => {
  const leadership = new AbortController();

  it('does not depend on one job whose signals fail', async () => {
    const reported: unknown[] = [];
    const report = (trouble: unknown) => void reported.push(trouble);
    const health = new SignalHealth({ probe: async () => undefined, report }, leadership.signal);
    health.failed();
    health.failed();
    await eventually('it is probed', () => reported.length > 0, { everyMs: 5 });
    expect(reported).toEqual([undefined]);
  });

  it('is lost while Temporal accepts no signals, and comes back by itself', async () => {
    const reported: unknown[] = [];
    let tries = 0;
    const probe = async () => {
      await delay(1);
      if (++tries < 3) throw new Error('no connection');
    };
    const report = (trouble: unknown) => void reported.push(trouble);
    new SignalHealth({ probe, report }, leadership.signal).failed();
    await eventually('it is back', () => reported.at(-1) === undefined && reported.length > 0, {
      everyMs: 5,
    });
    expect(reported).toEqual([new Error('no connection'), new Error('no connection'), undefined]);
  });
});
