import { describe, expect, it } from '@jest/globals';
import type { Noticed } from '../../../contracts/digest.ts';
import { NOTICES } from '../../../contracts/timing.ts';
import type { Policy } from '../../../contracts/types.ts';
import { nextFarewellAt } from '../../../machines/nodes/lost-nodes.ts';
import { aDigest } from '../builders.ts';
import { START } from '../machine-run.ts';
import type { PolicyParts } from '../policies.ts';
import { allReady, gangJob, running, threePods } from '../three-pods.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const LEAVING = { verdict: 'Leaving', key: 'maintenance', source: 'GKE' } as const;

const withNodes = (nodes: PolicyParts<Policy>['nodes'], more: PolicyParts<Policy> = {}) =>
  threePods().policy({ nodes, restart: { ladder: [{ scope: 'gang' }] }, ...more });

const noticed = (resourceVersion: number, fields: Partial<Noticed> = {}) =>
  allReady(resourceVersion).noticed({ since: START, ...fields });

const SAVING = { checkpoint: { file: '/ckpt/now', withinMs: 3 * MINUTE } };

describe('a job leaves a node', () => {
  const leavesAt = (
    nodes: PolicyParts<Policy>['nodes'],
    fields: Partial<Noticed>,
    more: PolicyParts<Policy> = {},
  ) => nextFarewellAt(withNodes(nodes, more).context(aDigest().noticed({ since: 0, ...fields })));

  it.each<[string, PolicyParts<Policy>['nodes'], Partial<Noticed>, number | undefined]>([
    ['not without a word of its policy', {}, {}, undefined],
    ['not if that says tell', { onSick: 'tell' }, {}, undefined],
    ['not for a verdict that it says nothing of', { onLeaving: 'restart' }, {}, undefined],
    ['that has been sick for a while', { onSick: 'restart' }, {}, NOTICES.graceMs],
    ['that is repaired', { onSick: 'restart' }, { verdict: 'InRepair' }, NOTICES.graceMs],
    [
      'that goes away soon, at once',
      { onLeaving: 'restart' },
      { ...LEAVING, deadline: HOUR, isAssumed: true },
      0,
    ],
    ['that goes away, at once', { onLeaving: 'restart' }, LEAVING, 0],
    [
      'that goes away at a time, before it',
      { onLeaving: 'restart' },
      { ...LEAVING, deadline: HOUR },
      58 * MINUTE,
    ],
    ['that goes away in a moment, at once', { onLeaving: 'restart' }, { ...LEAVING, deadline: 1 }, 0],
  ])('%s', (_, nodes, fields, at) => expect(leavesAt(nodes, fields)).toBe(at));

  it('early enough for a checkpoint', () => {
    const fields = { ...LEAVING, deadline: HOUR };
    expect(leavesAt({ onLeaving: 'checkpoint' }, fields, SAVING)).toBe(55 * MINUTE);
  });
});

describe('a job on a sick node', () => {
  const RULE = 'signalbox.dev/policy nodes.onSick: restart';
  const sick = () => running(withNodes({ onSick: 'restart' })).receives(noticed(11));

  it('goes on for a while, and says until when', () => {
    const run = sick();
    expect([run.state, run.deadlines]).toEqual(['Running', { nodeLost: START + NOTICES.graceMs }]);
    expect(run.status.warnings[0]).toMatch(`the job leaves it at 2026-01-01T00:01:00Z: ${RULE}`);
  });

  it('goes on if the node is well before that', () => {
    expect(sick().receives(allReady(12)).deadlines).toEqual({});
  });

  it('then starts again elsewhere, at no cost', () => {
    const run = sick().reaches('nodeLost').captures();
    expect(run.state).toBe('Restarting.Draining');
    expect(run.status.timeline.at(-1)!.cause).toMatch(
      /goes elsewhere: node gpu-7 is sick: .*nodes.onSick: restart/,
    );
    expect(run.context.restarting!.survivors).toBeUndefined();
    run.does('drain').does('createAttempt', 20).receives(allReady(20, 2));
    expect([run.state, run.context.attempt, run.status.restarts]).toEqual(['Running', 2, 0]);
    expect(Object.keys(run.status.avoided!)).toEqual(['gpu-7']);
  });

  it('does so although its ladder is used up, and nothing may fail', () => {
    const nodes = { onSick: 'restart' } as const;
    const plan = withNodes(nodes, { restart: { ladder: [{ scope: 'gang', times: 1 }] } }).backoffLimit(0);
    const run = running(plan).receives(noticed(11)).reaches('nodeLost').captures();
    run.does('drain').does('createAttempt', 20).receives(allReady(20, 2));
    run.receives(allReady(21, 2).noticed({ node: 'gpu-8', since: START }));
    run.reaches('nodeLost').captures();
    expect(run.state).toBe('Restarting.Draining');
  });

  it('goes on if it recovers before anything is deleted, and its time begins again', () => {
    const run = sick().reaches('nodeLost').receives(allReady(12)).captures();
    expect([run.state, run.deadlines]).toEqual(['Running', {}]);
    run.receives(noticed(13, { since: START + HOUR }));
    expect([run.state, run.deadlines]).toEqual(['Running', { nodeLost: START + HOUR + NOTICES.graceMs }]);
  });

  it('stays if it cannot avoid the node, and says so', () => {
    const run = sick().reaches('nodeLost').captures().does('drain').does('createAttempt', 20);
    run.receives(allReady(20, 2).noticed({ since: START }));
    expect([run.state, run.deadlines]).toEqual(['Running', {}]);
    expect(run.status.warnings[0]).toMatch('the job goes on there: it is there although it avoids the node');
  });

  it('stays if it avoids as many nodes as it may', () => {
    const nodes = { onSick: 'restart', avoidAtMost: 1 } as const;
    const run = running(withNodes(nodes)).receives(noticed(11)).reaches('nodeLost').captures();
    run
      .does('drain')
      .does('createAttempt', 20)
      .receives(allReady(20, 2).noticed({ node: 'gpu-8', since: START }));
    expect(run.deadlines).toEqual({});
    expect(run.status.warnings[0]).toMatch(
      'it avoids 1 nodes already; signalbox.dev/policy nodes.avoidAtMost: 1',
    );
  });

  it('says without a policy which line of it would act', () => {
    const run = running(gangJob()).receives(noticed(11));
    expect(run.status.warnings[0]).toMatch(`the job goes on; with ${RULE} it would go on elsewhere`);
  });

  it('holds no pods that leave it for inspection', () => {
    const run = running(withNodes({ onSick: 'restart' }, { holdOnFailureMs: HOUR })).receives(noticed(11));
    expect(run.reaches('nodeLost').captures().state).toBe('Restarting.Draining');
  });
});

describe('a job that saves before it leaves a node', () => {
  const leaving = (fields: Partial<Noticed> = {}) =>
    running(withNodes({ onLeaving: 'checkpoint' }, SAVING)).receives(noticed(11, { ...LEAVING, ...fields }));

  it('asks for a checkpoint first, and leaves when that is written', () => {
    const run = leaving().reaches('nodeLost');
    expect(run.state).toBe('Restarting.Checkpointing');
    expect(run.status.cause).toMatchObject({ reason: 'NodeLeaving' });
    expect(run.status.cause!.message).toMatch(/^node gpu-7 goes away: .*; waiting for a checkpoint until/);
    run.receives(noticed(12, LEAVING).acknowledged()).captures();
    expect(run.state).toBe('Restarting.Draining');
    expect(run.status.timeline.at(-1)!.cause).toMatch('a checkpoint was acknowledged');
  });

  it('leaves without one when its time is over', () => {
    const run = leaving().reaches('nodeLost');
    expect(run.deadlines).toEqual({ checkpoint: run.context.at + 3 * MINUTE });
    run.reaches('checkpoint').captures();
    expect(run.state).toBe('Restarting.Draining');
    expect(run.status.timeline.at(-1)!.cause).toMatch('no checkpoint was acknowledged until');
  });

  it('waits no longer than the node stays', () => {
    const run = leaving({ deadline: START + 2 * MINUTE, isAssumed: true }).reaches('nodeLost');
    expect(run.deadlines.checkpoint).toBe(Math.max(run.context.at, START + 90_000));
  });
});
