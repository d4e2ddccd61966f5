import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { unlessNotFound } from '../../cluster/errors.ts';
import { readManifest } from '../comparison/case.ts';
import { attemptsOf, renewed, untilAttempt } from './attempts.ts';
import { type Manifest, onSimulatedNodes, withPolicy } from './manifests.ts';
import { openStage, type Stage, untilPhase } from './stage.ts';

/** A gang starts again in the same way for jobs of all kinds. */

let stage: Stage;

beforeAll(async () => {
  stage = await openStage({ sharesEngine: true });
});

afterAll(() => stage.close());

/** The manifest, and the pod that fails; most kinds take some failures of some roles otherwise without a policy. */
const KINDS: readonly (readonly [manifest: string, pod: string])[] = [
  ['pytorch-ddp', 'worker-0'],
  ['tf-chief-ps', 'worker-1'],
  ['xgboost', 'master-0'],
  ['paddle-collective', 'worker-1'],
  ['paddle-ps', 'worker-0'],
  ['jax', 'worker-0'],
  ['mpi-v1', 'launcher'],
  ['mpi-v2-openmpi', 'launcher'],
  ['mpi-v2-wait-for-workers', 'launcher'],
  ['paddlejob-collective-v0.3.0', 'worker-1'],
  ['paddlejob-ps-v0.3.0', 'ps-1'],
];

const POLICY = {
  restart: { ladder: [{ scope: 'gang' }], backOff: { initial: '0s' } },
  failures: { classes: { userCode: { budget: 1 } } },
};

describe.each(KINDS)('a gang of %s', (from, pod) => {
  const name = `again-${from.replaceAll('.', '-')}`.slice(0, 25).replace(/-$/, '');

  it.concurrent(`restarts when its ${pod} fails, and completes as attempt 2`, async () => {
    const { metadata: _, ...manifest } = readManifest(from) as Manifest;
    const named = { ...manifest, metadata: { name, namespace: stage.namespace } };
    const job = await stage.client.submit(withPolicy(onSimulatedNodes(named), POLICY));
    await untilPhase(job, 'Running');
    const before = await stage.pods(name);
    await stage.endPod(`${name}-${pod}`, { exitCode: 1 });
    const status = await untilAttempt(job, 2);
    const after = await stage.pods(name);
    expect(renewed(before, after)).toEqual(before.map(({ metadata }) => metadata.name).sort());
    expect(attemptsOf(after)).toEqual(['2, env 2']);
    expect(status.budgets).toEqual({ userCode: { used: 1, allowed: 1 } });
    for (const { metadata } of after)
      await stage.endPod(metadata.name, { exitCode: 0 }).catch(unlessNotFound);
    expect(await job.wait()).toMatchObject({ phase: 'Completed', attempt: 2, restarts: 1 });
  });
});
