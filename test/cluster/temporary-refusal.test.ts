import { describe, expect, it } from '@jest/globals';
import { ApiError } from '../../cluster/errors.ts';
import { asTemporaryRefusal } from '../../cluster/temporary-refusal.ts';

const refusal = (status: number, message: string, request = 'POST /api/v1/namespaces/ml/pods') =>
  new ApiError(request, { status, reason: 'Because', message });

const PASSES: readonly (readonly [number, string, string])[] = [
  [
    403,
    'pods "a" is forbidden: exceeded quota: q, requested: pods=1, used: pods=3, limited: pods=3',
    'QuotaExceeded',
  ],
  [403, 'pods "a" is forbidden: status unknown for quota: q, resources: pods', 'QuotaExceeded'],
  [
    403,
    'pods is forbidden: User "system:serviceaccount:a:b" cannot create resource "pods" in API group "" in the namespace "ml"',
    'Forbidden',
  ],
  [
    403,
    'pods is forbidden: User "u" cannot create resource "pods" in API group "" in the namespace "ml": RBAC: clusterrole.rbac.authorization.k8s.io "x" not found',
    'Forbidden',
  ],
  [
    403,
    'roles.rbac.authorization.k8s.io "a" is forbidden: user "u" is attempting to grant RBAC permissions not currently held',
    'Forbidden',
  ],
  [403, 'pods "a" is forbidden: something that nobody has heard of', 'Forbidden'],
  [
    403,
    'pods "a" is forbidden: unable to create new content in namespace ml because it is being terminated',
    'NamespaceTerminating',
  ],
  [404, 'namespaces "ml" not found', 'NamespaceMissing'],
  [404, 'the server could not find the requested resource', 'DependencyMissing'],
  [
    403,
    'pods "a" is forbidden: error looking up service account ml/trainer: serviceaccount "trainer" not found',
    'DependencyMissing',
  ],
  [403, 'pods "a" is forbidden: no PriorityClass with name high was found', 'DependencyMissing'],
  [403, 'pods "a" is forbidden: pod rejected: RuntimeClass "nvidia" not found', 'DependencyMissing'],
  [
    500,
    'Internal error occurred: failed calling webhook "a.example.com": failed to call webhook: Post "https://10.0.0.1": connection refused',
    'WebhookUnavailable',
  ],
];

describe('a temporary refusal', () => {
  it.each(PASSES)('may be limited by policy: %i %s', (status, said, reason) => {
    expect(asTemporaryRefusal(refusal(status, said))).toEqual({ reason, isLimited: true });
  });

  it.each([401, 408, 409, 429, 500, 503, 504])('has no limit: %i', (status) => {
    expect(asTemporaryRefusal(refusal(status, 'said the server'))).toEqual({
      reason: 'ApiServerUnavailable',
      isLimited: false,
    });
  });
});

const DENIED = [
  'pods "a" is forbidden: violates PodSecurity "restricted:latest": privileged (container "pytorch" must not set ...)',
  'admission webhook "validate.example.com" denied the request: images must be signed',
  'pods "a" is forbidden: ValidatingAdmissionPolicy "p" with binding "b" denied request: no GPUs here',
  'pods "a" is forbidden: maximum cpu usage per Container is 2, but limit is 4',
  'pods "a" is forbidden: cpu max limit to request ratio per Container is 2, but provided ratio is 4',
  'pods "a" is forbidden: failed quota: q: must specify limits.cpu for: pytorch',
];

describe('a final refusal', () => {
  it.each([400, 405, 413, 415, 422])('is not retried: %i', (status) => {
    expect(asTemporaryRefusal(refusal(status, 'said the server'))).toBeUndefined();
  });

  it.each(DENIED)('is not retried: %s', (said) => {
    expect(asTemporaryRefusal(refusal(403, said))).toBeUndefined();
  });

  it('is never that of a deletion, which says nothing about the job', () => {
    expect(asTemporaryRefusal(refusal(403, DENIED[1]!, 'DELETE /api/v1/namespaces/ml/pods/a'))).toBeDefined();
  });
});
