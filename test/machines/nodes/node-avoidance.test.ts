import { describe, expect, it } from '@jest/globals';
import { avoidedUntil, nodesToAvoid, withAvoided } from '../../../machines/nodes/node-avoidance.ts';
import { aDigest, type PlanBuilder } from '../builders.ts';
import { START } from '../machine-run.ts';
import { allReady, oneFailed, running, startsAgain, threePods, withLadder } from '../three-pods.ts';

const HOUR = 3_600_000;
const context = (nodes: object, avoided?: readonly { node: string; until: number }[], at = 0) => ({
  ...threePods().policy({ nodes }).context(),
  avoided,
  at,
});

describe('the avoided nodes of a job', () => {
  const known = [
    { node: 'a', until: 2 * HOUR },
    { node: 'b', until: 3 * HOUR },
  ];

  it('are avoided for an hour, or the time of the policy', () => {
    expect(withAvoided(context({}), ['a'])).toEqual([{ node: 'a', until: HOUR }]);
    expect(withAvoided(context({ avoidForMs: 5 }, undefined, 1), ['a'])).toEqual([{ node: 'a', until: 6 }]);
  });

  it('are the latest first, each once, with a renewed time', () => {
    const avoided = withAvoided(context({ avoidForMs: 4 * HOUR }, known), ['b', 'c', 'c']);
    expect(avoided).toEqual([
      { node: 'b', until: 4 * HOUR },
      { node: 'c', until: 4 * HOUR },
      { node: 'a', until: 2 * HOUR },
    ]);
  });

  it('are limited by the policy: the oldest are dropped', () => {
    const names = withAvoided(context({ avoidAtMost: 2 }, known), ['c'])?.map(({ node }) => node);
    expect(names).toEqual(['c', 'a']);
    expect(withAvoided(context({ avoidAtMost: 0 }), ['c'])).toEqual([]);
  });

  it('are dropped when their time has expired', () => {
    expect(nodesToAvoid(context({}, known, 2 * HOUR - 1))).toEqual(known);
    expect(nodesToAvoid(context({}, known, 2 * HOUR))).toEqual([{ node: 'b', until: 3 * HOUR }]);
    expect(nodesToAvoid(context({}, known, 3 * HOUR))).toBeUndefined();
    expect(withAvoided(context({}, known, 2 * HOUR), ['c'])?.map(({ node }) => node)).toEqual(['c', 'b']);
  });

  it('are shown with the end of their avoidance', () => {
    expect(avoidedUntil(context({}, [{ node: 'a', until: START }]))).toEqual({ a: '2026-01-01T00:00:00Z' });
    expect(avoidedUntil(context({}, [{ node: 'a', until: START }], START))).toBeUndefined();
  });

  it('do not change if no node is to blame', () => {
    const one = context({}, known);
    expect(withAvoided(one, [])).toBe(known);
  });
});

/** About when the runs here restart. */
const anHourFrom = (node: string) => ({ node, until: START + HOUR + 4_000 });

describe('a restart', () => {
  const evicted = { reason: 'Evicted', exitCode: undefined, node: 'node-1' };
  const crashed = { exitCode: 1, node: 'node-1' };
  const avoiding = (plan: PlanBuilder) => plan.policy({ nodes: { avoidForMs: HOUR } });

  const table: readonly [
    says: string,
    plan: PlanBuilder,
    failure: object,
    avoid: readonly string[] | undefined,
  ][] = [
    ['of pods avoids nothing by default', withLadder({ scope: 'pod' }), evicted, undefined],
    ['of pods avoids a node that is to blame', avoiding(withLadder({ scope: 'pod' })), evicted, ['node-1']],
    ['of pods does not avoid where a program failed', avoiding(withLadder({ scope: 'pod' })), crashed, undefined], // biome-ignore format: one line
    ['of roles avoids a node that is to blame', avoiding(withLadder({ scope: 'role' })), evicted, ['node-1']],
  ];
  it.each(table)('%s', (_, plan, failure, avoid) => {
    expect(running(plan).receives(oneFailed(11, failure)).captures().effects).toMatchObject([
      { type: 'restorePods', avoid: avoid?.map(anHourFrom) },
    ]);
  });

  const gangs: typeof table = [
    ['of the gang avoids nothing by default', withLadder({ scope: 'gang' }), evicted, undefined],
    ['of the gang avoids a node that is to blame', avoiding(withLadder({ scope: 'gang' })), evicted, ['node-1']], // biome-ignore format: one line
    ['of the gang does not avoid where a program failed', avoiding(withLadder({ scope: 'gang' })), crashed, undefined], // biome-ignore format: one line
    ['elsewhere avoids also where a program failed', withLadder({ scope: 'gangElsewhere' }), crashed, ['node-1']], // biome-ignore format: one line
  ];
  it.each(gangs)('%s', (_, plan, failure, avoid) => {
    const run = running(plan).receives(oneFailed(11, failure)).captures().does('drain');
    expect(run.effects).toEqual([{ type: 'createAttempt', attempt: 2, avoid: avoid?.map(anHourFrom) }]);
  });

  it('elsewhere avoids every node with a failure since the ladder began', () => {
    const run = running(withLadder({ scope: 'gang', times: 1 }, { scope: 'gangElsewhere' }));
    startsAgain(run.receives(oneFailed(11, { node: 'node-1' })).captures(), 30);
    run
      .receives(oneFailed(31, { node: 'node-2' }, 2))
      .captures()
      .reaches('backOff')
      .does('drain');
    expect(run.effects).toMatchObject([{ avoid: [{ node: 'node-2' }, { node: 'node-1' }] }]);
  });

  it('after its time no longer avoids a node', () => {
    const run = running(avoiding(withLadder({ scope: 'pod' })))
      .receives(oneFailed(11, evicted))
      .captures();
    run.does('restorePods', 20).receives(allReady(20)).waits(3600);
    run.receives(aDigest(21).master({ ready: 1 }).workers({ ready: 1 }));
    expect(run.effects).toMatchObject([{ type: 'restorePods', avoid: undefined }]);
  });

  it('shows the avoided nodes in the status, while they are avoided', () => {
    const run = running(withLadder({ scope: 'gangElsewhere' }))
      .receives(oneFailed(11, crashed))
      .captures();
    expect(run.status.avoided).toEqual({ 'node-1': '2026-01-01T01:00:04Z' });
    startsAgain(run, 30).waits(3600).receives(allReady(31, 2));
    expect(run.status).not.toHaveProperty('avoided');
  });

  it('after a suspension still avoids it', () => {
    const run = running(withLadder({ scope: 'gangElsewhere' }))
      .receives(oneFailed(11, crashed))
      .captures();
    run.suspend().does('suspend').resume();
    expect(run.effects).toEqual([{ type: 'createAttempt', attempt: 2, avoid: [anHourFrom('node-1')] }]);
  });
});

describe('a node that is no longer avoided', () => {
  const plan = () => withLadder({ scope: 'pod' }).policy({ nodes: { avoidForMs: HOUR } });
  const evicted = { reason: 'Evicted', exitCode: undefined, node: 'node-1' };
  const until = anHourFrom('node-1').until;
  /** The pod that was made again waits for a node, and keeps away from one. */
  const waits = (resourceVersion: number) =>
    aDigest(resourceVersion).master({ ready: 1 }).workers({ ready: 1, unscheduled: 1 }).avoidsUntil(until);
  const waiting = () =>
    running(plan()).receives(oneFailed(11, evicted)).captures().does('restorePods', 20).receives(waits(20));

  it('causes the replacement of waiting pods, at no cost, with a message', () => {
    const run = waiting();
    expect(run.state).toBe('Pending.Scheduling');
    expect(run.deadlines.avoidance).toBe(until);
    const { restarts } = run.status;
    run.reaches('avoidance');
    const again = { type: 'restorePods', replace: [], avoid: undefined, avoidedUntil: until };
    expect(run.effects).toMatchObject([again]);
    expect(run.status).toMatchObject({ phase: 'Restarting', restarts });
    expect(run.lastCause).toBe(
      'node-1 is no longer avoided: waiting pods are recreated so that they can be placed there',
    );
    expect(run.status.cause).toMatchObject({ reason: 'ReplacingPods', message: run.lastCause });
    run.does('restorePods', 30).receives(allReady(30));
    expect(run.status.phase).toBe('Running');
    expect(run.deadlines.avoidance).toBeUndefined();
  });

  it('causes their replacement also if they were created after the time had expired', () => {
    const run = waiting().receives(aDigest(21).master({ ready: 1 }).workers({ ready: 1, unscheduled: 1 }));
    expect(run.deadlines.avoidance).toBeUndefined();
    const { effects } = run.waits(2 * 3600).receives(waits(22));
    expect(effects).toMatchObject([{ type: 'restorePods', avoidedUntil: run.time }]);
  });

  it('changes nothing for scheduled pods, or for a suspended job', () => {
    expect(waiting().receives(allReady(21)).deadlines.avoidance).toBeUndefined();
    const run = waiting().suspend();
    expect(run.deadlines).not.toHaveProperty('avoidance');
  });
});
