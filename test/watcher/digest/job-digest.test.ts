import { describe, expect, it } from '@jest/globals';
import { digest as digestSchema, MOST_FAILURES } from '../../../contracts/digest.ts';
import type { KubeObject, Pod, PodStatus } from '../../../contracts/kubernetes.ts';
import { ANNOTATIONS, LABELS } from '../../../contracts/labels.ts';
import { kueue } from '../../../gang/kueue.ts';
import { native } from '../../../gang/native.ts';
import { parseRanges } from '../../../language/index-ranges.ts';
import { anchorFacts } from '../../../watcher/anchors/anchor-facts.ts';
import { contentOf } from '../../../watcher/digest/digest-content.ts';
import { jobDigest } from '../../../watcher/digest/job-digest.ts';
import { groupFacts } from '../../../watcher/groups/group-facts.ts';
import { podFacts } from '../../../watcher/pods/pod-facts.ts';
import { anAnchor, aPod, ended, failed, READY, SUCCEEDED, unschedulable, waitingFor } from '../fixtures.ts';

const resourceVersion = { pods: 7, groups: {} };

function digestOf(pods: readonly Pod[], groups: readonly KubeObject[] = [], anchor = anAnchor()) {
  return jobDigest(
    {
      anchor: anchorFacts(anchor)!,
      pods: new Map(pods.map((pod) => [pod.metadata.uid!, podFacts(pod)])),
      groups: new Map(groups.map((group) => [group.metadata.uid!, groupFacts(group, native)])),
    },
    resourceVersion,
  );
}

const aGroup = (attempt: number, conditions: readonly object[] = []): KubeObject => ({
  apiVersion: 'scheduling.k8s.io/v1alpha2',
  kind: 'PodGroup',
  metadata: { name: 'resnet', uid: `group-${attempt}`, labels: { [LABELS.attempt]: String(attempt) } },
  status: { conditions },
});

describe('a digest', () => {
  it('counts each pod once, by role and state', () => {
    const digest = digestOf([
      aPod({ role: 'master', status: READY }),
      aPod({ index: 0, status: SUCCEEDED }),
      aPod({ index: 1, status: SUCCEEDED }),
      aPod({ index: 2 }),
      aPod({ index: 3, node: 'gpu-1' }),
      aPod({ index: 4, deletedAt: '2026-01-01T00:02:00Z' }),
    ]);
    expect(digest.roles).toEqual({
      master: {
        unscheduled: 0,
        scheduled: 0,
        ready: 1,
        succeeded: 0,
        failed: 0,
        terminating: 0,
        succeededIndices: '',
      },
      worker: {
        unscheduled: 1,
        scheduled: 1,
        ready: 0,
        succeeded: 2,
        failed: 0,
        terminating: 1,
        succeededIndices: '0-1',
      },
    });
    expect(digestSchema.parse(digest)).toEqual(digest);
  });

  it('of a job without pods and group has attempt 0 and no roles', () => {
    expect(digestOf([])).toMatchObject({ attempt: 0, roles: {}, earlier: 0, gang: undefined });
  });

  it('of a job without pods yet has the attempt of its group', () => {
    const digest = digestOf([], [aGroup(1), aGroup(2)]);
    expect(digest).toMatchObject({ attempt: 2, roles: {}, gang: { scheduled: 'Unknown' } });
  });

  it('is about the highest attempt, and counts the pods of earlier ones', () => {
    const old = aPod({ index: 0, attempt: 1, status: failed(ended('pytorch', 1)) });
    const digest = digestOf([old, aPod({ index: 0, attempt: 2 }), aPod({ index: 1, attempt: 2 })]);
    expect(digest).toMatchObject({
      attempt: 2,
      earlier: 1,
      failures: [],
      roles: { worker: { unscheduled: 2 } },
    });
  });

  it('has the end of the main container, else of the first failed one', () => {
    const main = failed(ended('metrics', 2), ended('pytorch', 137, { reason: 'OOMKilled', signal: 9 }));
    const other = failed(ended('metrics', 2, { message: 'no port' }), ended('pytorch', 0));
    const { failures } = digestOf([
      aPod({ index: 0, status: main }),
      aPod({ index: 1, status: other, waitsForSidecars: true }),
    ]);
    expect(failures).toEqual([
      expect.objectContaining({ container: 'pytorch', exitCode: 137, reason: 'OOMKilled', signal: 9 }),
      expect.objectContaining({ container: 'metrics', exitCode: 2, reason: 'Error', message: 'no port' }),
    ]);
  });

  it('prefers the reason of the pod to those of its containers', () => {
    const status = { ...failed(ended('pytorch', 137)), reason: 'Evicted' };
    expect(digestOf([aPod({ status })]).failures[0]).toMatchObject({ reason: 'Evicted', exitCode: 137 });
  });

  it('has Failed where Kubernetes gives no reason', () => {
    const [failure] = digestOf([aPod({ status: { phase: 'Failed' } })]).failures;
    expect(failure).toMatchObject({ reason: 'Failed', exitCode: undefined });
  });

  it('has the first failures in time, and the indices of the others', () => {
    const pods = Array.from({ length: MOST_FAILURES + 50 }, (_, index) => {
      const finishedAt = `2026-01-01T00:${String(59 - (index % 60)).padStart(2, '0')}:00Z`;
      return aPod({ index, status: failed(ended('pytorch', 1, { finishedAt })) });
    });
    const digest = digestOf(pods);
    expect(digest.failures).toHaveLength(MOST_FAILURES);
    expect(digest.failures.slice(0, 3).map(({ index }) => index)).toEqual([119, 59, 118]);
    expect(digest.roles.worker?.failed).toBe(MOST_FAILURES + 50);
    expect(digest.moreFailures).toHaveLength(1);
    const [more] = digest.moreFailures!;
    expect(more).toMatchObject({ role: 'worker', exitCode: 1, reason: 'Error' });
    const described = new Set(digest.failures.map(({ index }) => index));
    const others = Array.from(pods.keys()).filter((index) => !described.has(index));
    expect(parseRanges(more!.indices)).toEqual(others);
    expect(digestSchema.parse(digest)).toEqual(digest);
  });

  it('has the reason of most waiting pods first, with the first of them', () => {
    const status = unschedulable('0/3 nodes are available');
    const pods = [
      aPod({ index: 0, status: waitingFor('ErrImagePull') }),
      aPod({ index: 2, status }),
      aPod({ index: 1, status }),
      aPod({ index: 3, status: READY }),
    ];
    expect(digestOf(pods).waiting).toEqual([
      {
        reason: 'Unschedulable',
        message: '0/3 nodes are available',
        hasNode: false,
        pod: 'resnet-worker-1',
        pods: 2,
      },
      { reason: 'ErrImagePull', hasNode: true, pod: 'resnet-worker-0', pods: 1 },
    ]);
  });

  it('has reasons that every container has for a while last', () => {
    const pods = [
      aPod({ index: 0, status: waitingFor('ContainerCreating') }),
      aPod({ index: 1, status: waitingFor('ContainerCreating') }),
      aPod({ index: 2, status: waitingFor('CreateContainerConfigError', 'configmap "later" not found') }),
    ];
    expect(digestOf(pods).waiting).toMatchObject([
      { reason: 'CreateContainerConfigError', pods: 1 },
      { reason: 'ContainerCreating', pods: 2 },
    ]);
  });

  it('has five reasons at most', () => {
    const pods = Array.from({ length: 8 }, (_, index) =>
      aPod({ index, status: waitingFor(`Reason${index}`) }),
    );
    expect(digestOf(pods).waiting).toHaveLength(5);
  });

  it('has the same facts when only a reason behind the first changes', () => {
    const first = [0, 1].map((index) => aPod({ index, status: waitingFor('ErrImagePull') }));
    const factsWith = (reason: string) =>
      contentOf(digestOf([...first, aPod({ index: 2, status: waitingFor(reason) })])).facts;
    expect(factsWith('ContainerCreating')).toBe(factsWith('PodInitializing'));
  });

  it('has no pod as an example that only waits for the others of its gang', () => {
    const pods = [
      aPod({ index: 0, status: unschedulable('waiting for minCount pods from a gang to be scheduled') }),
      aPod({ index: 1, status: unschedulable('0/3 nodes are available: no GPU') }),
    ];
    expect(digestOf(pods, [aGroup(1)]).waiting).toMatchObject([
      { message: '0/3 nodes are available: no GPU', pod: 'resnet-worker-1', pods: 2 },
    ]);
    expect(digestOf(pods.slice(0, 1), [aGroup(1)]).waiting).toMatchObject([
      { pod: 'resnet-worker-0', pods: 1 },
    ]);
  });

  it.each([
    [
      'as the scheduler says',
      [{ type: 'PodGroupScheduled', status: 'False', reason: 'Unschedulable' }],
      'False',
    ],
    ['in the words of a later version', [{ type: 'PodGroupInitiallyScheduled', status: 'True' }], 'True'],
    ['as unknown before the scheduler has looked', [], 'Unknown'],
  ])('has the state of the attempt’s gang: %s', (_, conditions, scheduled) => {
    const groups = [aGroup(1, [{ type: 'PodGroupScheduled', status: 'True' }]), aGroup(2, conditions)];
    expect(digestOf([aPod({ attempt: 2 })], groups).gang).toMatchObject({ scheduled });
  });
});

describe('the pods in trouble in a digest', () => {
  const restartedTimes = (restartCount: number, status: PodStatus): PodStatus => ({
    ...status,
    containerStatuses: [{ name: 'pytorch', restartCount }],
  });
  const conditionOf = (node: string) =>
    node === 'gpu-1' ? ({ trouble: 'NotReady', since: 5 } as const) : undefined;
  const digestWith = (...pods: Pod[]) =>
    jobDigest(
      {
        anchor: anchorFacts(anAnchor())!,
        pods: new Map(pods.map((pod) => [pod.metadata.uid!, podFacts(pod)])),
        groups: new Map(),
        conditionOf,
      },
      resourceVersion,
    );
  const deletedAt = '2026-01-01T00:02:00Z';

  it('are empty while all is well', () => {
    const digest = digestWith(aPod({ node: 'gpu-2', status: READY }));
    expect(Object.keys(JSON.parse(JSON.stringify(digest)))).toEqual([
      ...[
        'anchor',
        'anchorDeleted',
        'attempt',
        'resourceVersions',
        'roles',
        'earlier',
        'restarts',
        'failures',
      ],
    ]);
    expect(JSON.parse(JSON.stringify(digest.roles.worker))).not.toHaveProperty('restarts');
  });

  it('have unfinished pods of the attempt on nodes in trouble', () => {
    const digest = digestWith(
      aPod({ index: 2, node: 'gpu-1', status: READY, attempt: 2 }),
      aPod({ index: 1, node: 'gpu-1', deletedAt, attempt: 2 }),
      aPod({ index: 3, node: 'gpu-1', status: SUCCEEDED, attempt: 2 }),
      aPod({ index: 4, node: 'gpu-2', status: READY, attempt: 2 }),
      aPod({ index: 5, attempt: 2 }),
      aPod({ index: 6, node: 'gpu-1', status: READY, attempt: 1 }),
    );
    const endangered = { role: 'worker', node: 'gpu-1', trouble: 'NotReady', since: 5 };
    expect(digest.endangered).toEqual([
      { pod: 'resnet-worker-1', uid: 'resnet-worker-1-2', index: 1, ...endangered },
      { pod: 'resnet-worker-2', uid: 'resnet-worker-2-2', index: 2, ...endangered },
    ]);
    expect(digestSchema.parse(digest)).toEqual(digest);
  });

  it('have restarts in place by role, and the pods that are not ready again', () => {
    const digest = digestWith(
      aPod({ role: 'master', status: READY }),
      aPod({ index: 0, node: 'gpu-2', status: restartedTimes(3, { phase: 'Running' }) }),
      aPod({ index: 1, status: restartedTimes(2, READY) }),
      aPod({ index: 2, status: restartedTimes(1, { phase: 'Running' }), deletedAt }),
      aPod({ index: 3, status: restartedTimes(1, SUCCEEDED) }),
    );
    expect(digest).toMatchObject({ restarts: 7, roles: { worker: { restarts: 7 } } });
    expect(digest.roles.master?.restarts).toBeUndefined();
    expect(digest.restarted).toEqual([
      {
        pod: 'resnet-worker-0',
        uid: 'resnet-worker-0-1',
        role: 'worker',
        index: 0,
        node: 'gpu-2',
        restarts: 3,
      },
    ]);
  });

  it('have the first of the terminating pods', () => {
    const many = Array.from({ length: MOST_FAILURES + 5 }, (_, index) =>
      aPod({ index, deletedAt, node: 'gpu-2' }),
    );
    const { terminating } = digestWith(...many, aPod({ role: 'ps', status: SUCCEEDED, deletedAt }));
    expect(terminating).toHaveLength(MOST_FAILURES);
    expect(terminating?.[0]).toEqual({
      ...{ pod: 'resnet-worker-0', uid: 'resnet-worker-0-1', role: 'worker', index: 0, node: 'gpu-2' },
    });
  });
});

describe('pods that avoid a node', () => {
  it('are in the digest while they have no node, with the first end of an avoidance', () => {
    const pods = [
      aPod({ index: 0, avoidsUntil: 7, status: unschedulable('no room') }),
      aPod({ index: 1, avoidsUntil: 6, status: unschedulable('no room') }),
      aPod({ index: 2, avoidsUntil: 5, node: 'gpu-1', status: READY }),
      aPod({ index: 3, avoidsUntil: 4, deletedAt: '2026-01-01T00:02:00Z' }),
    ];
    const digest = digestOf(pods);
    expect(digest.avoidsUntil).toBe(6);
    expect(digestSchema.parse(digest)).toEqual(digest);
    expect(digestOf(pods.slice(2)).avoidsUntil).toBeUndefined();
  });
});

describe('a copy of a pod, with its labels and owner,', () => {
  const copyOf = (pod: Parameters<typeof aPod>[0]) => aPod({ ...pod, name: 'debug', uid: 'debug' });
  const own = [aPod({ role: 'master', status: SUCCEEDED }), aPod({ index: 0, status: READY })];

  it.each([
    ['runs', { index: 0, status: READY }],
    ['has failed', { index: 0, status: failed(ended('pytorch', 1)) }],
    ['has succeeded', { index: 0, status: SUCCEEDED }],
    ['is of another attempt', { index: 0, attempt: 7, status: READY }],
    ['was never placed', { index: 0, status: unschedulable('no room') }],
  ])('that %s changes nothing except for its mention', (_, copy) => {
    const { strangers, ...digest } = digestOf([...own, copyOf(copy)]);
    expect(strangers).toEqual({ pods: 1, pod: 'debug' });
    expect(digest).toEqual(withoutForeignPods(digestOf(own)));
  });

  it('is recognised by the pod name in its labels, for any names of its kind', () => {
    const launcher = aPod({ job: 'hello', role: 'launcher', name: 'hello-launcher', status: READY });
    const labels = { ...launcher.metadata.labels, [LABELS.pod]: 'hello-launcher' };
    const own = { ...launcher, metadata: { ...launcher.metadata, uid: 'a', labels } };
    const copy = { ...own, metadata: { ...own.metadata, uid: 'b', name: 'hello-launcher-0' } };
    const digest = digestOf([own, copy, aPod({ job: 'hello', index: 1, status: READY })]);
    expect(digest.roles).toMatchObject({ launcher: { ready: 1 }, worker: { ready: 1 } });
    expect(digest.strangers).toEqual({ pods: 1, pod: 'hello-launcher-0' });
    expect(digestSchema.parse(digest)).toEqual(digest);
  });
});

const withoutForeignPods = ({ strangers: _, ...digest }: ReturnType<typeof digestOf>) => digest;

describe('the progress in a digest', () => {
  const said = (attempt: number) => {
    const progress = { attempt, progress: { value: '7', count: 3 }, acknowledged: true, lastReportAt: 1 };
    const facts = { anchor: anchorFacts(anAnchor())!, groups: new Map(), progress };
    const pods = new Map([['a', podFacts(aPod({ attempt: 2 }))]]);
    return jobDigest({ ...facts, pods }, resourceVersion);
  };

  it('is what was reported in this attempt', () => {
    expect(said(2)).toMatchObject({ progress: { value: '7', count: 3 }, acknowledged: true });
  });

  it('excludes reports of an earlier one', () => {
    expect(said(1)).not.toHaveProperty('progress');
    expect(said(1)).not.toHaveProperty('acknowledged');
  });

  it('is no fact, but the acknowledgement of a checkpoint is one', () => {
    const digest = said(2);
    const further = { ...digest, progress: { value: '8', count: 4 } };
    expect(contentOf(further).facts).toBe(contentOf(digest).facts);
    expect(contentOf(further).progress).not.toBe(contentOf(digest).progress);
    expect(contentOf({ ...digest, progress: { value: '7', count: 3, ageMs: 5 } })).toEqual(contentOf(digest));
    expect(contentOf({ ...digest, acknowledged: undefined }).facts).not.toBe(contentOf(digest).facts);
  });
});

describe('the content of a digest', () => {
  const facts = (...pods: Pod[]) => contentOf(digestOf(pods)).facts;
  const details = (...pods: Pod[]) => contentOf(digestOf(pods)).details;
  const cluster = (message: string) => aPod({ status: unschedulable(message) });

  it('does not change with the resource version', () => {
    const digest = digestOf([aPod()]);
    expect(contentOf({ ...digest, resourceVersions: { pods: 99, groups: { native: 9 } } })).toEqual(
      contentOf(digest),
    );
  });

  it('keeps its facts when the scheduler rewords its message', () => {
    const [few, many] = [cluster('0/3 nodes are available'), cluster('0/3 nodes: 2 too small')];
    expect(facts(few)).toBe(facts(many));
    expect(details(few)).not.toBe(details(many));
  });

  it('does not change with the numbers in a message', () => {
    expect(details(cluster('0/3 nodes are available'))).toBe(details(cluster('0/250 nodes are available')));
  });

  it('does not change while the kubelet retries to pull an image', () => {
    expect(facts(aPod({ status: waitingFor('ErrImagePull') }))).toBe(
      facts(aPod({ status: waitingFor('ImagePullBackOff') })),
    );
  });

  it('changes when a pod changes its state', () => {
    expect(facts(aPod({ node: 'gpu-1' }))).not.toBe(facts(aPod({ status: READY })));
  });
});

describe('the hostList of a digest', () => {
  const hostListOf = (hostList: string | undefined, pods: readonly Pod[]) =>
    jobDigest(
      {
        anchor: anchorFacts(anAnchor({ hostList }))!,
        pods: new Map(pods.map((pod) => [pod.metadata.uid!, podFacts(pod)])),
        groups: new Map(),
      },
      resourceVersion,
    ).hostList;
  const at = (podIP: string) => ({ phase: 'Pending' as const, podIP });

  it('exists only for jobs that keep a list', () => {
    expect(hostListOf(undefined, [aPod({ status: READY })])).toBeUndefined();
  });

  it('has pods with an address, ready or not', () => {
    const pods = [aPod({ index: 0, status: at('10.0.0.1') }), aPod({ index: 1 })];
    expect(hostListOf('addressed:worker', pods)).toMatchObject({ pods: 1 });
  });

  it('has ready pods of the configured roles', () => {
    const pods = [
      aPod({ index: 0, status: READY }),
      aPod({ index: 1 }),
      aPod({ role: 'launcher', status: READY }),
    ];
    expect(hostListOf('ready:worker', pods)).toMatchObject({ pods: 1 });
  });

  it('has the same hash for the same pods in any order, and another one for another address', () => {
    const [a, b] = [aPod({ index: 0, status: at('10.0.0.1') }), aPod({ index: 1, status: at('10.0.0.2') })];
    const moved = aPod({ index: 1, status: at('10.0.0.3') });
    const hashOf = (pods: readonly Pod[]) => hostListOf('addressed:worker', pods)?.hash;
    expect(hashOf([a, b])).toBe(hashOf([b, a]));
    expect(hashOf([a, moved])).not.toBe(hashOf([a, b]));
  });
});

describe('a digest of a job that Kueue has admitted', () => {
  const conditions = (...types: readonly string[]) =>
    types.map((type) => ({ type, status: 'True', reason: type, message: `it is ${type}` }));
  const workload = (attempt: number, ...types: readonly string[]): KubeObject => ({
    ...aGroup(attempt, conditions(...types)),
    kind: 'Workload',
  });
  const read = { pods: 7, groups: { kueue: 7 } };
  const digestWith = (
    groups: readonly KubeObject[],
    resourceVersions: typeof read | typeof resourceVersion = read,
    jobOfGroup?: (uid: string) => string | undefined,
  ) => {
    const { metadata, ...anchor } = anAnchor();
    const annotations = { ...metadata.annotations, [ANNOTATIONS.gang]: 'kueue' };
    return jobDigest(
      {
        anchor: anchorFacts({ ...anchor, metadata: { ...metadata, annotations } })!,
        pods: new Map([['uid', podFacts(aPod({ status: READY }))]]),
        groups: new Map(groups.map((group) => [group.metadata.uid!, groupFacts(group, kueue)])),
        jobOfGroup,
      },
      resourceVersions,
    );
  };

  it('has no eviction while it may stay', () => {
    const { gang, eviction } = digestWith([workload(1, 'QuotaReserved', 'Admitted')]);
    expect([gang?.admitted, eviction]).toEqual([true, undefined]);
  });

  it('has its eviction', () => {
    const digest = digestWith([workload(1, 'QuotaReserved', 'Admitted', 'Evicted')]);
    expect(digest.eviction).toEqual({
      attempt: 1,
      reason: 'Evicted',
      message: 'Kueue: Evicted: it is Evicted',
    });
    expect(digestSchema.safeParse(digest).success).toBe(true);
  });

  it('says for which job, if it knows that', () => {
    const by = '0a1b2c3d-0000-4000-8000-000000000000';
    const evicted = workload(1, 'QuotaReserved', 'Admitted');
    const status = {
      conditions: [
        ...conditions('QuotaReserved', 'Admitted'),
        { type: 'Evicted', status: 'True', reason: 'Preempted', message: `for a workload (UID: ${by})` },
      ],
    };
    const digest = digestWith([{ ...evicted, status }], read, (uid) =>
      uid === by ? 'job/ml/big' : undefined,
    );
    expect(digest.eviction).toEqual({
      ...{ attempt: 1, reason: 'Preempted' },
      message: `for job/ml/big; Kueue: Preempted: for a workload (UID: ${by})`,
    });
  });

  it('takes a Workload that is gone for deleted by somebody, unless it cannot read Workloads', () => {
    const message = 'its Workload was deleted';
    expect(digestWith([]).eviction).toEqual({ attempt: 1, reason: 'Evicted', message });
    expect(digestWith([], resourceVersion).eviction).toBeUndefined();
  });
});
