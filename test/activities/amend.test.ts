import { expect, it } from '@jest/globals';
import { ApplicationFailure } from '@temporalio/common';
import { amend } from '../../activities/amend.ts';
import type { Dependencies } from '../../activities/support/dependencies.ts';
import { asFailure } from '../../activities/support/failures.ts';
import { aManifest } from '../frameworks/manifests.ts';

const manifest = aManifest().build();
const job = aManifest().job();
/** It asks nobody. */
const nothing = {} as Dependencies;

it('gives the job with what was changed', async () => {
  const { plan } = await amend(nothing, { manifest, job, replicas: { worker: 3 } });
  expect(plan.roles.map(({ replicas }) => replicas)).toEqual([1, 3]);
});

it('is not tried again with sizes that the job cannot have; the failure lists every fault', async () => {
  const failure = await amend(nothing, { manifest, job, replicas: { Worker: 0 } }).catch(asFailure);
  expect(failure).toBeInstanceOf(ApplicationFailure);
  expect(failure).toMatchObject({
    type: 'InvalidManifest',
    nonRetryable: true,
    details: [[{ path: 'spec.pytorchReplicaSpecs.Worker.replicas', expected: 'an integer >= 1', got: '0' }]],
  });
});
