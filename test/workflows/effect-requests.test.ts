import { beforeEach, describe, expect, it } from '@jest/globals';
import { ApplicationFailure } from '@temporalio/common';
import type { Effect } from '../../machines/model/effects.ts';
import { ANCHOR } from '../machines/builders.ts';
import { aManifest, anAdmission } from './admissions.ts';
import { CREATE, EffectStage, END, RESTORE } from './effect-stage.ts';
import { refusal } from './some-refusal.ts';

const invalid = ApplicationFailure.nonRetryable('spec is invalid', 'ClusterRefused');

let stage: EffectStage;

beforeEach(async () => {
  stage = await EffectStage.open();
});

describe('a large attempt', () => {
  beforeEach(async () => {
    stage.admission = anAdmission(aManifest({ worker: { replicas: 1_100 } }));
    await stage.run(CREATE);
  });

  const part = (from: number) =>
    stage.flow.activities.find(({ request }) => (request as { from: number }).from === from)!;

  it('is created by several activities with 500 pods each', async () => {
    const ranges = stage.flow.activities.map(({ request }) => request as { from: number; to: number });
    expect(ranges.map(({ from, to }) => [from, to])).toEqual([
      [0, 500],
      [500, 1_000],
      [1_000, 1_101],
    ]);
  });

  it('is done when all of them are, at the highest resource version', async () => {
    await part(500).completes({ resourceVersion: 30 });
    await part(0).completes({ resourceVersion: 20 });
    expect(stage.received).toEqual([]);
    await part(1_000).completes({ resourceVersion: 10 });
    expect(stage.received).toMatchObject([
      { type: 'effectDone', effect: 'createAttempt', resourceVersion: 30 },
    ]);
  });

  it('fails when one of them does, after the others have ended', async () => {
    const [first, second] = [part(0), part(500)];
    await part(1_000).fails(invalid);
    await first.confirmsCancellation();
    expect(stage.received).toEqual([]);
    await second.confirmsCancellation();
    expect(stage.answers).toEqual(['effectFailed createAttempt']);
  });

  it('is retried as a whole when one of them is refused', async () => {
    const [first, second] = [part(0), part(500)];
    await part(1_000).fails(refusal());
    await first.completes({ resourceVersion: 20 });
    await second.confirmsCancellation();
    await stage.flow.passes(1_000);
    expect(stage.flow.activities).toHaveLength(3);
    expect(stage.flow.activities[0]!.request).toMatchObject({ from: 0, again: true });
  });
});

describe('an effect', () => {
  const { number, sha256 } = anAdmission().revision;
  const job = { namespace: 'ml', name: 'resnet', number, sha256 };
  const target = { job, anchorUid: ANCHOR, clusterId: 'cluster-1' };
  const all = { from: 0, to: 3, attempt: 2, asGang: true, gang: 'none' };
  const cases: [Effect, string, object][] = [
    [{ type: 'createGroup', attempt: 2 }, 'createGroup', { gang: 'none', attempt: 2 }],
    [{ type: 'createAttempt', attempt: 2 }, 'createAttempt', { ...all, succeededIndices: {} }],
    [
      { type: 'launch', attempt: 2, roles: ['Worker'], succeededIndices: { worker: '0' } },
      'createAttempt',
      { ...all, to: 2, roles: ['Worker'], succeededIndices: { worker: '0' } },
    ],
    [{ type: 'publishHostList', attempt: 2, hash: 'a' }, 'publishHostList', { gang: 'none', attempt: 2 }],
    [{ type: 'capture', attempt: 2, pods: [] }, 'capture', { gang: 'none', attempt: 2, pods: [] }],
    [{ type: 'drain', attempt: 2, force: true }, 'drain', { gang: 'none', attempt: 2, force: true }],
    [RESTORE, 'restorePods', { gang: 'none', attempt: 1, replace: [], succeededIndices: {}, asGang: true }],
    [
      { type: 'scale', attempt: 2, succeededIndices: {}, asGang: false },
      'scale',
      { gang: 'none', attempt: 2, succeededIndices: {}, asGang: false },
    ],
    [{ type: 'requestCheckpoint', attempt: 2 }, 'requestCheckpoint', { gang: 'none', attempt: 2 }],
    [{ type: 'suspend', again: true }, 'suspend', { gang: 'none', again: true }],
    [
      { type: 'cleanUp', outcome: 'Stopped', scope: 'Everything', graceSeconds: 30 },
      'cleanUp',
      { gang: 'none', scope: 'Everything', graceSeconds: 30, record: END },
    ],
  ];

  it.each(cases)('becomes a request about the objects of the job: %j', async (effect, activity, request) => {
    await stage.run(effect);
    expect(stage.flow.activity(activity).request).toEqual(
      JSON.parse(JSON.stringify({ ...target, ...request })),
    );
  });
});
