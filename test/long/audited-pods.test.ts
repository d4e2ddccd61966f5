import { expect, it } from '@jest/globals';
import { LABELS } from '../../contracts/labels.ts';
import type { Audited } from './audit-log.ts';
import { auditedPods, overlapping } from './audited-pods.ts';

interface Request {
  readonly verb: string;
  readonly uid: string;
  readonly attempt?: number;
  readonly name?: string;
  readonly code?: number;
  readonly at: readonly [asked: number, answered: number];
}

const audited = ({ verb, uid, attempt = 1, name = 'job-worker-0', code = 200, at }: Request): Audited => ({
  ...{ verb, user: 'anybody', resource: 'pods', subresource: undefined, namespace: 'any', name, uri: '' },
  ...{ code, asked: at[0], answered: at[1] },
  object: {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, uid, labels: { [LABELS.job]: 'job', [LABELS.attempt]: String(attempt) } },
    spec: { containers: [] },
  },
});

const overlaps = (...requests: readonly Request[]) => overlapping(auditedPods(requests.map(audited)));

const first = { verb: 'create', uid: 'a', at: [1, 2] } as const;

it('a pod of the next attempt that exists before one of the last is gone is found', () => {
  const next = { verb: 'create', uid: 'b', attempt: 2, name: 'job-worker-1', at: [10, 11] } as const;
  expect(overlaps(first, next, { verb: 'delete', uid: 'a', at: [12, 13] })).toEqual([
    'job-worker-1 of attempt 2 (b) was created while job-worker-0 of attempt 1 (a) was there',
  ]);
});

it.each<readonly [string, Request, Request]>([
  [
    'had gone',
    { verb: 'delete', uid: 'a', at: [8, 9] },
    { verb: 'create', uid: 'b', attempt: 2, at: [10, 11] },
  ],
  [
    'may have gone just before',
    { verb: 'delete', uid: 'a', at: [10, 12] },
    { verb: 'create', uid: 'b', attempt: 2, at: [10, 11] },
  ],
  [
    'is of the same attempt',
    { verb: 'delete', uid: 'a', at: [20, 21] },
    { verb: 'create', uid: 'b', name: 'job-worker-1', at: [10, 11] },
  ],
  [
    'was refused its deletion',
    { verb: 'delete', uid: 'a', code: 404, at: [20, 21] },
    { verb: 'create', uid: 'b', attempt: 2, at: [10, 11] },
  ],
])('a pod whose predecessor %s is no fault', (_, one, other) => {
  expect(overlaps(first, one, other)).toEqual([]);
});
