import type { ObjectMeta, PodSpec } from '../contracts/kubernetes.ts';
import { gatesOf, schedulerOf } from '../contracts/pod.ts';
import { type Amounts, addAmounts, podLimits, podUsage } from '../contracts/pod-requests.ts';
import { formatQuantity } from '../contracts/quantity.ts';
import { asFields, valueAt } from '../language/fields.ts';
import { hostPortsOf, usesOneAddress } from './host-ports.ts';
import type { NodeSelectorTerm, Toleration } from './node-selector.ts';
import type { NodeDemand, PodShape } from './situation.ts';
import {
  type Namespaces,
  type Repelling,
  selectable,
  type TopologyTerm,
  topologyOf,
} from './topology-terms.ts';

/** A pod of the job, as it is, or as it would be created. */
export interface OwnPod {
  /** In lower case. */
  readonly role: string;
  readonly spec: PodSpec;
  /** What selectors of pods look at. */
  readonly metadata?: Pick<ObjectMeta, 'namespace' | 'labels'>;
  readonly isCreated: boolean;
  /** The node that its template names. */
  readonly nodeName?: string;
}

/**
 * Where the volume of a claim can be used. `later`: it is bound with its first pod; `unknown`: it may not be read. A claim that is
 * absent can be used anywhere.
 */
export type ClaimPlaces = ReadonlyMap<string, ClaimPlace>;

export type ClaimPlace = readonly NodeSelectorTerm[] | 'later' | 'unknown';

/** What of the cluster decides which pods are equal. */
export interface ShapedBy {
  readonly claims?: ClaimPlaces | undefined;
  readonly repelling?: readonly Repelling[];
  readonly namespaces?: Namespaces;
}

/** Groups pods that are equal for a scheduler and for quotas, in the order of the first of each. */
export function shapesOf(pods: readonly OwnPod[], by: ShapedBy = {}): PodShape[] {
  const shapes = new Map<string, PodShape>();
  const ofRoles = [...new Map(pods.map((pod) => [pod.role, pod])).values()].map(rolePod);
  for (const pod of pods) {
    const topology = topologyOf(pod.spec, { own: rolePod(pod), all: ofRoles, namespaces: by.namespaces });
    const one = shapeOf(pod, topology, by);
    const key = keyOfShape(one);
    const known = shapes.get(key);
    shapes.set(key, known ? merged(known, one) : one);
  }
  return [...shapes.values()];
}

const rolePod = ({ role, metadata = {} }: OwnPod) => ({ role, ...selectable(metadata as ObjectMeta) });

const merged = (a: PodShape, b: PodShape): PodShape => ({
  ...a,
  roles: a.roles.includes(b.roles[0]!) ? a.roles : [...a.roles, ...b.roles],
  pods: a.pods + b.pods,
  placed: a.placed + b.placed,
  created: a.created + b.created,
});

/** Of all that decides where pods may run and what they use. Claims count by where they can be used, not by name. */
export function keyOfShape({
  roles: _roles,
  pods: _pods,
  placed: _placed,
  created: _created,
  ...rest
}: PodShape): string {
  const requests = entriesOf(rest.requests);
  const affinities = rest.affinities.map(({ terms }) => terms);
  return JSON.stringify({ ...rest, requests, affinities, limits: entriesOf(rest.limits) });
}

const entriesOf = (amounts: Amounts) =>
  [...amounts].map(([resource, amount]) => `${resource}=${formatQuantity(amount)}`).sort();

function shapeOf(
  { role, spec, isCreated, nodeName }: OwnPod,
  topology: readonly TopologyTerm[],
  { claims = new Map(), repelling = [] }: ShapedBy,
): PodShape {
  const mounted = mountedClaims(spec);
  const ofVolumes = mounted.flatMap((claim): NodeDemand[] => {
    const terms = claims.get(claim);
    return typeof terms === 'object' ? [{ terms, claim }] : [];
  });
  const isAny = (place: ClaimPlace) => mounted.some((claim) => claims.get(claim) === place);
  const own = ownAffinity(spec);
  const about = repelling.filter(({ roles }) => roles.includes(role));
  return {
    ...{ roles: [role], pods: 1, created: isCreated ? 1 : 0, placed: isCreated && spec.nodeName ? 1 : 0 },
    requests: addAmounts(podUsage(spec), hostPortsOf(spec)),
    limits: podLimits(spec),
    nodeSelector: (spec.nodeSelector ?? {}) as PodShape['nodeSelector'],
    affinities: [...(own ? [{ terms: own }] : []), ...ofVolumes],
    ...(nodeName ? { nodeName } : {}),
    tolerations: tolerationsOf(spec),
    topology,
    repelledBy: about.filter(({ isKnown }) => isKnown).map(({ name }) => name),
    preferred: preferredOf(spec),
    notComputed: [
      ...((spec.resourceClaims ?? []).length > 0 ? ['resourceClaims'] : []),
      ...(usesOneAddress(spec) ? [HOST_PORTS] : []),
      ...(about.some(({ isKnown }) => !isKnown) ? ['podAntiAffinity of other pods'] : []),
      ...(isAny('later') ? [LATER_VOLUMES] : []),
      ...(isAny('unknown') ? [UNREAD_VOLUMES] : []),
    ],
    gates: gatesOf(spec),
    schedulerName: schedulerOf(spec),
    ...(spec.priorityClassName ? { priorityClassName: spec.priorityClassName } : {}),
    hasDeadline: spec.activeDeadlineSeconds !== undefined,
    reachesNamespaces: reachesNamespaces(spec),
  };
}

function preferredOf({ affinity }: PodSpec): readonly NodeSelectorTerm[] {
  const terms = valueAt(affinity, 'nodeAffinity.preferredDuringSchedulingIgnoredDuringExecution');
  return (Array.isArray(terms) ? terms : []).map((one) => asFields(asFields(one).preference));
}

/** Without those that the API server adds to each pod: they say for how long a pod stays, not where it may begin. */
const tolerationsOf = ({ tolerations = [] }: PodSpec): readonly Toleration[] =>
  (tolerations as readonly Toleration[]).filter(
    ({ key, tolerationSeconds }) =>
      tolerationSeconds === undefined || !key?.startsWith('node.kubernetes.io/'),
  );

/** Names of the claims that a pod mounts. */
const mountedClaims = ({ volumes = [] }: PodSpec): string[] =>
  volumes.flatMap((volume) => {
    const claimName = valueAt(volume, 'persistentVolumeClaim.claimName');
    return typeof claimName === 'string' ? [claimName] : [];
  });

const REQUIRED = 'requiredDuringSchedulingIgnoredDuringExecution';

function ownAffinity({ affinity }: PodSpec): readonly NodeSelectorTerm[] | undefined {
  const terms = valueAt(affinity, `nodeAffinity.${REQUIRED}.nodeSelectorTerms`);
  return Array.isArray(terms) ? terms : undefined;
}

function reachesNamespaces({ affinity }: PodSpec): boolean {
  const terms = ['podAffinity', 'podAntiAffinity'].flatMap((kind) => [
    ...listAt(affinity, `${kind}.${REQUIRED}`),
    ...listAt(affinity, `${kind}.preferredDuringSchedulingIgnoredDuringExecution`).map((term) =>
      valueAt(term, 'podAffinityTerm'),
    ),
  ]);
  return terms.some((term) => {
    const { namespaces, namespaceSelector } = asFields(term);
    return (Array.isArray(namespaces) && namespaces.length > 0) || Boolean(namespaceSelector);
  });
}

function listAt(fields: unknown, path: string): readonly unknown[] {
  const list = valueAt(fields, path);
  return Array.isArray(list) ? list : [];
}

/**
 * Names what may keep a pod from every node with room. Ports of one address are not among them: others seldom have the same
 * on another. Nor are volumes of which nothing is known while their pods wait.
 */
export const uncheckedTerms = ({
  notComputed,
  topology,
}: Pick<PodShape, 'notComputed' | 'topology'>): readonly string[] => [
  ...new Set(topology.map(({ kind }) => kind)),
  ...notComputed.filter((term) => !UNCERTAIN.has(term)),
];

const HOST_PORTS = 'ports of one address';
const LATER_VOLUMES = 'volumes that are bound with their first pod';
const UNREAD_VOLUMES = 'volumes that may not be read';
const UNCERTAIN: ReadonlySet<string> = new Set([HOST_PORTS, LATER_VOLUMES, UNREAD_VOLUMES]);
