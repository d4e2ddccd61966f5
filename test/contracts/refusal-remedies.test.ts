import { describe, expect, it } from '@jest/globals';
import { ApiError } from '../../cluster/errors.ts';
import { remedyOfRefusal } from '../../contracts/refusal-remedies.ts';

/** Words of real API servers (1.35), and what helps: with names and amounts, and commands that can be typed as they stand. */
const LIMIT_RANGE = '`kubectl describe limitrange -n ml`';
const raised = (resource: string, to: string) =>
  `An administrator can raise it to ${to} or more: \`kubectl patch resourcequota team -n ml --type merge -p '{"spec":{"hard":{"${resource}":"${to}"}}}'\`.`;

const TABLE: readonly (readonly [title: string, words: string, remedy: string])[] = [
  [
    'several bounds of a LimitRange',
    'pods "a" is forbidden: [maximum cpu usage per Container is 1, but limit is 2, minimum memory usage per Container is 1Gi, but request is 1Mi]',
    `Lower limits.cpu of each container to at most 1. Or an administrator changes max of cpu in the LimitRange: ${LIMIT_RANGE} shows it. Raise requests.memory of each container to at least 1Gi. Or an administrator changes min of memory in the LimitRange: ${LIMIT_RANGE} shows it.`,
  ],
  [
    'the ratio of a LimitRange',
    'pods "a" is forbidden: cpu max limit to request ratio per Container is 2, but provided ratio is 4.000000',
    `Let limits.cpu of each container be at most 2 times its requests.cpu. Or an administrator changes maxLimitRequestRatio in the LimitRange: ${LIMIT_RANGE} shows it.`,
  ],
  [
    'a claim larger than a LimitRange allows',
    'persistentvolumeclaims "data" is forbidden: maximum storage usage per PersistentVolumeClaim is 10Gi, but request is 20Gi',
    `Lower resources.requests.storage of each PersistentVolumeClaim to at most 10Gi. Or an administrator changes max of storage in the LimitRange: ${LIMIT_RANGE} shows it.`,
  ],
  [
    'a claim smaller than a LimitRange allows',
    'persistentvolumeclaims "data" is forbidden: minimum storage usage per PersistentVolumeClaim is 5Gi, but request is 1Gi',
    `Raise resources.requests.storage of each PersistentVolumeClaim to at least 5Gi. Or an administrator changes min of storage in the LimitRange: ${LIMIT_RANGE} shows it.`,
  ],
  [
    'a claim larger than a quota has left',
    'persistentvolumeclaims "data" is forbidden: exceeded quota: team, requested: requests.storage=20Gi, used: requests.storage=4Gi, limited: requests.storage=10Gi; retrying',
    `Request at most 6Gi of requests.storage until others give back what they use of the quota: \`kubectl describe resourcequota team -n ml\` shows it. ${raised('requests.storage', '24Gi')}`,
  ],
  [
    'a quota that is used up',
    'pods "a" is forbidden: exceeded quota: team, requested: pods=1, used: pods=3, limited: pods=3',
    `Request no more pods until others give back what they use of the quota: \`kubectl describe resourcequota team -n ml\` shows it. ${raised('pods', '4')}`,
  ],
  [
    'requests above limits',
    'Pod "a" is invalid: spec.containers[0].resources.requests: Invalid value: "4": must be less than or equal to cpu limit of 2',
    `Change requests.cpu of the container that the message names to at most 2, or its limits.cpu to 4. A limit that is not in the manifest is a default of a LimitRange: ${LIMIT_RANGE} shows it.`,
  ],
  [
    'requests of devices beside other limits',
    'Pod "a" is invalid: spec.containers[0].resources.requests: Invalid value: "1": must be equal to nvidia.com/gpu limit of 2',
    `Change requests.nvidia.com/gpu of the container that the message names to 2, or its limits.nvidia.com/gpu to 1. A limit that is not in the manifest is a default of a LimitRange: ${LIMIT_RANGE} shows it.`,
  ],
  [
    'requests of devices without limits',
    'Pod "a" is invalid: spec.containers[0].resources.limits: Required value: Limit must be set for non overcommitable resources',
    'Give the container that the message names the same amount in limits as in requests, of each resource that is not cpu, memory or ephemeral-storage.',
  ],
  [
    'a right of a user',
    'pods "a" is forbidden: User "ana" cannot get resource "pods/log" in API group "" in the namespace "ml"',
    "An administrator of namespace ml can grant it: `kubectl create role get-pods-log --verb=get --resource=pods/log -n ml`, then `kubectl create rolebinding get-pods-log --role=get-pods-log --user='ana' -n ml`.",
  ],
  [
    'a right of an account in the whole cluster',
    'jobs.batch is forbidden: User "system:serviceaccount:sys:worker" cannot list resource "jobs/status" in API group "batch" at the cluster scope',
    'An administrator of the cluster can grant it: `kubectl create clusterrole list-jobs-status-batch --verb=list --resource=jobs.batch/status`, then `kubectl create clusterrolebinding list-jobs-status-batch --clusterrole=list-jobs-status-batch --serviceaccount=sys:worker`.',
  ],
];

it.each(TABLE)('%s', (_, words, remedy) => {
  expect(remedyOfRefusal(words, 'ml')).toBe(remedy);
});

describe('an error of the API server', () => {
  const refused = (request: string, status: number, message: string) =>
    new ApiError(request, { status, reason: status === 422 ? 'Invalid' : 'Forbidden', message });
  const RIGHT =
    'pods is forbidden: User "ana" cannot list resource "pods" in API group "" in the namespace "ml"';

  it('says who may not do what, and where, instead of a path', () => {
    const { message, remedy } = refused('GET /api/v1/namespaces/ml/pods?limit=500', 403, RIGHT);
    expect(message).toBe('ana may not list pods in namespace ml (403 Forbidden)');
    expect(remedy).toContain('kubectl create role list-pods --verb=list --resource=pods -n ml');
    // As a cause of a job, it has the same remedy.
    expect(remedyOfRefusal(message, 'ml')).toBe(remedy);
    expect(refused('GET /api/v1/x', 403, `${RIGHT}: RBAC: role "r" not found`).message).toBe(
      'ana may not list pods in namespace ml (403 Forbidden): RBAC: role "r" not found',
    );
  });

  it.each([
    ['POST /api/v1/namespaces/ml/pods?dryRun=All', 'cannot create pods in namespace ml (422 Invalid): no'],
    [
      'PATCH /apis/batch/v1/namespaces/ml/jobs/a/status',
      'cannot change jobs/a/status in namespace ml (422 Invalid): no',
    ],
    ['GET /api/v1/nodes/a', 'cannot read nodes/a (422 Invalid): no'],
    ['GET /apis/kueue.x-k8s.io/v1beta2/workloads?watch=1', 'cannot list workloads (422 Invalid): no'],
    ['DELETE /api/v1/namespaces/ml/pods/a', 'cannot delete pods/a in namespace ml (422 Invalid): no'],
    ['GET', 'GET: 422 Invalid: no'],
  ])('names the object of %s', (request, message) => {
    expect(refused(request, 422, 'no').message).toBe(message);
  });

  it('keeps the request where time may mend it', () => {
    const error = new ApiError('GET /api/v1/pods', { status: 500, reason: 'Oops', message: 'x' });
    expect([error.message, error.remedy]).toEqual(['GET /api/v1/pods: 500 Oops: x', undefined]);
  });
});
