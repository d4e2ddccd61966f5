import { describe, expect, it } from '@jest/globals';
import type { Logger } from 'pino';
import type { ClusterClient } from '../../../cluster/client.ts';
import type { PodSpec } from '../../../contracts/kubernetes.ts';
import type { Gang } from '../../../queue/gang.ts';
import { GatedClaims } from '../../../watcher/gated/gated-claims.ts';
import { type Answers, readingOf } from '../../client/use-cases/why/answering-cluster.ts';

/** The claims of gated gangs, as the leading watcher reads them. */

const CLAIM = '/api/v1/namespaces/ml/persistentvolumeclaims/data';
const VOLUME = '/api/v1/persistentvolumes/v';
const terms = [{ matchExpressions: [{ key: 'zone', operator: 'In', values: ['a'] }] }];
const BOUND: Answers = {
  [CLAIM]: { metadata: { name: 'data' }, spec: { volumeName: 'v' }, status: { phase: 'Bound' } },
  [VOLUME]: { metadata: {}, spec: { nodeAffinity: { required: { nodeSelectorTerms: terms } } } },
};

function gangOf(uid: string, ...claims: string[]): Gang {
  const volumes = claims.map((claimName) => ({ name: claimName, persistentVolumeClaim: { claimName } }));
  const spec: PodSpec = {
    containers: [],
    volumes: [{ name: 'other', secret: { secretName: 's' } }, ...volumes],
  };
  const held = [0, 1].map(() => ({ role: 'worker', spec, isCreated: true }));
  return { uid, namespace: 'ml', held } as unknown as Gang;
}

function claimsIn(cluster: ClusterClient) {
  const warnings: string[] = [];
  const log = { warn: (text: string) => warnings.push(text) } as unknown as Logger;
  return { claims: new GatedClaims(cluster, log), warnings };
}

describe('claims of gated gangs', () => {
  it('are read once for all that mount them, and not again at the next decision', async () => {
    const { reading, sent } = readingOf(BOUND);
    const { claims, warnings } = claimsIn(reading.cluster);
    for (const _ of [1, 2]) {
      const read = await claims.read([gangOf('a', 'data'), gangOf('b', 'data'), gangOf('c')]);
      expect([...read.keys()]).toEqual(['a', 'b']);
      expect(read.get('b')).toEqual({ places: new Map([['data', terms]]), missing: [], pending: [] });
    }
    expect(sent).toEqual([`GET ${CLAIM}`, `GET ${VOLUME}`]);
    expect(warnings).toEqual([]);
  });

  it('that do not exist are named as the pods name them', async () => {
    const { claims } = claimsIn(readingOf({}).reading.cluster);
    const read = await claims.read([gangOf('a', 'data')]);
    expect(read.get('a')?.missing).toEqual([
      { kind: 'PersistentVolumeClaim', name: 'data', of: 'volume data of worker' },
    ]);
  });

  it('that may not be read limit no gang, and one warning says so', async () => {
    const { claims, warnings } = claimsIn(readingOf({ ...BOUND, [VOLUME]: 403 }).reading.cluster);
    for (const _ of [1, 2]) {
      const read = await claims.read([gangOf('a', 'data')]);
      expect(read.get('a')?.places.get('data')).toBe('unknown');
    }
    expect(warnings).toEqual([expect.stringContaining('PersistentVolumes may not be read')]);
  });

  it('that cannot be read hold up no other gang', async () => {
    const { reading } = readingOf(BOUND);
    const find: ClusterClient['find'] = (resource, namespace, name) =>
      name === 'odd'
        ? Promise.reject(new Error('too large'))
        : reading.cluster.find(resource, namespace, name);
    const { claims, warnings } = claimsIn({ find } as ClusterClient);
    const read = await claims.read([gangOf('a', 'odd'), gangOf('b', 'data')]);
    expect(read.get('a')?.places.get('odd')).toBe('unknown');
    expect(read.get('b')?.places.get('data')).toEqual(terms);
    expect(warnings).toEqual([expect.stringContaining('PersistentVolumeClaim ml/odd cannot be read')]);
  });
});
