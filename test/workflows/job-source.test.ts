import { describe, expect, it } from '@jest/globals';
import { sourceOfRevision } from '../../workflows/job-source.ts';

type Revisions = Parameters<typeof sourceOfRevision>[0];

/** A revision of a job with this many workers. */
const aRevision = (number: number, replicas: number, policy?: string) =>
  ({
    plan: { roles: [{ name: 'Worker', replicas }] },
    revision: { number, sha256: '', warnings: [], policy },
  }) as never as Revisions['newest'];

const first = aRevision(1, 4);
const second = aRevision(2, 7, 'restart: {}');

describe('the source of a revision', () => {
  it('is the manifest as submitted while there is no other', () => {
    expect(sourceOfRevision({ newest: first, present: first }, 1)).toEqual({ revision: 1 });
  });

  // The machine still goes by the first one, and its activities create pods by it.
  it('says the sizes of the first one, too, once another manifest was applied', () => {
    const source = sourceOfRevision({ newest: second, present: first }, 1);
    expect(source).toEqual({ revision: 1, amended: { replicas: { Worker: 4 } } });
  });

  it.each([[undefined], [2], [9]])('is by default that of the newest: asked for %s', (number) => {
    expect(sourceOfRevision({ newest: second, present: first }, number)).toEqual({
      revision: 2,
      amended: { replicas: { Worker: 7 }, policy: 'restart: {}' },
    });
  });
});
