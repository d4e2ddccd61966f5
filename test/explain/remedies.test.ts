import { describe, expect, it, test } from '@jest/globals';
import { LABELS } from '../../contracts/labels.ts';
import {
  ago,
  aNode,
  answerTo,
  type Choice,
  created,
  nodes,
  PENDING,
  quota,
  specOf,
  usedBy,
  waitingPods,
  wanted,
} from './situations.ts';

/** What to do about the first reason of a situation: names and amounts are those of the case. */

const named = (count: number, nodeName: string) =>
  wanted(count, specOf(1, { nodeName })).map((pod) => ({ ...pod, nodeName }));
const selecting = (nodeSelector: Readonly<Record<string, string>>) => wanted(1, specOf(1, { nodeSelector }));
const refused = (message: string, code = 'ClusterRefused') => ({
  refused: [
    {
      object: 'Pod ml/train-worker-0',
      code: code as never,
      message: `pods "train-worker-0" is forbidden: ${message}`,
    },
  ],
});

/** Pods of the job that no node may have two of. */
const OWN = { matchLabels: { [LABELS.job]: 'train' } };
const APART = {
  affinity: {
    podAntiAffinity: {
      requiredDuringSchedulingIgnoredDuringExecution: [
        { topologyKey: 'kubernetes.io/hostname', labelSelector: OWN },
      ],
    },
  },
};
const missing = (kind: string, more: { readonly there?: readonly string[] }): Choice => ({
  pods: wanted(1, specOf(1)),
  cluster: { missing: [{ kind, name: 'absent', of: 'priorityClassName of worker', ...more }] },
});

const TABLE: readonly (readonly [title: string, given: Choice, remedy: string])[] = [
  [
    'the key of a selector is misspelt',
    { nodes: nodes(2, { labels: { zone: 'a' } }), pods: selecting({ zome: 'a' }) },
    'Write zone for the key in nodeSelector zome=a of the worker template. Or an administrator of the cluster can label nodes, e.g. `kubectl label node node-0 zome=a`.',
  ],
  [
    'key and value of a selector are wrong',
    { nodes: nodes(2, { labels: { zone: 'a' } }), pods: selecting({ zome: 'b' }) },
    'Write zone for the key in nodeSelector zome=b of the worker template, with a value that nodes have (a). Or an administrator of the cluster can label nodes, e.g. `kubectl label node node-0 zome=b`.',
  ],
  [
    'the value of a selector is misspelt',
    { nodes: nodes(2, { labels: { model: 'h100' } }), pods: selecting({ model: 'h10' }) },
    'Write h100 for the value in nodeSelector model=h10 of the worker template. Or an administrator of the cluster can label nodes, e.g. `kubectl label node node-0 model=h10 --overwrite`.',
  ],
  [
    'a label that only a node with room may get',
    {
      nodes: [aNode(0, { gpus: 0 }), aNode(1, { taint: 'team=vision' }), aNode(2)],
      pods: selecting({ 'gpu-type': 'h100' }),
    },
    'Remove nodeSelector gpu-type=h100 from the worker template. Or an administrator of the cluster can label nodes, e.g. `kubectl label node node-2 gpu-type=h100`.',
  ],
  [
    'a label that would help no node',
    {
      nodes: [aNode(0, { gpus: 0 }), aNode(1, { taint: 'team=vision' })],
      pods: selecting({ 'gpu-type': 'h100' }),
    },
    'Remove nodeSelector gpu-type=h100 from the worker template.',
  ],
  [
    'a taint of nodes without room for a pod, too',
    {
      nodes: [aNode(0, { gpus: 0, taint: 'team=vision' }), aNode(1, { taint: 'team=vision' })],
      pods: wanted(1, specOf(1)),
    },
    'Add to tolerations of the worker template: {"key":"team","operator":"Equal","value":"vision","effect":"NoSchedule"}. Or an administrator of the cluster can remove the taint: `kubectl taint node node-1 team=vision:NoSchedule-`.',
  ],
  [
    'two labels of which nodes lack both',
    { nodes: [aNode(0, { gpus: 0 }), aNode(1)], pods: selecting({ a: 'x', b: 'y' }) },
    'Remove nodeSelector a=x from the worker template, and remove nodeSelector b=y from the worker template. Or an administrator of the cluster can label nodes, e.g. `kubectl label node node-1 a=x`, and label nodes, e.g. `kubectl label node node-1 b=y`.',
  ],
  [
    'a taint of the nodes that a selector chooses',
    {
      nodes: [
        ...nodes(1, { labels: { pool: 'gpu' }, taint: 'team=vision' }),
        ...nodes(3, { name: 'cpu', labels: { pool: 'cpu' } }),
      ],
      pods: selecting({ pool: 'gpu' }),
    },
    'Add to tolerations of the worker template: {"key":"team","operator":"Equal","value":"vision","effect":"NoSchedule"}. Or an administrator of the cluster can remove the taint: `kubectl taint node node-0 team=vision:NoSchedule-`.',
  ],
  [
    'cordoned nodes that a selector chooses',
    {
      nodes: [...nodes(2, { labels: { pool: 'gpu' }, isCordoned: true }), ...nodes(3, { name: 'cpu' })],
      pods: selecting({ pool: 'gpu' }),
    },
    'An administrator of the cluster can open them again: `kubectl uncordon node-0 node-1`.',
  ],
  [
    'nodes that a selector chooses, one of them cordoned, and a taint of the other that the pods nearly tolerate',
    {
      nodes: [
        aNode(0, { labels: { pool: 'gpu' }, taint: 'team=vision' }),
        aNode(1, { labels: { pool: 'gpu' }, isCordoned: true }),
        ...nodes(3, { name: 'cpu' }),
      ],
      pods: wanted(2, {
        ...specOf(8),
        nodeSelector: { pool: 'gpu' },
        tolerations: [{ key: 'team', operator: 'Equal', value: 'visoin' }],
      }),
    },
    'Add to tolerations of the worker template: {"key":"team","operator":"Equal","value":"vision","effect":"NoSchedule"}. Or an administrator of the cluster can remove the taint: `kubectl taint node node-0 team=vision:NoSchedule-`, and open them again: `kubectl uncordon node-1`.',
  ],
  [
    'a node that is not ready',
    { nodes: [aNode(0, { isReady: false })], pods: wanted(1, specOf(1)) },
    'An administrator of the cluster can repair node node-0: `kubectl describe node node-0` says what it lacks.',
  ],
  [
    'nodes that match hold too few',
    {
      nodes: [...nodes(1, { labels: { pool: 'gpu' } }), aNode(9)],
      pods: [...selecting({ pool: 'gpu' }), ...wanted(1, specOf(8, { nodeSelector: { pool: 'gpu' } }))],
    },
    'Run at most 1 pod at once, or request less for each, and change nodeSelector pool=gpu in the worker template, or remove it. Or an administrator of the cluster can add nodes that match, and label nodes, e.g. `kubectl label node node-9 pool=gpu`.',
  ],
  [
    'a template that names a node that does not exist',
    { pods: named(2, 'nodr-1') },
    'Name a node that exists in spec.nodeName of the pod template, e.g. node-1 (`kubectl get nodes` lists them), or remove it, so that a scheduler chooses the node.',
  ],
  [
    'a resource is misspelt',
    {
      nodes: [...nodes(2), aNode(2, { gpus: 0 })],
      pods: wanted(1, { containers: [{ name: 'a', resources: { limits: { 'nvidia.com/gpus': '1' } } }] }),
    },
    'Write nvidia.com/gpu for nvidia.com/gpus in resources of the worker template.',
  ],
  [
    'pods that keep apart on too few nodes',
    { pods: wanted(3, specOf(1, APART)), nodes: nodes(2), minMember: 3 },
    'Run at most 2 pods at once, or make podAntiAffinity of the worker template a preference (preferredDuringSchedulingIgnoredDuringExecution). Or an administrator of the cluster can add nodes.',
  ],
  [
    'pods that keep apart on too few nodes that match',
    {
      pods: wanted(3, specOf(1, { ...APART, nodeSelector: { pool: 'gpu' } })),
      nodes: [...nodes(2, { labels: { pool: 'gpu' } }), aNode(8, { gpus: 0 }), aNode(9)],
    },
    'Run at most 2 pods at once, or make podAntiAffinity of the worker template a preference (preferredDuringSchedulingIgnoredDuringExecution), and change nodeSelector pool=gpu in the worker template, or remove it. Or an administrator of the cluster can add nodes that match, and label nodes, e.g. `kubectl label node node-9 pool=gpu`.',
  ],
  [
    'a PriorityClass that does not exist',
    missing('PriorityClass', {}),
    'Remove priorityClassName of worker. Or an administrator of the cluster can create the PriorityClass absent.',
  ],
  [
    'a PriorityClass that does not exist, where there are others',
    missing('PriorityClass', { there: ['batch', 'urgent'] }),
    'Remove priorityClassName of worker, or write batch, urgent for absent in priorityClassName of worker. Or an administrator of the cluster can create the PriorityClass absent.',
  ],
  [
    'a pod is too large',
    { pods: wanted(1, specOf(16)) },
    'Request at most 8 nvidia.com/gpu in the worker template. Or an administrator of the cluster adds nodes that have it.',
  ],
  [
    'a quota that others use',
    {
      pods: wanted(2, specOf(1)),
      cluster: { quotas: [quota({ pods: '4' }, { pods: '3' })] },
    },
    `An administrator can raise it to 5 or more: \`kubectl patch resourcequota team -n ml --type merge -p '{"spec":{"hard":{"pods":"5"}}}'\`. Or wait until others give it back, or request less.`,
  ],
  [
    'a quota that lets in some pods, which keep it',
    {
      own: PENDING,
      pods: [...created(2, specOf(1)), ...wanted(2, specOf(1))],
      ...{
        waiting: waitingPods(2, { createdAt: ago(5) }),
        cluster: { quotas: [quota({ pods: '2' }, { pods: '2' })] },
      },
    },
    `Request less, or submit the job to another namespace. An administrator can raise it to 4 or more: \`kubectl patch resourcequota team -n ml --type merge -p '{"spec":{"hard":{"pods":"4"}}}'\`. Until then the job keeps 2 pods of it, which others lack; \`signalbox stop NAME\` gives them back.`,
  ],
  [
    'a LimitRange',
    { pods: wanted(1, specOf(1)), cluster: refused('maximum cpu usage per Container is 1, but limit is 2') },
    'Lower limits.cpu of each container to at most 1. Or an administrator changes max of cpu in the LimitRange: `kubectl describe limitrange -n ml` shows it.',
  ],
  [
    'a LimitRange of requests',
    {
      pods: wanted(1, specOf(1)),
      cluster: refused('minimum memory usage per Pod is 1Gi.  No request is specified'),
    },
    'Set requests.memory of the pod, summed over its containers, to at least 1Gi. Or an administrator changes min of memory in the LimitRange: `kubectl describe limitrange -n ml` shows it.',
  ],
  [
    'a quota wants requests',
    {
      pods: wanted(1, specOf(1)),
      cluster: refused(
        'failed quota: strict: must specify limits.cpu for: pytorch; requests.cpu for: pytorch',
      ),
    },
    'Set limits.cpu of container pytorch, requests.cpu of container pytorch. Or an administrator gives defaults in a LimitRange; `kubectl describe resourcequota strict -n ml` shows the quota.',
  ],
  [
    'a policy of the namespace',
    {
      pods: wanted(1, specOf(1)),
      cluster: refused('violates PodSecurity "restricted:latest": allowPrivilegeEscalation != false'),
    },
    'Set what the message names in securityContext of pod template and containers. Or an administrator lowers the level of the namespace: `kubectl label namespace ml pod-security.kubernetes.io/enforce=baseline --overwrite`.',
  ],
];

test.each(TABLE)('%s', (_, given, remedy) => {
  expect(answerTo(given).reasons[0]!.remedy).toBe(remedy);
});

describe('a quota', () => {
  const holding = [
    usedBy({ node: 'node-0', gpus: 1, namespace: 'ml', job: 'eval' }),
    usedBy({ gpus: 1, namespace: 'ml', job: 'stuck' }),
    usedBy({ gpus: 1, namespace: 'ml', job: 'stuck' }),
    usedBy({ gpus: 1, namespace: 'vision' }),
  ];
  const heldBy = (hard: Readonly<Record<string, string>>, scopes: Parameters<typeof quota>[2] = []) =>
    answerTo({
      pods: wanted(2, specOf(1)),
      others: holding,
      cluster: { quotas: [quota(hard, hard, scopes)] },
    }).reasons[0]?.heldBy;

  it('is held by pods with a node and without, by the names that quotas have for it', () => {
    const both = [
      { who: 'job/ml/stuck', amount: '2' },
      { who: 'job/ml/eval', amount: '1' },
    ];
    expect(heldBy({ pods: '3' })).toEqual(both);
    expect(heldBy({ 'requests.nvidia.com/gpu': '3' })).toEqual(both);
    expect(heldBy({ 'limits.nvidia.com/gpu': '3' })).toEqual(both);
  });

  it('is held only by pods that it counts', () => {
    const batch = { scopeName: 'PriorityClass', operator: 'In', values: ['batch'] };
    expect(heldBy({ pods: '3' }, [{ scopeName: 'BestEffort' }])).toHaveLength(2);
    expect(heldBy({ pods: '3' }, [batch])).toBeUndefined();
  });

  it('is named once, with what the API server said in a dry run', () => {
    const said = 'exceeded quota: team, requested: pods=1, used: pods=3, limited: pods=3';
    const { reasons } = answerTo({
      pods: wanted(2, specOf(1)),
      cluster: { quotas: [quota({ pods: '3' }, { pods: '3' })], ...refused(said, 'QuotaExceeded') },
    });
    expect(reasons).toMatchObject([{ code: 'QuotaExceeded', said: expect.stringContaining(said) }]);
  });

  it('that may not be read is named as the API server does', () => {
    const said = 'exceeded quota: team, requested: pods=1, used: pods=3, limited: pods=3';
    const { reasons } = answerTo({ pods: wanted(2, specOf(1)), cluster: refused(said, 'QuotaExceeded') });
    expect(reasons).toMatchObject([
      {
        code: 'QuotaExceeded',
        remedy: expect.stringContaining('`kubectl describe resourcequota team -n ml`'),
      },
    ]);
  });
});

describe('the table of nodes has the number of the reason', () => {
  const spread = {
    topologySpreadConstraints: [
      { topologyKey: 'zone', maxSkew: 1, whenUnsatisfiable: 'DoNotSchedule', labelSelector: OWN },
    ],
  };
  const zones = [
    ...nodes(1, { name: 'a', labels: { zone: 'a' } }),
    ...nodes(1, { name: 'b', labels: { zone: 'b' } }),
  ];
  const port = { containers: [{ name: 'a', ports: [{ containerPort: 80, hostPort: 80 } as never] }] };
  const CASES: readonly (readonly [string, Choice, number])[] = [
    ['pods that keep apart', { pods: wanted(3, specOf(1, APART)), nodes: nodes(2) }, 2],
    ['a spread', { pods: wanted(3, specOf(1, spread)), nodes: zones, others: [usedBy({ node: 'b-0' })] }, 1],
    ['a port', { pods: wanted(3, port), nodes: nodes(2) }, 2],
    [
      'a minimum that is less than all',
      { pods: wanted(4, specOf(1, APART)), nodes: nodes(2), minMember: 3, enough: 4 },
      2,
    ],
  ];

  it.each(CASES)('%s', (_, given, room) => {
    const { reasons, placements } = answerTo(given);
    expect(placements).toMatchObject([{ room, isExact: true }]);
    expect(reasons[0]!.sentence).toMatch(new RegExp(`\\b${room}\\b`));
  });

  it('of each role as if only its pods were placed', () => {
    const { placements } = answerTo({
      pods: [...wanted(1, specOf(1), 'master'), ...wanted(3, specOf(8, APART))],
      nodes: nodes(2),
    });
    expect(placements.map(({ room }) => room)).toEqual([1, 2]);
  });
});
