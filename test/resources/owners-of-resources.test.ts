import { describe, expect, it } from '@jest/globals';
import type { KubeObject } from '../../contracts/kubernetes.ts';
import { anchorUidOf, isOwnedBy } from '../../contracts/objects.ts';
import type { TrainingJob } from '../../contracts/training-job.ts';
import { renderAnchor } from '../../resources/anchor.ts';
import { renderAttempt } from '../../resources/attempt.ts';
import { CASES, readCase } from '../comparison/case.ts';

/** What a custom resource makes is what `submit` makes, but for owners. */

const ANCHOR = 'uid-of-anchor';
const IDENTITY = { workflowId: 'w', firstRunId: 'r', installation: 'i' };

const objectsOf = (job: TrainingJob): readonly KubeObject[] => {
  const options = { gang: 'none', asGang: true } as const;
  const { shared, services, pods } = renderAttempt(job, { number: 1, anchorUid: ANCHOR }, options);
  return [...shared, ...services, ...pods];
};

const withoutOwners = ({ metadata: { ownerReferences: _, ...metadata }, ...object }: KubeObject) => ({
  ...object,
  metadata,
});

describe.each(CASES)('the objects of %s', (name) => {
  const { job } = readCase(name);
  const { apiVersion, kind } = job;
  const ofResource = { ...job, resource: { apiVersion, kind, uid: 'uid-of-resource', generation: 3 } };

  it('are the same for a custom resource, which is their controller', () => {
    const submitted = objectsOf(job);
    const applied = objectsOf(ofResource);
    expect(applied.map(withoutOwners)).toEqual(submitted.map(withoutOwners));
    for (const object of applied) {
      const controllers = object.metadata.ownerReferences!.filter(({ controller }) => controller);
      expect(controllers).toEqual([expect.objectContaining({ apiVersion, kind, uid: 'uid-of-resource' })]);
      expect(anchorUidOf(object)).toBe(ANCHOR);
    }
    for (const object of submitted) {
      expect(object.metadata.ownerReferences).toEqual([
        expect.objectContaining({ kind: 'ConfigMap', uid: ANCHOR, controller: true }),
      ]);
    }
  });

  it('include an anchor, which only a custom resource owns', () => {
    const anchor = renderAnchor(ofResource, IDENTITY, 'none');
    expect(isOwnedBy(anchor, 'uid-of-resource')).toBe(true);
    expect(anchor.metadata.annotations).toMatchObject({ 'signalbox.dev/generation': '3' });
    const submitted = renderAnchor(job, IDENTITY, 'none');
    expect(submitted.metadata.ownerReferences).toBeUndefined();
  });
});
