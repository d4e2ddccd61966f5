import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { roleKey } from '../../contracts/roles.ts';
import { aDigest, aPlan } from './builders.ts';
import { aRunWithEvidence } from './machine-run.ts';

/** What every object has: a mapping of roles seems to have a role of that name. */
const OF_EVERY_OBJECT = Object.getOwnPropertyNames(Object.prototype).filter((name) => /^[a-z]+$/i.test(name));

const names = fc.oneof(
  fc.constantFrom(...OF_EVERY_OBJECT),
  fc.stringMatching(/^[a-z]([-a-z0-9]{0,8}[a-z0-9])?$/).filter((name) => name !== 'master'),
);

/** From the start over a failure, a restart of the gang and another of a pod to the end, with a role of this name. */
function lifeOf(name: string) {
  const key = roleKey(name);
  const plan = aPlan()
    .master()
    .role({ name, replicas: 2, restartPolicy: 'OnFailure' })
    .policy({ restart: { ladder: [{ scope: 'gang', times: 1 }, { scope: 'pod' }] } });
  const seen = (resourceVersion: number, attempt: number, counts: Parameters<DigestOf['role']>[1]) =>
    aDigest(resourceVersion).attempt(attempt).master({ ready: 1 }).role(key, counts);
  const failed = (resourceVersion: number, attempt: number) =>
    seen(resourceVersion, attempt, { ready: 1, failed: 1 }).failure({
      ...{ role: key, pod: 'failed', uid: `u${attempt}`, index: 1, exitCode: 1 },
    });
  const run = aRunWithEvidence(plan).does('createAttempt', 10);
  const counts = [run.receives(aDigest(5).master({ ready: 1 })).status.replicaStatuses[name]];
  run
    .receives(seen(11, 1, { ready: 2 }))
    .receives(failed(12, 1))
    .captures()
    .does('drain');
  counts.push(run.does('createAttempt', 20).receives(seen(20, 2, { ready: 2 })).status.replicaStatuses[name]);
  run.receives(failed(21, 2)).captures();
  run.receives(seen(22, 2, { ready: 1, succeeded: 1 }));
  counts.push(run.status.replicaStatuses[name]);
  return { states: run.states, counts: counts.map((count) => ({ ...count, selector: undefined })) };
}

type DigestOf = ReturnType<typeof aDigest>;

describe('a role', () => {
  it('lives as any other, whatever its name', () => {
    const usual = lifeOf('worker');
    expect(usual.states).toContain('Restarting.Draining');
    expect(usual.counts[1]).toMatchObject({ active: 2 });
    fc.assert(fc.property(names, (name) => expect(lifeOf(name)).toEqual(usual)));
  });
});
