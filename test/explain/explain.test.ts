import { describe, expect, it } from '@jest/globals';
import { LABELS } from '../../contracts/labels.ts';
import { parseAmounts } from '../../contracts/pod-requests.ts';
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

/** Constructed situations, each with the reason that comes first. */

interface Case {
  readonly title: string;
  readonly given: Choice;
  /** The codes, in order. */
  readonly codes: readonly string[];
  /** Words of the first. */
  readonly words?: RegExp;
  /** Classes of the nodes of the first shape. */
  readonly classes?: Readonly<Record<string, number>>;
  readonly fits?: string;
  readonly who?: string;
}

const full = (count: number, gpus = 8) =>
  Array.from({ length: count }, (_, index) => usedBy({ node: `node-${index}`, gpus }));
const withPort = (hostPort: number) => ({
  containers: [{ name: 'a', ports: [{ containerPort: hostPort, hostPort } as never] }],
});
const SAID = { scheduler: { reason: 'Unschedulable', message: '0/4 nodes are available', since: ago(50) } };
const anti = (kind: string) => ({
  affinity: { [kind]: { requiredDuringSchedulingIgnoredDuringExecution: [{ topologyKey: 'zone' }] } },
});
const inZone = (value: string) => [{ matchExpressions: [{ key: 'zone', operator: 'In', values: [value] }] }];
const zone = (value: string) => ({
  affinity: {
    nodeAffinity: {
      requiredDuringSchedulingIgnoredDuringExecution: {
        nodeSelectorTerms: inZone(value),
      },
    },
  },
});

const ROOM: readonly Case[] = [
  {
    title: 'a job that fits waits for nothing',
    given: { pods: wanted(4, specOf(8)), minMember: 4 },
    ...{ codes: [], classes: { room: 4 }, fits: 'yes' },
  },
  {
    title: 'a pod larger than every node never fits',
    given: { pods: wanted(1, specOf(16)) },
    ...{
      codes: ['NeverFits'],
      words: /16 nvidia.com\/gpu, the largest node has 8/,
      classes: { tooSmall: 4 },
    },
    ...{ fits: 'no', who: 'you' },
  },
  {
    title: 'a resource that no node has never fits',
    given: { pods: wanted(1, specOf(1)), nodes: nodes(3, { gpus: 0 }) },
    ...{ codes: ['NeverFits'], words: /1 nvidia.com\/gpu, the largest node has 0/, classes: { tooSmall: 3 } },
  },
  {
    title: 'a gang larger than the empty cluster never fits',
    given: { pods: wanted(10, specOf(4)), minMember: 10 },
    ...{
      codes: ['NeverFits'],
      words:
        /^10 pods must run at once: they need 40 nvidia.com\/gpu, the cluster has 32; the 4 nodes .* hold 8 of them/,
      classes: { room: 4 },
    },
  },
  {
    title: 'a gang larger than all that is free on nodes of several sizes',
    given: {
      pods: wanted(7, specOf(2)),
      nodes: [aNode(0), aNode(1, { gpus: 4 }), aNode(2, { gpus: 4 })],
      ...{ minMember: 7, others: [usedBy({ node: 'node-0', gpus: 4 }), usedBy({ node: 'node-1', gpus: 4 })] },
    },
    ...{
      codes: ['NotEnoughRoom'],
      words:
        /^the job needs 14 nvidia.com\/gpu now; 3 nodes that match have 8 free in sum, at most 4 on one: 4 of the 7 pods that must find room at once find it now, each needs 2$/,
    },
  },
  {
    title: 'a gang larger than nodes of several sizes in pieces',
    given: {
      pods: wanted(4, specOf(3)),
      ...{ nodes: [aNode(0), aNode(1, { gpus: 2 }), aNode(2, { gpus: 2 })], minMember: 4 },
    },
    ...{
      codes: ['NeverFits'],
      words:
        /hold 2 of them when all are empty: the worker pods need 12 nvidia.com\/gpu of 12, and no node holds more than 2 of them by its nvidia.com\/gpu$/,
    },
  },
  {
    title: 'no nodes at all',
    given: { pods: wanted(1, specOf(1)), nodes: [] },
    ...{ codes: ['NeverFits'], words: /the cluster has no nodes/, classes: {} },
  },
  {
    title: 'what DaemonSets have is not there for an empty node either',
    given: {
      pods: wanted(1, specOf(8)),
      nodes: nodes(1),
      others: [usedBy({ node: 'node-0', gpus: 1, owner: 'DaemonSet' })],
    },
    ...{ codes: ['NeverFits'], words: /the largest node has 7/, classes: { tooSmall: 1 } },
  },
  {
    title: 'a pod limit of nodes counts as a resource',
    given: { pods: wanted(3, specOf(0)), nodes: nodes(1, { pods: 2 }), minMember: 3 },
    ...{ codes: ['NeverFits'], words: /hold 2/ },
  },
  {
    title: 'nodes that others use are too full',
    given: { pods: wanted(4, specOf(8)), minMember: 4, others: full(3) },
    ...{ codes: ['NotEnoughRoom'], words: /1 of the 4 pods/, classes: { full: 3, room: 1 }, fits: 'no' },
    who: 'nobody',
  },
  {
    title: 'enough in sum, not in pieces',
    given: { pods: wanted(1, specOf(8)), others: full(4, 4) },
    ...{
      codes: ['NotEnoughRoom'],
      words:
        /^the job needs 8 nvidia.com\/gpu now; 4 nodes that match have 16 free in sum, at most 4 on one. Enough in sum/,
      classes: { full: 4 },
    },
  },
  {
    title: 'pods that have ended use nothing',
    given: { pods: wanted(4, specOf(8)), others: [usedBy({ node: 'node-0', phase: 'Succeeded' })] },
    ...{ codes: [], classes: { room: 4 }, fits: 'yes' },
  },
  {
    title: 'room that is being freed',
    given: { pods: wanted(4, specOf(8)), others: [usedBy({ node: 'node-0', deletedAt: ago(90) })] },
    ...{ codes: ['CapacityBeingFreed'], words: /on 1 node \(node-0\) are being deleted/ },
    classes: { beingFreed: 1, room: 3 },
  },
  {
    title: 'room that is reserved for a pod of others',
    given: { pods: wanted(4, specOf(8)), others: [usedBy({ nominated: 'node-2' })] },
    ...{ codes: ['CapacityBeingFreed'], words: /room is reserved/, classes: { reserved: 1, room: 3 } },
  },
  {
    title: 'pods of a lower priority, which make room',
    given: {
      pods: wanted(4, { ...specOf(8), priority: 100 }),
      others: [usedBy({ node: 'node-1', spec: { priority: 99 } })],
    },
    ...{
      codes: ['RoomByPreemption'],
      words:
        /once the scheduler has removed pods of a lower priority; it chooses among those of namespace vision \(1 pod, priority 99\)$/,
    },
    fits: 'no',
  },
  {
    title: 'pods of a lower priority, of whom those of the lowest are enough, and on one node only',
    given: {
      pods: wanted(3, { ...specOf(8), priority: 100 }),
      nodes: [...nodes(3), aNode(3, { name: 'other', gpus: 0 })],
      others: [
        usedBy({ node: 'node-0', gpus: 4, namespace: 'ml', job: 'eval', spec: { priority: -10 } }),
        usedBy({ node: 'node-0', gpus: 4, namespace: 'ml', job: 'eval', spec: { priority: -10 } }),
        usedBy({ node: 'node-1', spec: { priority: 5 } }),
        usedBy({ node: 'other', gpus: 0, namespace: 'web', spec: { priority: -20 } }),
      ],
    },
    ...{
      codes: ['RoomByPreemption'],
      words:
        /it chooses among those of job\/ml\/eval \(2 pods, priority -10\), namespace vision \(1 pod, priority 5\)$/,
    },
  },
  {
    title: 'pods of many holders of a lower priority',
    given: {
      pods: wanted(1, { ...specOf(8), priority: 100 }),
      nodes: nodes(1),
      others: Array.from({ length: 8 }, (_, index) =>
        usedBy({ node: 'node-0', gpus: 1, namespace: `team-${index}`, spec: { priority: 0 } }),
      ),
    },
    ...{ codes: ['RoomByPreemption'], words: /team-4 \(1 pod, priority 0\) and 3 more$/ },
  },
  {
    title: 'pods of a lower priority, of whom those of the lowest are enough',
    given: {
      pods: wanted(1, { ...specOf(8), priority: 100 }),
      nodes: nodes(2),
      others: [
        usedBy({ node: 'node-0', spec: { priority: 9 } }),
        usedBy({ node: 'node-1', namespace: 'web', spec: { priority: 1 } }),
      ],
    },
    ...{ codes: ['RoomByPreemption'], words: /among those of namespace web \(1 pod, priority 1\)$/ },
  },
  {
    title: 'pods of a lower priority that are not enough',
    given: {
      pods: wanted(4, { ...specOf(8), priority: 100 }),
      others: [
        usedBy({ node: 'node-0', spec: { priority: 100 } }),
        usedBy({ node: 'node-1', spec: { priority: 99 } }),
      ],
    },
    ...{ codes: ['NotEnoughRoom'], classes: { full: 2, room: 2 } },
  },
  {
    title: 'pods of a lower priority, and a class that never preempts',
    given: {
      pods: wanted(4, { ...specOf(8), priority: 100, preemptionPolicy: 'Never' }),
      others: [usedBy({ node: 'node-1', spec: { priority: 99 } })],
    },
    ...{ codes: ['NotEnoughRoom'] },
  },
  {
    title: 'pods of a lower priority that are being deleted: what a scheduler does is not known',
    given: {
      pods: wanted(4, { ...specOf(8), priority: 100 }),
      others: [usedBy({ node: 'node-1', deletedAt: ago(90), spec: { priority: 99 } })],
    },
    ...{ codes: ['CapacityBeingFreed'] },
  },
  {
    title: 'what is being freed is not enough',
    given: {
      pods: wanted(4, specOf(8)),
      others: [usedBy({ node: 'node-0', deletedAt: ago(90) }), usedBy({ node: 'node-1' })],
    },
    ...{ codes: ['NotEnoughRoom'], classes: { beingFreed: 1, full: 1, room: 2 } },
  },
  {
    title: 'a gang that may begin with fewer pods fits',
    given: { pods: wanted(4, specOf(8)), minMember: 2, others: full(2) },
    ...{ codes: [], fits: 'yes', classes: { full: 2, room: 2 } },
  },
  {
    title: 'pods that have a node count for their gang',
    given: {
      own: PENDING,
      pods: [...created(2, { ...specOf(8), nodeName: 'node-0' }), ...created(2, specOf(8))],
      others: [0, 1].map((index) => usedBy({ node: `node-${index}`, namespace: 'ml', job: 'train' })),
      ...{ minMember: 4, waiting: waitingPods(2, SAID) },
    },
    ...{ codes: ['Unknown'], fits: 'yes', classes: { full: 2, room: 2 } },
  },
  {
    title: 'roles of different sizes that find a place',
    given: { pods: [...wanted(1, specOf(0), 'master'), ...wanted(4, specOf(8))], minMember: 5 },
    ...{ codes: [], fits: 'yes' },
  },
  {
    title: 'roles of different sizes of which the small one may take the room of the large one',
    given: { pods: [...wanted(1, specOf(8), 'master'), ...wanted(2, specOf(4))], others: full(2) },
    ...{ codes: ['NotComputed'], words: /if the scheduler chooses the right nodes first/, who: 'unknown' },
    fits: 'unknown',
  },
  {
    title: 'roles of different sizes of which one alone is too much',
    given: {
      pods: [...wanted(1, specOf(1), 'master'), ...wanted(3, specOf(8))],
      minMember: 4,
      others: full(1),
    },
    ...{ codes: ['NotEnoughRoom'], words: /at least 3 of the 4 pods/, fits: 'no' },
  },
];

const MATCHES: readonly Case[] = [
  {
    title: 'a selector that no node has',
    given: { pods: wanted(2, { ...specOf(1), nodeSelector: { pool: 'h100' } }) },
    ...{
      codes: ['NoNodeMatches'],
      words: /4 excluded by node selector/,
      classes: { selector: 4 },
      who: 'either',
    },
  },
  {
    title: 'an affinity that no node matches',
    given: { pods: wanted(1, { ...specOf(1), ...zone('b') }), nodes: nodes(2, { labels: { zone: 'a' } }) },
    ...{ codes: ['NoNodeMatches'], classes: { selector: 2 } },
  },
  {
    title: 'an affinity that a node matches',
    given: { pods: wanted(1, { ...specOf(1), ...zone('a') }), nodes: nodes(2, { labels: { zone: 'a' } }) },
    ...{ codes: [], classes: { room: 2 } },
  },
  {
    title: 'a taint that the pods do not tolerate',
    given: { pods: wanted(1, specOf(1)), nodes: nodes(2, { taint: 'nvidia.com/gpu' }) },
    ...{ codes: ['NoNodeMatches'], words: /taint .* \(nvidia.com\/gpu:NoSchedule\)/, classes: { taint: 2 } },
  },
  {
    title: 'a taint that the pods tolerate',
    given: {
      pods: wanted(1, { ...specOf(1), tolerations: [{ key: 'nvidia.com/gpu', operator: 'Exists' }] }),
      nodes: nodes(2, { taint: 'nvidia.com/gpu' }),
    },
    ...{ codes: [], classes: { room: 2 } },
  },
  {
    title: 'cordoned nodes',
    given: { pods: wanted(1, specOf(1)), nodes: nodes(2, { isCordoned: true }) },
    ...{ codes: ['NoNodeMatches'], words: /2 cordoned/, classes: { cordoned: 2 }, who: 'administrator' },
  },
  {
    title: 'nodes that are not ready',
    given: { pods: wanted(1, specOf(1)), nodes: nodes(2, { isReady: false }) },
    ...{ codes: ['NoNodeMatches'], words: /2 not ready/, classes: { notReady: 2 }, who: 'administrator' },
  },
  {
    title: 'a cordoned node that others of the gang run on',
    given: {
      own: PENDING,
      pods: [...created(1, { ...specOf(8), nodeName: 'node-0' }), ...created(1, specOf(8))],
      nodes: [aNode(0, { isCordoned: true }), aNode(1)],
      others: [usedBy({ node: 'node-0', namespace: 'ml', job: 'train' }), usedBy({ node: 'node-1' })],
      ...{ minMember: 2, waiting: waitingPods(1, SAID) },
    },
    ...{ codes: ['NotEnoughRoom'], classes: { cordoned: 1, full: 1 } },
  },
  {
    title: 'each node is in one class, whatever keeps it away',
    given: {
      pods: wanted(4, { ...specOf(4), nodeSelector: { pool: 'a' } }),
      nodes: [
        aNode(0, { labels: { pool: 'b' }, taint: 'x', isCordoned: true }),
        aNode(1, { labels: { pool: 'a' }, taint: 'x' }),
        aNode(2, { labels: { pool: 'a' }, gpus: 2 }),
        aNode(3, { labels: { pool: 'a' }, isReady: false }),
        aNode(4, { labels: { pool: 'a' }, isCordoned: true }),
        aNode(5, { labels: { pool: 'a' } }),
        aNode(6, { labels: { pool: 'a' } }),
      ],
      others: [usedBy({ node: 'node-5', gpus: 6 })],
    },
    codes: ['NotEnoughRoom'],
    classes: { selector: 1, taint: 1, tooSmall: 1, notReady: 1, cordoned: 1, full: 1, room: 1 },
  },
  {
    title: 'too few nodes match for the gang',
    given: {
      pods: wanted(4, { ...specOf(8), nodeSelector: { pool: 'a' } }),
      ...{ nodes: [...nodes(2, { labels: { pool: 'a' } }), ...nodes(6, { name: 'b' })], minMember: 4 },
    },
    ...{
      codes: ['NoNodeMatches'],
      words:
        /^the job needs 32 nvidia.com\/gpu at once, the nodes that match have 16: the nodes that match hold 2 of the 4 pods/,
      classes: { selector: 6, room: 2 },
    },
  },
  {
    title: 'a volume in another zone',
    given: {
      pods: wanted(1, { ...specOf(1), volumes: [{ persistentVolumeClaim: { claimName: 'data' } }] }),
      nodes: nodes(2, { labels: { zone: 'a' } }),
      claims: new Map([['data', inZone('b')]]),
    },
    ...{
      codes: ['NoNodeMatches'],
      words: /2 excluded by node selector or affinity \(volume of PersistentVolumeClaim data\)/,
      classes: { selector: 2 },
    },
  },
  {
    title: 'volumes of the replicas in zones that have too few nodes',
    given: {
      pods: ['data-0', 'data-1', 'data-2'].map((claimName) => ({
        ...{ role: 'worker', isCreated: false },
        spec: { ...specOf(8), volumes: [{ persistentVolumeClaim: { claimName } }] },
      })),
      nodes: [aNode(0, { labels: { zone: 'a' } }), aNode(1, { labels: { zone: 'b' } }), aNode(2), aNode(3)],
      claims: new Map([
        ['data-0', inZone('a')],
        ['data-1', inZone('b')],
        ['data-2', inZone('b')],
      ]),
      minMember: 3,
    },
    ...{ codes: ['NoNodeMatches'], words: /volume of PersistentVolumeClaim data-1/ },
  },
  {
    title: 'a volume in the zone of nodes that others use',
    given: {
      pods: wanted(1, { ...specOf(8), volumes: [{ persistentVolumeClaim: { claimName: 'data' } }] }),
      nodes: [aNode(0, { labels: { zone: 'a' } }), aNode(1, { labels: { zone: 'b' } })],
      others: [usedBy({ node: 'node-0' })],
      claims: new Map([['data', inZone('a')]]),
    },
    ...{ codes: ['NotEnoughRoom'], classes: { selector: 1, full: 1 }, fits: 'no' },
  },
  {
    title: 'a volume of which the nodes may not be read',
    given: {
      pods: wanted(1, { ...specOf(8), volumes: [{ persistentVolumeClaim: { claimName: 'data' } }] }),
      claims: new Map([['data', 'unknown' as const]]),
    },
    ...{
      codes: ['NotComputed'],
      words: /volumes that may not be read/,
      classes: { room: 4 },
      fits: 'unknown',
    },
  },
  {
    title: 'an operator of an affinity that is not known',
    given: {
      pods: wanted(1, {
        ...specOf(1),
        affinity: {
          nodeAffinity: {
            requiredDuringSchedulingIgnoredDuringExecution: {
              nodeSelectorTerms: [{ matchExpressions: [{ key: 'zone', operator: 'Near', values: ['a'] }] }],
            },
          },
        },
      }),
    },
    ...{ codes: ['NoNodeMatches'], classes: { unknown: 4 } },
  },
  {
    title: 'where there is no room, affinity between pods changes nothing',
    given: { pods: wanted(1, { ...specOf(8), ...anti('podAntiAffinity') }), others: full(4) },
    ...{ codes: ['NotEnoughRoom'], fits: 'no' },
  },
  {
    title: 'ports of nodes allow one pod on each',
    given: {
      pods: wanted(5, withPort(80)),
      minMember: 5,
    },
    ...{ codes: ['NeverFits'], words: /hold 4/ },
  },
  {
    title: 'a port that others use',
    given: {
      pods: wanted(1, withPort(80)),
      nodes: nodes(1),
      others: [{ ...usedBy({ node: 'node-0', gpus: 0 }), spec: { ...withPort(80), nodeName: 'node-0' } }],
    },
    ...{
      codes: ['NotEnoughRoom'],
      words: /each needs hostPort 80\/TCP of its node, which 1 of the 1 node that match has in use$/,
      classes: { full: 1 },
    },
  },
  {
    title: 'a port that a DaemonSet uses on each node',
    given: {
      pods: wanted(1, withPort(80)),
      nodes: nodes(1),
      others: [
        {
          ...usedBy({ node: 'node-0', gpus: 0, owner: 'DaemonSet' }),
          spec: { ...withPort(80), nodeName: 'node-0' },
        },
      ],
    },
    ...{
      codes: ['NeverFits'],
      words:
        /^each worker pod requests hostPort 80\/TCP, which pods of the nodes themselves use on all of them$/,
    },
  },
  {
    title: 'another port than the one that others use',
    given: {
      pods: wanted(1, withPort(81)),
      nodes: nodes(1),
      others: [{ ...usedBy({ node: 'node-0', gpus: 0 }), spec: { ...withPort(80), nodeName: 'node-0' } }],
    },
    ...{ codes: [], classes: { room: 1 }, fits: 'yes' },
  },
  {
    title: 'roles that use the same port',
    given: {
      pods: [...wanted(1, withPort(80), 'master'), ...wanted(2, { ...withPort(80), ...zone('a') })],
      nodes: nodes(2, { labels: { zone: 'a' } }),
    },
    ...{ codes: ['NeverFits'], words: /3 pods must run at once.*; the 2 nodes .* hold at least 2/ },
  },
];

const OWN = { matchLabels: { [LABELS.job]: 'train' } };
const HOST = 'kubernetes.io/hostname';
const required = (kind: 'podAffinity' | 'podAntiAffinity', ...terms: object[]) => ({
  affinity: { [kind]: { requiredDuringSchedulingIgnoredDuringExecution: terms } },
});
const apart = (topologyKey: string, labelSelector: object = OWN) =>
  required('podAntiAffinity', { topologyKey, labelSelector });
const together = (topologyKey: string, labelSelector: object = OWN) =>
  required('podAffinity', { topologyKey, labelSelector });
const spread = (topologyKey: string, more: object = {}) => ({
  topologySpreadConstraints: [
    { topologyKey, maxSkew: 1, whenUnsatisfiable: 'DoNotSchedule', labelSelector: OWN, ...more },
  ],
});
const APART_FROM_TEAM = required('podAntiAffinity', {
  ...{ topologyKey: HOST, labelSelector: { matchLabels: { app: 'noisy' } } },
  namespaceSelector: { matchLabels: { team: 'a' } },
});
const NOISY = usedBy({ node: 'node-0', gpus: 1, labels: { app: 'noisy' } });
/** Two nodes in each zone. */
const zones = (...names: string[]) =>
  names.flatMap((name) => nodes(2, { name: `node-${name}`, labels: { zone: name } }));

const TOPOLOGY: readonly Case[] = [
  {
    title: 'pods that keep apart find a node each',
    given: { pods: wanted(4, specOf(1, apart(HOST))), minMember: 4 },
    ...{ codes: [], fits: 'yes', classes: { room: 4 } },
  },
  {
    title: 'a gang that keeps apart has more pods than there are nodes',
    given: { pods: wanted(5, specOf(1, apart(HOST))), minMember: 5 },
    ...{ codes: ['NeverFits'], fits: 'no', who: 'you' },
    words:
      /hold 4 of them when all are empty: podAntiAffinity allows one pod in each kubernetes.io\/hostname, and 4 have room$/,
  },
  {
    title: 'pods of two roles that keep apart from all of the job',
    given: { pods: [...wanted(1, specOf(1, apart(HOST)), 'master'), ...wanted(4, specOf(1, apart(HOST)))] },
    ...{ codes: ['NeverFits'], words: /podAntiAffinity/ },
  },
  {
    title: 'pods that keep apart, of which others have some nodes',
    given: { pods: wanted(2, specOf(8, apart(HOST))), others: full(3) },
    ...{
      codes: ['NotEnoughRoom'],
      words: /1 of the 2 pods .*: podAntiAffinity allows one .* and 1 has room$/,
    },
  },
  {
    title: 'pods that keep apart by a label that no node has are not kept from any',
    given: { pods: wanted(5, specOf(1, apart('rack'))) },
    ...{ codes: [], fits: 'yes' },
  },
  {
    title: 'pods that keep away from pods of others',
    given: {
      pods: wanted(2, specOf(1, apart(HOST, { matchLabels: { app: 'noisy' } }))),
      others: [0, 1, 2, 3].map((index) =>
        usedBy({ node: `node-${index}`, gpus: 1, namespace: 'ml', labels: { app: 'noisy' } }),
      ),
    },
    ...{ codes: ['NotEnoughRoom'], words: /podAntiAffinity allows no .* where pods are .* in 4 others$/ },
  },
  {
    title: 'pods that keep away from pods of namespaces with a label',
    given: {
      pods: wanted(1, specOf(1, APART_FROM_TEAM)),
      ...{ nodes: nodes(1), others: [NOISY], namespaces: new Map([['vision', { team: 'a' }]]) },
    },
    ...{ codes: ['NotEnoughRoom'], words: /podAntiAffinity allows no .* where pods are that it names/ },
  },
  {
    title: 'pods that keep away from pods of namespaces with a label that others do not have',
    given: {
      pods: wanted(1, specOf(1, APART_FROM_TEAM)),
      ...{ nodes: nodes(1), others: [NOISY], namespaces: new Map([['vision', { team: 'b' }]]) },
    },
    ...{ codes: [], fits: 'yes' },
  },
  {
    title: 'pods that keep away from pods of namespaces with a label, and these may not be listed',
    given: { pods: wanted(1, specOf(1, APART_FROM_TEAM)), nodes: nodes(1), others: [NOISY] },
    ...{ codes: ['NotComputed'], fits: 'unknown', words: /whether podAntiAffinity can be met/ },
  },
  {
    title: 'pods of others that keep away from those of namespaces that may not be listed',
    given: {
      pods: wanted(1, specOf(1)),
      nodes: nodes(1),
      others: [
        usedBy({
          ...{ node: 'node-0', gpus: 1 },
          spec: required('podAntiAffinity', {
            ...{ topologyKey: HOST, labelSelector: OWN },
            namespaceSelector: { matchLabels: { team: 'b' } },
          }),
        }),
      ],
    },
    ...{ codes: ['NotComputed'], fits: 'unknown', words: /whether podAntiAffinity of other pods can be met/ },
  },
  {
    title: 'pods of others that keep away from the job',
    given: {
      pods: wanted(1, specOf(1)),
      others: [usedBy({ node: 'node-0', gpus: 1, namespace: 'ml', spec: apart(HOST) })],
    },
    ...{ codes: [], classes: { repelled: 1, room: 3 }, fits: 'yes' },
  },
  {
    title: 'pods of others that keep away from the job on all nodes',
    given: {
      pods: wanted(1, specOf(1)),
      ...{
        nodes: zones('a'),
        others: [usedBy({ node: 'node-a-0', gpus: 1, namespace: 'ml', spec: apart('zone') })],
      },
    },
    ...{ codes: ['NotEnoughRoom'], classes: { repelled: 2 }, fits: 'no' },
    words: /podAntiAffinity of other pods keeps them from 2 nodes$/,
  },
  {
    title: 'pods of others that keep away from the job, and are being deleted',
    given: {
      pods: wanted(1, specOf(1)),
      nodes: nodes(1),
      others: [usedBy({ node: 'node-0', gpus: 1, namespace: 'ml', spec: apart(HOST), deletedAt: ago(5) })],
    },
    ...{ codes: ['CapacityBeingFreed'], classes: { beingFreed: 1 } },
  },
  {
    title: 'a DaemonSet that keeps away from the job',
    given: {
      pods: wanted(1, specOf(1)),
      nodes: nodes(1),
      others: [usedBy({ node: 'node-0', gpus: 1, namespace: 'ml', spec: apart(HOST), owner: 'DaemonSet' })],
    },
    ...{ codes: ['NoNodeMatches'], classes: { repelled: 1 }, words: /where pods of others keep them away/ },
  },
  {
    title: 'pods that want to be together find a zone for all',
    given: { pods: wanted(2, specOf(8, together('zone'))), nodes: zones('a', 'b') },
    ...{ codes: [], fits: 'yes' },
  },
  {
    title: 'pods that want to be together, and no zone holds them',
    given: { pods: wanted(3, specOf(8, together('zone'))), nodes: zones('a', 'b') },
    ...{
      codes: ['NeverFits'],
      words: /podAffinity wants all pods in one zone, and the largest has room for 2$/,
    },
  },
  {
    title: 'pods that want to be where no pod is',
    given: { pods: wanted(1, specOf(1, together(HOST, { matchLabels: { app: 'cache' } }))) },
    ...{ codes: ['NoNodeMatches'], words: /podAffinity names pods that are on no node/ },
  },
  {
    title: 'pods that want to be where others are',
    given: {
      pods: wanted(1, specOf(1, together(HOST, { matchLabels: { app: 'cache' } }))),
      others: [usedBy({ node: 'node-2', gpus: 1, namespace: 'ml', labels: { app: 'cache' } })],
    },
    ...{ codes: [], fits: 'yes' },
  },
  {
    title: 'an affinity by a label that no node has',
    given: { pods: wanted(1, specOf(1, together('zome'))), nodes: zones('a') },
    ...{ codes: ['NoNodeMatches'], classes: { selector: 2 }, fits: 'no' },
    words:
      /\(podAffinity topologyKey zome\); podAffinity topologyKey zome: no node has zome; 2 nodes have zone=a$/,
  },
  {
    title: 'a spread by a label that no node has',
    given: { pods: wanted(2, specOf(1, spread('rack'))) },
    ...{ codes: ['NoNodeMatches'], words: /no node has rack/, classes: { selector: 4 }, fits: 'no' },
  },
  {
    title: 'a spread over zones with room',
    given: { pods: wanted(4, specOf(8, spread('zone'))), nodes: zones('a', 'b') },
    ...{ codes: [], fits: 'yes' },
  },
  {
    title: 'a spread over fewer zones than it wants',
    given: { pods: wanted(2, specOf(1, spread('zone', { minDomains: 2 }))), nodes: zones('a') },
    ...{ codes: ['NeverFits'], fits: 'no' },
    words:
      /topologySpreadConstraints allow 1 with maxSkew 1 over 1 domain of zone, fewer than minDomains 2: each may have at most 1$/,
  },
  {
    title: 'a spread over a zone whose nodes have a taint',
    given: {
      pods: wanted(2, specOf(1, spread('zone'))),
      nodes: [
        ...nodes(1, { labels: { zone: 'a' } }),
        ...nodes(1, { name: 'b', labels: { zone: 'b' }, taint: 'x' }),
      ],
    },
    ...{
      codes: ['NoNodeMatches'],
      words: /allow 1 with maxSkew 1 over 2 domains of zone, 1 of them without room/,
    },
  },
  {
    title: 'the same where the spread leaves such nodes out',
    given: {
      pods: wanted(2, specOf(1, spread('zone', { nodeTaintsPolicy: 'Honor' }))),
      nodes: [
        ...nodes(1, { labels: { zone: 'a' } }),
        ...nodes(1, { name: 'b', labels: { zone: 'b' }, taint: 'x' }),
      ],
    },
    ...{ codes: [], fits: 'yes' },
  },
  {
    title: 'a spread that is only a wish',
    given: { pods: wanted(2, specOf(1, spread('rack', { whenUnsatisfiable: 'ScheduleAnyway' }))) },
    ...{ codes: [], fits: 'yes' },
  },
  {
    title: 'two terms at once',
    given: {
      pods: wanted(2, specOf(1, { ...apart(HOST), ...spread('zone') })),
      nodes: zones('a', 'b'),
    },
    ...{ codes: [], fits: 'yes' },
  },
  {
    title: 'two terms at once allow fewer than each of them',
    given: {
      pods: wanted(4, specOf(1, { ...apart('rack'), ...spread('zone') })),
      nodes: [
        ...[0, 1, 2, 3].map((rack) => aNode(rack, { labels: { zone: 'a', rack: `${rack}` } })),
        aNode(4, { labels: { zone: 'b', rack: '0' } }),
      ],
    },
    ...{ codes: ['NoNodeMatches'], fits: 'no' },
    words: /podAntiAffinity and topologySpreadConstraints allow 3 of them at once/,
  },
  {
    title: 'pods of two forms that keep apart from each other',
    given: {
      pods: [...wanted(1, specOf(1, apart(HOST)), 'master'), ...wanted(2, specOf(2, apart(HOST)))],
      nodes: nodes(3),
    },
    ...{ codes: [], fits: 'yes' },
  },
  {
    title: 'pods of two forms that keep apart from each other, and are more than the nodes',
    given: {
      pods: [...wanted(1, specOf(1, apart(HOST)), 'master'), ...wanted(2, specOf(2, apart(HOST)))],
      nodes: nodes(2),
    },
    ...{ codes: ['NeverFits'], fits: 'no', words: /podAntiAffinity allows one pod in each/ },
  },
  {
    title: 'terms that can be met, if the first pod is placed well, are not computed',
    given: {
      own: PENDING,
      pods: created(2, specOf(8, together('zone'))),
      ...{ nodes: [...zones('a'), aNode(9, { labels: { zone: 'b' } })], waiting: waitingPods(2, SAID) },
    },
    ...{ codes: ['NotComputed'], fits: 'unknown', who: 'unknown' },
    words: /^whether podAffinity can be met is not computed here/,
  },
];

const UNCERTAIN: readonly Case[] = [
  {
    title: 'pods that also need devices find no room: that waiting is enough is not known',
    given: {
      pods: wanted(1, specOf(8, { resourceClaims: [{ name: 'card', resourceClaimName: 'cards' }] })),
      ...{ nodes: nodes(1), others: [usedBy({ node: 'node-0', gpus: 8 })] },
    },
    ...{ codes: ['NotEnoughRoom'], who: 'unknown', fits: 'no' },
    words: /at most 0 on one: .*; whether resourceClaims can be met is not computed here$/,
  },
];

const TERMS: readonly Case[] = [
  {
    title: 'a label that is misspelt',
    given: {
      pods: wanted(1, specOf(1, { nodeSelector: { 'gpu.example.com/modle': 'h100' } })),
      nodes: nodes(2, { labels: { 'gpu.example.com/model': 'h100' } }),
    },
    codes: ['NoNodeMatches'],
    words:
      /nodeSelector gpu.example.com\/modle=h100: no node has gpu.example.com\/modle; 2 nodes have gpu.example.com\/model=h100$/,
  },
  {
    title: 'a value that is misspelt',
    given: {
      pods: wanted(1, specOf(1, { nodeSelector: { model: 'h10' } })),
      nodes: [
        ...nodes(2, { labels: { model: 'h100' } }),
        ...nodes(3, { name: 'b', labels: { model: 't4' } }),
      ],
    },
    ...{
      codes: ['NoNodeMatches'],
      words: /nodeSelector model=h10: 2 nodes have model=h100, 3 nodes have model=t4$/,
    },
  },
  {
    title: 'a term of an affinity, with its operator',
    given: { pods: wanted(1, { ...specOf(1), ...zone('c') }), nodes: zones('a', 'b') },
    ...{ codes: ['NoNodeMatches'], words: /4 excluded .* \(nodeAffinity zone In c\).*2 nodes have zone=a/ },
  },
  {
    title: 'a taint that is tolerated with another value',
    given: {
      pods: wanted(1, specOf(1, { tolerations: [{ key: 'team', value: 'a' }] })),
      nodes: nodes(2, { taint: 'team=b' }),
    },
    ...{
      codes: ['NoNodeMatches'],
      words: /taint team=b:NoSchedule: the pods tolerate team with the value a$/,
    },
  },
  {
    title: 'a taint that is tolerated with another effect',
    given: {
      pods: wanted(1, specOf(1, { tolerations: [{ key: 'team', operator: 'Exists', effect: 'NoExecute' }] })),
      nodes: nodes(2, { taint: 'team=b' }),
    },
    ...{ codes: ['NoNodeMatches'], words: /the pods tolerate team with the effect NoExecute only$/ },
  },
  {
    title: 'a resource that is misspelt',
    given: {
      pods: wanted(1, { containers: [{ name: 'a', resources: { limits: { 'nvidia.com/gpus': '1' } } }] }),
    },
    ...{ codes: ['NeverFits'], words: /; no node has nvidia.com\/gpus, 4 nodes have nvidia.com\/gpu$/ },
  },
  {
    title: 'a node that is full by its number of pods',
    given: {
      pods: wanted(1, specOf(0)),
      nodes: nodes(1, { pods: 1 }),
      others: [usedBy({ node: 'node-0', gpus: 0 })],
    },
    ...{
      codes: ['NotEnoughRoom'],
      words: /^the job needs 1 pod now; 1 node that match have 0 free in sum/,
      classes: { full: 1 },
    },
  },
  {
    title: 'nodes that match hold fewer pods than the gang has, by their number of pods',
    given: {
      pods: wanted(5, specOf(0, { nodeSelector: { pool: 'a' } })),
      nodes: [...nodes(2, { labels: { pool: 'a' }, pods: 2 }), ...nodes(4, { name: 'b' })],
      minMember: 5,
    },
    ...{ codes: ['NoNodeMatches'], words: /hold 4 of the 5 pods .*; each holds at most 2, by its pods/ },
  },
  {
    title: 'a gang whose minimum finds room, and never the rest',
    given: { pods: wanted(3, specOf(8)), nodes: nodes(2), ...{ minMember: 2, enough: 3 } },
    ...{ codes: ['NeverFits'], fits: 'no' },
    words:
      /^the 2 pods that must find room at once do; 3 pods must have a node before the job runs: they need 24 .*; the 2 nodes .* hold 2/,
  },
  {
    title: 'a gang whose minimum finds room, and the rest not now',
    given: { pods: wanted(4, specOf(8)), others: full(1), ...{ minMember: 2, enough: 4 } },
    ...{
      codes: ['NotEnoughRoom'],
      words: /^the job needs 32 .*: the 2 pods that must find room at once do; 3 of the 4 pods that wait/,
    },
  },
  {
    title: 'a gang whose minimum waits for room, and that as a whole never finds any',
    given: { pods: wanted(3, specOf(8)), nodes: nodes(2), others: full(1), ...{ minMember: 2, enough: 3 } },
    ...{ codes: ['NeverFits'], words: /2 of the 3 pods|hold 2/, fits: 'no' },
  },
  {
    title: 'a gang whose minimum is enough to run',
    given: { pods: wanted(4, specOf(8)), others: full(2), ...{ minMember: 2, enough: 2 } },
    ...{ codes: [], fits: 'yes' },
  },
];

/** As a job says it that waits until it tries again. */
const EXCEEDED = {
  reason: 'QuotaExceeded' as const,
  message:
    'pods "train-worker-0" is forbidden: exceeded quota: team, requested: pods=1, used: pods=4, limited: pods=4; retrying until 13:00:00Z',
};

const OTHERS: readonly Case[] = [
  {
    title: 'a quota that never allows so much',
    given: { pods: wanted(4, specOf(8)), cluster: { quotas: [quota({ 'requests.nvidia.com/gpu': '16' })] } },
    ...{
      codes: ['NeverFits'],
      words: /needs 32 requests.nvidia.com\/gpu; the ResourceQuota team allows .* 16/,
    },
  },
  {
    title: 'a quota that others use',
    given: {
      pods: wanted(4, specOf(8)),
      cluster: { quotas: [quota({ 'requests.nvidia.com/gpu': '40' }, { 'requests.nvidia.com/gpu': '16' })] },
    },
    ...{ codes: ['QuotaExceeded'], words: /needs 32 .* leaves 24 of 40/, who: 'nobody' },
  },
  {
    title: 'pods that exist are part of what a quota counts as used',
    given: {
      own: PENDING,
      pods: created(4, specOf(8)),
      waiting: waitingPods(4, SAID),
      cluster: { quotas: [quota({ pods: '4' }, { pods: '4' })] },
    },
    codes: ['Unknown'],
  },
  {
    title: 'a quota that the job itself has used up in part',
    given: {
      own: PENDING,
      pods: [...created(2, specOf(1)), ...wanted(1, specOf(1))],
      others: [usedBy({ node: 'node-0', gpus: 1, namespace: 'ml', job: 'eval' })],
      ...{ waiting: waitingPods(2, SAID), cluster: { quotas: [quota({ pods: '3' }, { pods: '3' })] } },
    },
    codes: ['QuotaExceeded'],
    words:
      /^the job needs 1 pod more; the ResourceQuota team leaves 0 of 3, because namespace ml uses 3, 2 of them for this job$/,
  },
  {
    title: 'a quota of other pods does not count',
    given: {
      pods: wanted(4, specOf(8)),
      cluster: { quotas: [quota({ pods: '1' }, {}, [{ scopeName: 'Terminating' }])] },
    },
    codes: [],
  },
  {
    title: 'a quota of a priority class',
    given: {
      pods: wanted(4, { ...specOf(8), priorityClassName: 'low' }),
      cluster: {
        quotas: [quota({ pods: '1' }, {}, [{ scopeName: 'PriorityClass', operator: 'In', values: ['low'] }])],
      },
    },
    codes: ['NeverFits'],
  },
  {
    title: 'a quota of Services',
    given: {
      pods: wanted(2, specOf(1)),
      objects: { services: 2 },
      cluster: { quotas: [quota({ 'count/services': '3' }, { 'count/services': '2' })] },
    },
    ...{ codes: ['QuotaExceeded'], words: /2 count\/services more/ },
  },
  {
    title: 'a quota that never allows so many Services',
    given: {
      pods: wanted(2, specOf(1)),
      objects: { services: 2 },
      cluster: { quotas: [quota({ services: '1' })] },
    },
    ...{ codes: ['NeverFits'], words: /needs 2 services; .* 1$/ },
  },
  {
    title: 'a quota of ConfigMaps that the one of each namespace uses up',
    given: {
      pods: wanted(2, specOf(1)),
      objects: { configmaps: 1 },
      cluster: { quotas: [quota({ 'count/configmaps': '1' }, { 'count/configmaps': '1' })] },
    },
    ...{ codes: ['NeverFits'], words: /allows the namespace 1, of which the ConfigMap kube-root-ca.crt/ },
  },
  {
    title: 'a quota of pods that name pods of other namespaces, if only as a preference',
    given: {
      pods: wanted(2, {
        ...specOf(1),
        affinity: {
          podAntiAffinity: {
            preferredDuringSchedulingIgnoredDuringExecution: [
              { weight: 10, podAffinityTerm: { topologyKey: 'zone', namespaceSelector: {} } },
            ],
          },
        },
      }),
      cluster: {
        quotas: [quota({ pods: '0' }, {}, [{ scopeName: 'CrossNamespacePodAffinity', operator: 'Exists' }])],
      },
    },
    ...{ codes: ['NeverFits'], words: /needs 2 pods; .* 0$/ },
  },
  {
    title: 'a quota of pods that name pods of other namespaces, beside others',
    given: {
      pods: wanted(2, specOf(1)),
      cluster: {
        quotas: [quota({ pods: '0' }, {}, [{ scopeName: 'CrossNamespacePodAffinity', operator: 'Exists' }])],
      },
    },
    codes: [],
  },
  {
    title: 'a ConfigMap that does not exist comes before a lack of room',
    given: {
      pods: wanted(4, specOf(8)),
      others: full(4),
      cluster: { missing: [{ kind: 'ConfigMap', name: 'settings', of: 'a volume of worker' }] },
    },
    ...{
      codes: ['DependencyMissing', 'NotEnoughRoom'],
      words: /the ConfigMap settings does not exist/,
      who: 'you',
    },
  },
  {
    title: 'what never fits comes before what is missing',
    given: {
      pods: wanted(1, specOf(16)),
      cluster: { missing: [{ kind: 'PriorityClass', name: 'low', of: 'worker' }] },
    },
    codes: ['NeverFits', 'DependencyMissing'],
  },
  {
    title: 'a pod that a policy of the namespace refuses',
    given: {
      pods: wanted(1, specOf(1)),
      cluster: {
        refused: [
          { object: 'Pod ml/a', code: 'ClusterRefused', message: 'violates PodSecurity "restricted"' },
        ],
      },
    },
    ...{ codes: ['ClusterRefused'], words: /PodSecurity/ },
  },
  {
    title: 'a refusal that names a missing object is said once',
    given: {
      pods: wanted(1, specOf(1)),
      cluster: {
        missing: [{ kind: 'ServiceAccount', name: 'trainer', of: 'worker' }],
        refused: [
          { object: 'Pod ml/a', code: 'DependencyMissing', message: 'serviceaccount "trainer" not found' },
        ],
      },
    },
    codes: ['DependencyMissing'],
  },
  {
    title: 'a claim that is not bound',
    given: {
      pods: wanted(1, specOf(1)),
      cluster: { volumes: [{ claim: 'data', why: 'is Pending: no provisioner', since: ago(600) }] },
    },
    ...{ codes: ['VolumePending'], words: /data is Pending/, who: 'administrator' },
  },
  {
    title: 'a claim for one pod that several mount',
    given: {
      pods: wanted(2, specOf(1)),
      cluster: { volumes: [{ claim: 'data', why: 'is ReadWriteOncePod, for one pod', never: true }] },
    },
    ...{ codes: ['NeverFits'], words: /data is ReadWriteOncePod/, who: 'you' },
  },
  {
    title: 'a claim that is not bound comes before a lack of room',
    given: {
      pods: wanted(4, specOf(8)),
      others: full(4),
      cluster: { volumes: [{ claim: 'data', why: 'is not bound' }] },
    },
    codes: ['VolumePending', 'NotEnoughRoom'],
  },
  {
    title: 'nodes that do not match come before a quota that others use',
    given: {
      pods: wanted(1, { ...specOf(1), nodeSelector: { pool: 'h100' } }),
      cluster: { quotas: [quota({ pods: '4' }, { pods: '4' })] },
    },
    codes: ['NoNodeMatches', 'QuotaExceeded'],
  },
  {
    title: 'a scheduler of which nothing is known, before the job is submitted',
    given: {
      pods: wanted(1, { ...specOf(1), schedulerName: 'nobody' }),
      cluster: { schedulers: { nobody: { name: 'kube-system/nobody' } } },
    },
    ...{ codes: ['NotComputed'], words: /whether a scheduler nobody runs is not known; there is no Lease/ },
  },
  {
    title: 'a scheduler with a current lease, before the job is submitted',
    given: {
      pods: wanted(1, { ...specOf(1), schedulerName: 'own' }),
      cluster: { schedulers: { own: { name: 'kube-system/own', renewedAt: ago(5) } } },
    },
    codes: [],
  },
  {
    title: 'a scheduling gate',
    given: {
      own: PENDING,
      pods: created(2, { ...specOf(1), schedulingGates: [{ name: 'example.com/budget' }] }),
      waiting: waitingPods(2, { gates: ['example.com/budget'], createdAt: ago(300) }),
    },
    ...{ codes: ['SchedulingGated'], words: /gate example.com\/budget holds 2 pods back/ },
  },
  {
    title: 'the gate of a queue is explained by the queue',
    given: {
      own: PENDING,
      pods: created(1, { ...specOf(1), schedulingGates: [{ name: 'kueue.x-k8s.io/admission' }] }),
      waiting: waitingPods(1, { gates: ['kueue.x-k8s.io/admission'], createdAt: ago(300) }),
      cluster: {
        queue: {
          ...{ of: 'Kueue', code: 'WaitingForQueue', gate: 'kueue.x-k8s.io/admission' },
          message: 'insufficient unused quota for cpu in flavor default-flavor, 2 more needed',
        },
      },
    },
    ...{ codes: ['WaitingForQueue'], words: /Kueue has not admitted/ },
  },
  {
    title: 'a position in a queue of others',
    given: {
      own: PENDING,
      pods: wanted(1, specOf(1)),
      cluster: {
        queue: {
          ...{ of: 'Kueue', code: 'WaitingForQueue', message: 'insufficient unused quota' },
          place: {
            ...{ queue: 'LocalQueue', name: 'team', position: 7, of: 9, inClusterQueue: 12 },
            ahead: [{ who: 'job/ml/a' }, { who: 'ml/b' }],
          },
        },
      },
    },
    codes: ['WaitingForQueue'],
    words:
      /^Kueue has not admitted the job; position 7 of 9 in LocalQueue team; 12 in its ClusterQueue; ahead: job\/ml\/a, ml\/b, …$/,
  },
  {
    title: 'a suspension by a queue is explained by the queue',
    given: {
      own: { ...PENDING, phase: 'Suspended', causes: [{ reason: 'Suspended', message: 'by its resource' }] },
      pods: wanted(1, specOf(1)),
      cluster: {
        queue: {
          ...{ of: 'Kueue', code: 'WaitingForQueue', suspends: true },
          message: 'insufficient unused quota for cpu in flavor default-flavor, 2 more needed',
        },
      },
    },
    ...{ codes: ['WaitingForQueue'], words: /Kueue has not admitted/ },
  },
  {
    title: 'a job that is deactivated in its queue',
    given: {
      own: { ...PENDING, phase: 'Suspended', causes: [{ reason: 'Suspended', message: 'by its resource' }] },
      pods: wanted(1, specOf(1)),
      cluster: {
        queue: {
          ...{ of: 'Kueue', code: 'QueueClosed', suspends: true, isDeactivated: true },
          message: 'Pending: The workload is deactivated',
        },
      },
    },
    ...{ codes: ['QueueClosed'], words: /deactivated in Kueue/, who: 'administrator' },
  },
  {
    title: 'no scheduler has looked at a pod for long',
    given: {
      own: PENDING,
      pods: created(1, { ...specOf(1), schedulerName: 'mine' }),
      waiting: waitingPods(1, { schedulerName: 'mine', createdAt: ago(120) }),
      cluster: { schedulers: { mine: { name: 'kube-system/mine' } } },
    },
    ...{
      codes: ['SchedulerSilent'],
      words: /the scheduler mine has said nothing of 1 pod; there is no Lease kube-system\/mine/,
    },
  },
  {
    title: 'a scheduler that runs and says nothing',
    given: {
      own: PENDING,
      pods: created(1, specOf(1)),
      waiting: waitingPods(1, { createdAt: ago(120) }),
      cluster: {
        schedulers: { 'default-scheduler': { name: 'kube-system/kube-scheduler', renewedAt: ago(2) } },
      },
    },
    ...{ codes: ['SchedulerSilent'], words: /its Lease is current, so it runs/ },
  },
  {
    title: 'a taint that the pods tolerate for an hour',
    given: {
      nodes: nodes(2, { taint: 'example.com/maintenance' }),
      pods: wanted(
        2,
        specOf(1, {
          tolerations: [{ key: 'example.com/maintenance', operator: 'Exists', tolerationSeconds: 3600 }],
        }),
      ),
    },
    ...{ codes: [], fits: 'yes' },
  },
  {
    title: 'a template that names a node that does not exist',
    given: {
      pods: wanted(2, specOf(1, { nodeName: 'sim-77' })).map((pod) => ({ ...pod, nodeName: 'sim-77' })),
    },
    ...{ codes: ['DependencyMissing'], who: 'you', fits: 'no' },
    words:
      /^node sim-77 does not exist; spec\.nodeName of worker names it, and pods that are made for it fail$/,
  },
  {
    title: 'pods that were made for a node that does not exist',
    given: {
      own: { ...PENDING, causes: [{ reason: 'ContainersNotReady', message: '2 of 2 pods have a node' }] },
      pods: created(2, specOf(1, { nodeName: 'sim-77' })).map((pod) => ({ ...pod, nodeName: 'sim-77' })),
    },
    codes: ['DependencyMissing', 'ContainersNotReady'],
  },
  {
    title: 'a template that names a node that is not ready',
    given: {
      nodes: [...nodes(3), aNode(9, { isReady: false })],
      pods: wanted(1, specOf(1, { nodeName: 'node-9' })).map((pod) => ({ ...pod, nodeName: 'node-9' })),
    },
    ...{ codes: ['NodeNotReady'], who: 'administrator', fits: 'no' },
    words: /^node node-9 is not ready; spec\.nodeName of worker names it$/,
  },
  {
    title: 'a template that names a cordoned node with a taint, which only schedulers mind',
    given: {
      nodes: [...nodes(3), aNode(9, { isCordoned: true, taint: 'dedicated' })],
      pods: wanted(1, specOf(1, { nodeName: 'node-9' })).map((pod) => ({ ...pod, nodeName: 'node-9' })),
    },
    ...{ codes: [], fits: 'yes' },
  },
  {
    title: 'a template that names a node with room for one pod of two',
    given: {
      pods: wanted(2, specOf(8, { nodeName: 'node-1' })).map((pod) => ({ ...pod, nodeName: 'node-1' })),
    },
    ...{ codes: ['NoNodeMatches'], who: 'either', fits: 'no' },
    words: /hold 1 of the 2 pods when they are empty: of 4 nodes, 3 excluded .* \(spec\.nodeName node-1\)/,
  },
  {
    title: 'a template that names a node whose room others have',
    given: {
      pods: wanted(1, specOf(8, { nodeName: 'node-1' })).map((pod) => ({ ...pod, nodeName: 'node-1' })),
      others: [usedBy({ node: 'node-1' })],
    },
    ...{ codes: ['NotEnoughRoom'], fits: 'no' },
  },
  {
    title: 'a scheduler of gangs waits for members that a quota keeps from being created',
    given: {
      own: { ...PENDING, causes: [{ reason: 'QuotaExceeded', message: 'exceeded quota: pods' }] },
      pods: [...created(2, specOf(1)), ...wanted(2, specOf(1))],
      ...{ minMember: 4, waiting: waitingPods(2, { createdAt: ago(120) }) },
    },
    codes: ['QuotaExceeded'],
  },
  {
    title: 'a refusal that the API server would not repeat',
    given: {
      own: { ...PENDING, state: 'Pending.Creating', causes: [EXCEEDED] },
      pods: wanted(2, specOf(1)),
      cluster: { isAdmitted: true, quotas: [quota({ pods: '4' }, { pods: '1' })] },
    },
    ...{ codes: ['QuotaExceeded'], who: 'nobody' },
    words: /^the API server would take now what it refused; the job tries again within a minute$/,
  },
  {
    title: 'a quota that never held all pods, and does now',
    given: {
      own: {
        ...{ ...PENDING, state: 'Pending.Creating' },
        causes: [
          {
            reason: 'NeverFits',
            message: 'the job needs 2 pods; the ResourceQuota team allows the namespace 1; retrying',
          },
        ],
      },
      pods: wanted(2, specOf(1)),
      cluster: { isAdmitted: true, quotas: [quota({ pods: '4' }, { pods: '1' })] },
    },
    ...{ codes: ['NeverFits'], words: /^the API server would take now/, who: 'nobody' },
  },
  {
    title: 'a quota that would let in one pod of two',
    given: {
      own: { ...PENDING, state: 'Pending.Creating', causes: [EXCEEDED] },
      pods: wanted(2, specOf(1)),
      cluster: { isAdmitted: true, quotas: [quota({ pods: '4' }, { pods: '3' })] },
    },
    ...{ codes: ['QuotaExceeded'], words: /^the job needs 2 pods more/ },
  },
  {
    title: 'a refusal after which another came',
    given: {
      own: { ...PENDING, state: 'Pending.Creating', causes: [EXCEEDED] },
      pods: wanted(2, specOf(1)),
      cluster: {
        refused: [
          {
            object: 'Pod ml/train-worker-0',
            code: 'NamespaceTerminating',
            message: 'unable to create new content in namespace ml because it is being terminated',
          },
        ],
      },
    },
    codes: ['NamespaceTerminating'],
  },
  {
    title: 'a refusal of something else than pods is not tried',
    given: {
      own: {
        ...PENDING,
        causes: [{ ...EXCEEDED, message: EXCEEDED.message.replace('pods "', 'services "') }],
      },
      ...{ pods: wanted(2, specOf(1)), cluster: { isAdmitted: true } },
    },
    ...{ codes: ['QuotaExceeded'], words: /^services "/ },
  },
  {
    title: 'a job that would be submitted as suspended',
    given: { pods: wanted(1, specOf(16)), isSuspended: true },
    ...{ codes: ['Suspended', 'NeverFits'], who: 'you' },
  },
  {
    title: 'a job that would be submitted as suspended, which Kueue resumes',
    given: {
      ...{ pods: wanted(1, specOf(1)), isSuspended: true },
      cluster: { queue: { of: 'Kueue', code: 'WaitingForQueue' } },
    },
    codes: ['WaitingForQueue'],
  },
  {
    title: 'a quota that may not be read refuses what never fits',
    given: {
      own: {
        ...{ ...PENDING, state: 'Pending.Creating' },
        causes: [{ reason: 'NeverFits', message: 'the job needs 4 pods; retrying until tomorrow' }],
      },
      pods: wanted(4, specOf(1)),
    },
    ...{ codes: ['NeverFits'], words: /needs 4 pods; retrying until tomorrow$/ },
  },
  {
    title: 'a gated gang that did not fit, and fits since nodes came',
    given: {
      own: { ...PENDING, causes: [{ reason: 'NeverFits', message: 'the job needs 4 pods' }] },
      pods: created(4, specOf(1)),
      waiting: waitingPods(4),
    },
    codes: ['Unknown'],
  },
  {
    title: 'pods wait unseen for devices of a claim that does not exist',
    given: {
      own: PENDING,
      pods: created(1, specOf(1)),
      waiting: waitingPods(1, { createdAt: ago(120) }),
      cluster: { missing: [{ kind: 'ResourceClaimTemplate', name: 'gpus', of: 'worker' }] },
    },
    codes: ['DependencyMissing'],
  },
  {
    title: 'a scheduler that says nothing of a gang whose members all exist',
    given: {
      own: PENDING,
      pods: created(2, specOf(1)),
      ...{ minMember: 2, waiting: waitingPods(2, { createdAt: ago(120) }) },
    },
    codes: ['SchedulerSilent'],
  },
  {
    title: 'a pod that was just created is not a sign of anything',
    given: { own: PENDING, pods: created(1, specOf(1)), waiting: waitingPods(1) },
    codes: ['Unknown'],
  },
  {
    title: 'the group of a gang does not exist',
    given: {
      own: PENDING,
      ...{ pods: created(2, specOf(1)), minMember: 2, waiting: waitingPods(2, SAID) },
      cluster: { group: { scheduler: 'volcano', name: 'train', exists: false, others: [] } },
    },
    ...{ codes: ['GroupMissing'], who: 'administrator' },
  },
  {
    title: 'templates that name another scheduler than that of the gang',
    given: {
      pods: wanted(2, specOf(1)),
      cluster: {
        group: { scheduler: 'native', name: 'train', exists: true, others: ['Worker: names mine'] },
      },
    },
    codes: ['MixedSchedulers'],
  },
  {
    title: 'a group that is not admitted although there is room',
    given: {
      own: PENDING,
      ...{ pods: wanted(2, specOf(1)), minMember: 2 },
      cluster: {
        group: {
          ...{ scheduler: 'volcano', name: 'train', exists: true, admitted: false, others: [] },
          message: 'queue default, or the cluster, has no room for its minResources',
        },
      },
    },
    ...{ codes: ['WaitingForQueue'], words: /volcano has not admitted the group/ },
  },
  {
    title: 'a group that is not admitted for lack of room',
    given: {
      own: PENDING,
      ...{ pods: wanted(2, specOf(8)), minMember: 2, others: full(3) },
      cluster: {
        group: {
          ...{ scheduler: 'volcano', name: 'train', exists: true, admitted: false, others: [] },
          message: 'not admitted',
        },
      },
    },
    codes: ['NotEnoughRoom'],
  },
  {
    title: 'the lane of a job says now what the job was told earlier',
    given: {
      own: { ...PENDING, causes: [{ reason: 'WaitingInLane', message: 'position 9 of 9 in lane main' }] },
      pods: wanted(1, specOf(8)),
      cluster: {
        lane: {
          ...{ code: 'WaitingInLane', why: 'job/ml/a is the next of lane main' },
          place: {
            ...{ queue: 'lane', name: 'main', position: 3, of: 4, earliestStart: '2026-11-27T13:00:00.000Z' },
            ahead: [{ who: 'job/ml/a', needs: { cpu: '4' } }, { who: 'job/ml/b' }],
          },
        },
      },
    },
    codes: ['WaitingInLane'],
    words:
      /^job\/ml\/a is the next of lane main; position 3 of 4 in lane main; ahead: job\/ml\/a, job\/ml\/b; it can start at 2026-11-27T13:00:00Z, when enough jobs have ended$/,
  },
  {
    title: 'a job that is in no order of its lane, because it is paused',
    given: {
      own: { ...PENDING, causes: [{ reason: 'WaitingInLane', message: 'position 1 of 1' }] },
      pods: wanted(1, specOf(8)),
      cluster: {
        lane: {
          ...{ code: 'QueueClosed', why: 'lane main is paused: new drivers' },
          place: { queue: 'lane', name: 'main', of: 0, ahead: [] },
        },
      },
    },
    ...{ codes: ['QueueClosed'], words: /^lane main is paused: new drivers$/, who: 'administrator' },
  },
  {
    title: 'that it never fits is what is computed now, not what the job was told before',
    given: {
      own: { ...PENDING, causes: [{ reason: 'NeverFits', message: 'the nodes hold 3 of the 4 pods' }] },
      ...{ pods: created(4, specOf(8)), minMember: 4, waiting: waitingPods(4, SAID), others: full(1) },
    },
    ...{ codes: ['NotEnoughRoom'], fits: 'no' },
  },
  {
    title: 'that it never fits, as the job was told, where nodes may not be listed',
    given: {
      own: { ...PENDING, causes: [{ reason: 'NeverFits', message: 'the nodes hold 3 of the 4 pods' }] },
      ...{ pods: created(4, specOf(8)), minMember: 4, waiting: waitingPods(4, SAID) },
      cluster: { nodes: undefined, isUsageKnown: false },
    },
    ...{ codes: ['NeverFits'], words: /hold 3 of the 4 pods/, who: 'you' },
  },
  {
    title: 'a suspended job is suspended first',
    given: {
      own: { ...PENDING, phase: 'Suspended', causes: [{ reason: 'Suspended', message: 'by ada' }] },
      ...{ pods: wanted(4, specOf(8)), others: full(4) },
    },
    ...{ codes: ['Suspended', 'NotEnoughRoom'], words: /by ada/ },
  },
  {
    title: 'pods of the attempt before that do not go',
    given: {
      own: { ...PENDING, phase: 'Restarting', state: 'Restarting.Draining' },
      pods: wanted(1, specOf(8)),
      leaving: [{ pod: 'train-worker-0', node: 'node-0', since: ago(300), finalizers: ['example.com/keep'] }],
    },
    ...{ codes: ['PodsTerminating'], words: /finalizers: example.com\/keep/ },
  },
  {
    title: 'pods that have nodes and do not start',
    given: {
      own: {
        ...{ phase: 'Starting', state: 'Starting.Waiting' },
        causes: [{ reason: 'ContainersNotReady', message: 'ErrImagePull' }],
      },
      pods: created(1, { ...specOf(1), nodeName: 'node-0' }),
    },
    ...{ codes: ['ContainersNotReady'], words: /ErrImagePull/ },
  },
  {
    title: 'an autoscaler that adds nodes',
    given: {
      own: PENDING,
      ...{ pods: created(4, specOf(8)), waiting: waitingPods(4, SAID), others: full(4) },
      cluster: {
        autoscaler: [{ reason: 'TriggeredScaleUp', message: 'pod triggered scale-up', at: ago(20) }],
      },
    },
    codes: ['NotEnoughRoom', 'WaitingForNodes'],
  },
  {
    title: 'nodes that may not be listed',
    given: {
      own: PENDING,
      ...{ pods: created(1, specOf(1)), waiting: waitingPods(1, SAID), unread: ['nodes may not be listed'] },
      cluster: { nodes: undefined, isUsageKnown: false },
    },
    ...{ codes: ['Unknown'], words: /^1 pod has no node, and nothing is found/ },
  },
  {
    title: 'an error of the scheduler, after which it tries again',
    given: {
      own: PENDING,
      pods: created(1, specOf(1)),
      waiting: waitingPods(1, {
        scheduler: { reason: 'SchedulerError', message: 'running PreBind plugin', since: ago(2) },
      }),
    },
    ...{ codes: ['Unknown'], words: /^1 pod has no node, and the scheduler met an error; it tries again/ },
  },
  {
    title: 'pods of others that may not be listed: what never fits is known, what is free is not',
    given: { pods: wanted(1, specOf(8)), cluster: { isUsageKnown: false } },
    ...{ codes: [], classes: { unknown: 4 } },
  },
  {
    title: 'a queue that can never admit the job',
    given: {
      pods: wanted(1, specOf(1)),
      cluster: {
        queue: { of: 'Kueue', code: 'NeverFits', message: 'insufficient quota > maximum capacity' },
      },
    },
    codes: ['NeverFits'],
  },
];

describe.each([
  ['room', ROOM],
  ['nodes', MATCHES],
  ['terms', TERMS],
  ['what is not certain', UNCERTAIN],
  ['other pods', TOPOLOGY],
  ['what others decide', OTHERS],
] as const)('%s', (_, cases) => {
  it.each(cases)('$title', ({ given, codes, words, classes, fits, who }) => {
    const { reasons, placements, ...answer } = answerTo(given);
    expect(reasons.map(({ code }) => code)).toEqual(codes);
    if (words) expect(reasons[0]!.sentence).toMatch(words);
    if (who) expect(reasons[0]!.who).toBe(who);
    if (fits) expect(answer.fits).toBe(fits);
    if (classes) {
      const found = placements.flatMap((shape) => shape.classes);
      expect(Object.fromEntries(found.map((one) => [one.class, one.nodes]))).toEqual(classes);
    }
  });
});

describe('a lack of room', () => {
  const others = [
    ...full(2),
    usedBy({ node: 'node-2', gpus: 6, namespace: 'ml', job: 'other' }),
    usedBy({ node: 'node-3', gpus: 4, namespace: 'ml', owner: 'StatefulSet' }),
  ];
  const answer = answerTo({
    own: PENDING,
    pods: created(2, specOf(8)),
    waiting: waitingPods(2, SAID),
    others,
  });

  it('names who holds what, in the own namespace by name', () => {
    expect(answer.reasons[0]).toMatchObject({
      ...{ resource: 'nvidia.com/gpu', needs: '16', has: '6' },
      heldBy: [
        { who: 'namespace vision', amount: '16' },
        { who: 'job/ml/other', amount: '6' },
        { who: 'ml/owner', amount: '4' },
      ],
    });
  });

  it('has the words of the scheduler and since when it says so', () => {
    expect(answer.reasons[0]).toMatchObject({ said: '0/4 nodes are available', since: ago(50) });
  });

  it('has them, too, where no node matches', () => {
    const reasons = answerTo({
      own: PENDING,
      pods: created(1, { ...specOf(1), nodeSelector: { pool: 'h100' } }),
      waiting: waitingPods(1, SAID),
    }).reasons;
    expect(reasons).toMatchObject([
      { code: 'NoNodeMatches', said: '0/4 nodes are available', since: ago(50) },
    ]);
  });

  it('names node by node what is short, the emptiest first', () => {
    expect(answer.placements[0]!.short.map(({ node, free }) => [node, free])).toEqual([
      ['node-3', '4'],
      ['node-2', '2'],
      ['node-0', '0'],
      ['node-1', '0'],
    ]);
  });
});

describe('where other pods decide, it names whose they are', () => {
  const heldBy = (given: Choice) => answerTo(given).reasons[0]!.heldBy;
  const WEB = { matchLabels: { app: 'web' } };
  const web = (node: string, namespace = 'ml') =>
    usedBy({
      node,
      gpus: 0,
      namespace,
      labels: { app: 'web' },
      ...(namespace === 'ml' ? { job: 'serve' } : {}),
    });

  it('of pods that keep apart from others', () => {
    const term = { topologyKey: HOST, labelSelector: WEB, namespaceSelector: {} };
    const pods = wanted(2, specOf(1, required('podAntiAffinity', term)));
    expect(
      heldBy({ pods, nodes: nodes(2), others: [web('node-0'), web('node-0'), web('node-1', 'vision')] }),
    ).toEqual([
      { who: 'job/ml/serve', amount: '2 pods' },
      { who: 'namespace vision', amount: '1 pod' },
    ]);
  });

  it('of pods beside which they must be', () => {
    const pods = wanted(2, specOf(8, together(HOST, WEB)));
    expect(heldBy({ pods, nodes: nodes(2), minMember: 2, others: [web('node-0')] })).toEqual([
      { who: 'job/ml/serve', amount: '1 pod' },
    ]);
  });

  it('of others that bear none beside them, also where another node is full', () => {
    const solo = usedBy({ node: 'node-0', gpus: 1, namespace: 'ml', job: 'solo', spec: apart(HOST) });
    const pods = wanted(1, specOf(1));
    expect(heldBy({ pods, nodes: nodes(1), others: [solo] })).toEqual([
      { who: 'job/ml/solo', amount: '1 pod' },
    ]);
    expect(heldBy({ pods, nodes: nodes(2), others: [solo, usedBy({ node: 'node-1' })] })).toEqual([
      { who: 'namespace vision', amount: '8' },
      { who: 'job/ml/solo', amount: '1 pod' },
    ]);
  });
});

it('a quota names who of the namespace uses it', () => {
  const { reasons } = answerTo({
    pods: wanted(2, specOf(1)),
    others: [
      usedBy({ node: 'node-0', gpus: 1, namespace: 'ml', job: 'eval' }),
      usedBy({ node: 'node-0', gpus: 1 }),
    ],
    cluster: { quotas: [quota({ pods: '2' }, { pods: '1' })] },
  });
  expect(reasons[0]!.heldBy).toEqual([{ who: 'job/ml/eval', amount: '1' }]);
});

it('what keeps no pod from a node is noted', () => {
  const { reasons, notes } = answerTo({
    pods: wanted(
      1,
      specOf(1, {
        tolerations: [{ key: 'maintenance', operator: 'Exists', tolerationSeconds: 3600 }],
        affinity: {
          nodeAffinity: {
            preferredDuringSchedulingIgnoredDuringExecution: [
              {
                weight: 1,
                preference: { matchExpressions: [{ key: 'disk', operator: 'In', values: ['ssd'] }] },
              },
            ],
          },
        },
      }),
    ),
    nodes: nodes(2, { taint: 'maintenance:NoExecute' }),
    cluster: { notes: ['the Secret pull does not exist'] },
  });
  expect(reasons).toEqual([]);
  expect(notes).toEqual([
    'the Secret pull does not exist',
    'no node has (disk In ssd), which worker pods prefer; they start without it',
    '2 nodes have the taint maintenance:NoExecute, which worker pods tolerate for 3600 s: then they are evicted from there',
  ]);
});

it('says of each term how many nodes it alone excludes', () => {
  const { placements } = answerTo({
    pods: wanted(1, specOf(1, { nodeSelector: { pool: 'a', disk: 'ssd' } })),
    nodes: [
      ...nodes(2, { labels: { pool: 'a' } }),
      ...nodes(3, { name: 'b', labels: { disk: 'ssd' }, taint: 'x' }),
    ],
  });
  expect(placements[0]!.excludedBy).toEqual([
    { term: 'nodeSelector pool=a', nodes: 3 },
    { term: 'taint x:NoSchedule', nodes: 3 },
    { term: 'nodeSelector disk=ssd', nodes: 2 },
  ]);
});

it('amounts are quantities, in JSON and back', () => {
  const answer = answerTo({ pods: wanted(1, specOf(8)), others: full(4) });
  expect(JSON.parse(JSON.stringify(answer))).toEqual(answer);
  expect(answer.placements[0]!.requests).toEqual({ 'nvidia.com/gpu': '8', pods: '1' });
  expect(parseAmounts(answer.placements[0]!.requests).size).toBe(2);
});

it.each([
  ['are being deleted', { deletedAt: ago(90) }, {}],
  ['are those that terms of the job are about', {}, anti('podAntiAffinity')],
  ['run beside a scheduler of others', {}, { schedulerName: 'volcano' }],
])('says that what removing pods does is not computed where they %s', (_, other, own) => {
  const { unknown } = answerTo({
    pods: wanted(4, { ...specOf(8), ...own, priority: 100 }),
    others: [usedBy({ node: 'node-1', ...other, spec: { priority: 99 } })],
  });
  expect(unknown).toEqual(['whether pods of a lower priority would make room is not computed']);
});

it('a scheduler that has chosen a node for a volume is not silent', () => {
  const waits = { claim: 'data', why: 'waits for csi to make its volume for node node-1' };
  const codesWith = (volume: object) =>
    answerTo({
      ...{ pods: created(1, specOf(1)), waiting: waitingPods(1, { createdAt: ago(60) }), own: PENDING },
      cluster: { volumes: [{ ...waits, ...volume }] },
    }).reasons.map(({ code }) => code);
  expect(codesWith({ isChosen: true })).toEqual(['VolumePending']);
  expect(codesWith({})).toContain('SchedulerSilent');
});
