import { expect, it } from '@jest/globals';
import type { Policy } from '../../../contracts/types.ts';

import { aDigest, aPlan } from '../builders.ts';
import { aRunWithEvidence } from '../machine-run.ts';
import type { PolicyParts } from '../policies.ts';

const FAILED = 'resnet-worker-0: exited with code 1 (Error)';
const RULE = 'spec.pytorchReplicaSpecs.Worker.restartPolicy: Never';

const aJob = (policy: PolicyParts<Policy> = {}) =>
  aRunWithEvidence(aPlan().workers(1, 'Never').policy(policy)).does('createAttempt');
const failed = () => aDigest(10).workers({ failed: 1 }).failure({ exitCode: 1 });

/** What the timeline says of the end. */
const saidOf = ({ status: { timeline } }: ReturnType<typeof aJob>) =>
  timeline.filter(({ phase }) => phase === 'Failed' || phase === 'Stopped').map(({ cause }) => cause);

it('the status says once why a job failed', () => {
  expect(saidOf(aJob().receives(failed()).captures().does('cleanUp'))).toEqual([
    `${FAILED}; ${RULE}; evidence is being collected`,
    'clean-up begins',
    'clean-up finished',
  ]);
});

it('the status says once why a job failed whose pods are held', () => {
  const run = aJob({ holdOnFailureMs: 60_000 }).receives(failed()).captures().reaches('hold');
  expect(saidOf(run)).toEqual([
    `${FAILED}; ${RULE}; evidence is being collected`,
    expect.stringMatching(/^the failed pods are kept until \S+$/),
    'clean-up begins',
  ]);
});

it('the status says what became of the evidence', () => {
  const run = aJob().receives(failed()).failsTo('capture', { reason: 'ClusterRefused', message: 'no' });
  expect(saidOf(run).at(-1)).toBe('evidence could not be collected: no');
});

it('the status says once what became of a checkpoint', () => {
  const run = aJob({ checkpoint: { file: '/tmp/checkpoint', withinMs: 600_000 } }).receives(
    aDigest(10).workers({ ready: 1 }),
  );
  expect(
    saidOf(
      run
        .stop('stopped by ana', { checkpoint: true })
        .receives(aDigest(11).workers({ ready: 1 }).acknowledged()),
    ),
  ).toEqual([
    expect.stringMatching(/^stopped by ana; waiting for a checkpoint until \S+$/),
    'a checkpoint was acknowledged',
  ]);
});
