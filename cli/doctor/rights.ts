import { KINDS_WITH_VERSIONS } from '../../bridge/job-kinds.ts';
import { KINDS_OF_REQUESTS } from '../../bridge/requests.ts';
import { NAMED_OBJECTS } from '../../client/manifests/offline/named-objects.ts';
import { apiGroupOf } from '../../contracts/kubernetes.ts';
import type { Account } from './account.ts';

/** A right in the terms of Kubernetes' RBAC. */
export interface Right {
  readonly group: string;
  /** With a subresource after a slash. */
  readonly resource: string;
  readonly verb: string;
  /** The only object that it is needed for. */
  readonly name?: string;
  /** Of the cluster, not of a namespace. */
  readonly isOfCluster?: true;
  /** What does not work without it. */
  readonly without: string;
  /** Jobs run without it. */
  readonly isOptional?: true;
}

type Rule = Omit<Right, 'verb'> & { readonly verbs: readonly string[] };

const CLUSTER_ID: Rule = {
  ...{ group: '', resource: 'namespaces', name: 'kube-system', verbs: ['get'], isOfCluster: true },
  without: 'the cluster has no id: set SIGNALBOX_CLUSTER_ID if several share a Temporal namespace',
  isOptional: true,
};

const OF_GATED_VOLUMES = {
  without: 'where the volumes of gated gangs can be used',
  isOptional: true,
} as const;

/** What manifests of a kind name is read when a job starts. Who serves some namespaces alone need not read what is the cluster's. */
const OF_NAMED_OBJECTS: readonly Rule[] = NAMED_OBJECTS.map(({ by, object }) => ({
  ...{ group: apiGroupOf(object.apiVersion), resource: object.plural, verbs: ['get'] },
  ...(object.namespaced ? {} : { isOfCluster: true as const, isOptional: true as const }),
  without: `${by}s with a ${object.kind}`,
}));

/** As deploy/kubernetes grants them. Users need none to submit, read and steer jobs: that goes through Temporal. */
const RULES: Readonly<Record<Account, readonly Rule[]>> = {
  user: [
    { group: '', resource: 'pods', verbs: ['list', 'watch'], without: '`signalbox logs`', isOptional: true },
    { group: '', resource: 'pods/log', verbs: ['get'], without: '`signalbox logs`', isOptional: true },
    {
      ...{ group: '', resource: 'configmaps', verbs: ['get', 'list', 'watch'], isOptional: true },
      without: '`signalbox logs` of the main pod; what the cluster recorded of a job',
    },
    {
      group: '',
      resource: 'pods',
      verbs: ['create'],
      without: '`signalbox validate --server`',
      isOptional: true,
    },
  ],
  worker: [
    { group: '', resource: 'configmaps', verbs: ['create', 'get', 'patch', 'delete'], without: 'jobs' },
    { group: '', resource: 'pods', verbs: ['create', 'get', 'list', 'patch', 'delete'], without: 'jobs' },
    { group: '', resource: 'services', verbs: ['create', 'get', 'list', 'delete'], without: 'jobs' },
    {
      ...{ group: 'networking.k8s.io', resource: 'networkpolicies' },
      ...{ verbs: ['create', 'get', 'delete'], without: 'Volcano Jobs with the plugin svc' },
    },
    ...OF_NAMED_OBJECTS,
    {
      ...{ group: '', resource: 'persistentvolumeclaims', verbs: ['create', 'get', 'delete'] },
      without: 'jobs that make claims',
    },
    { group: '', resource: 'pods/log', verbs: ['get'], without: 'logs in evidence', isOptional: true },
    { group: '', resource: 'events', verbs: ['list'], without: 'events in evidence', isOptional: true },
    {
      ...{ group: '', resource: 'nodes', verbs: ['get'], isOfCluster: true, isOptional: true },
      without: 'the state of nodes in evidence',
    },
    CLUSTER_ID,
  ],
  watcher: [
    { group: '', resource: 'pods', verbs: ['list', 'watch'], without: 'jobs' },
    { group: '', resource: 'configmaps', verbs: ['get', 'list', 'watch'], without: 'jobs' },
    {
      group: '',
      resource: 'services',
      verbs: ['list'],
      without: 'Services that are deleted under a running job',
    },
    {
      group: '',
      resource: 'pods/log',
      verbs: ['get'],
      without:
        'what jobs print of their progress: whatever `progress.onHang` and SIGNALBOX_ON_HANG say, no job restarts because it hangs',
      isOptional: true,
    },
    {
      ...{ group: '', resource: 'nodes', verbs: ['list', 'watch'], isOfCluster: true, isOptional: true },
      without: 'news of dead nodes',
    },
    { ...{ group: '', resource: 'persistentvolumeclaims', verbs: ['get'] }, ...OF_GATED_VOLUMES },
    {
      ...{ group: '', resource: 'persistentvolumes', verbs: ['get'], isOfCluster: true },
      ...OF_GATED_VOLUMES,
    },
    {
      ...{ group: 'storage.k8s.io', resource: 'storageclasses', verbs: ['get'], isOfCluster: true },
      ...OF_GATED_VOLUMES,
    },
    CLUSTER_ID,
  ],
  bridge: [
    ...KINDS_WITH_VERSIONS.flatMap(([{ apiVersion, plural }]): Rule[] => {
      const group = apiGroupOf(apiVersion);
      return [
        { group, resource: plural, verbs: ['get', 'list', 'watch'], without: `jobs that are ${plural}` },
        { group, resource: `${plural}/status`, verbs: ['patch'], without: `the status of ${plural}` },
      ];
    }),
    ...KINDS_OF_REQUESTS.map(({ resource: { apiVersion, plural } }): Rule => {
      const asked = { group: apiGroupOf(apiVersion), resource: plural, verbs: ['list', 'watch', 'delete'] };
      return { ...asked, without: `what ${plural} ask of jobs`, isOptional: true };
    }),
    ...OF_NAMED_OBJECTS,
    { group: '', resource: 'configmaps', verbs: ['list', 'watch'], without: 'jobs' },
    { group: '', resource: 'events', verbs: ['create'], without: '`kubectl describe`', isOptional: true },
    {
      ...{ group: 'autoscaling', resource: 'horizontalpodautoscalers' },
      ...{ verbs: ['get', 'create', 'patch', 'delete'], isOptional: true },
      without: 'autoscaling of elastic jobs',
    },
    CLUSTER_ID,
  ],
  console: [
    ...(['tokenreviews', 'subjectaccessreviews'] as const).map(
      (resource): Rule => ({
        group: resource === 'tokenreviews' ? 'authentication.k8s.io' : 'authorization.k8s.io',
        ...{ resource, verbs: ['create'], isOfCluster: true },
        without: 'people: nobody is known, and nobody may do anything',
      }),
    ),
    {
      ...{ group: '', resource: 'pods', verbs: ['get', 'list', 'watch'], isOptional: true },
      without: 'logs, and why jobs wait',
    },
    { group: '', resource: 'pods/log', verbs: ['get'], without: 'logs', isOptional: true },
    {
      ...{ group: '', resource: 'configmaps', verbs: ['get', 'list', 'watch'], isOptional: true },
      without: 'logs, and what the cluster recorded of a job',
    },
    {
      ...{ group: '', resource: 'nodes', verbs: ['list'], isOfCluster: true, isOptional: true },
      without: 'the map of GPUs, and why jobs wait',
    },
    {
      ...{ group: '', resource: 'namespaces', verbs: ['list'], isOfCluster: true, isOptional: true },
      without: 'lists of those who may not list the jobs of all namespaces',
    },
  ],
};

export const rightsOf = (account: Account): Right[] =>
  RULES[account].flatMap(({ verbs, ...rule }) => verbs.map((verb) => ({ ...rule, verb })));
