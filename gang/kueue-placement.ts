import { isDeepStrictEqual } from 'node:util';
import type { PodPlacement } from '../contracts/admitted-placement.ts';
import type { KubeObject } from '../contracts/kubernetes.ts';
import { roleKey } from '../contracts/roles.ts';
import type { TrainingJob } from '../contracts/training-job.ts';
import type { Fault } from '../contracts/types.ts';
import { frameworkOf } from '../frameworks/kinds/registry.ts';
import { rolePath } from '../frameworks/model/framework.ts';
import { valueAt } from '../language/fields.ts';

/** What follows for the pods of a job from its admission by Kueue, as Kueue's own integrations apply it. */

interface Assignment {
  readonly name: string;
  /** By resource. */
  readonly flavors?: Readonly<Record<string, string>>;
  readonly topologyAssignment?: object;
}

interface Update {
  readonly name: string;
  readonly labels?: Strings;
  readonly annotations?: Strings;
  readonly nodeSelector?: Strings;
  readonly tolerations?: readonly object[];
}

interface Check {
  readonly name: string;
  readonly podSetUpdates?: readonly Update[];
}

type Strings = Readonly<Record<string, string>>;

const listAt = <T>(workload: KubeObject, path: string) => (valueAt(workload, path) ?? []) as readonly T[];

const assignmentsOf = (workload: KubeObject) =>
  listAt<Assignment>(workload, 'status.admission.podSetAssignments');

const flavorsOfAssignment = ({ flavors = {} }: Assignment): string[] => [...new Set(Object.values(flavors))];

/** Returns the names of the ResourceFlavors that an admitted Workload has. */
export const flavorsOf = (workload: KubeObject): string[] => [
  ...new Set(assignmentsOf(workload).flatMap(flavorsOfAssignment)),
];

/** Returns what the pods of each role get, by role in lower case. `flavors`: by name. */
export function placementsOf(
  workload: KubeObject,
  flavors: ReadonlyMap<string, KubeObject>,
): Readonly<Record<string, PodPlacement>> {
  const checks = listAt<Check>(workload, 'status.admissionChecks');
  return Object.fromEntries(
    assignmentsOf(workload).map((assignment) => {
      const updates = checks.flatMap(({ podSetUpdates = [] }) =>
        podSetUpdates.filter(({ name }) => name === assignment.name),
      );
      const specs = flavorsOfAssignment(assignment).map((name) => flavors.get(name)?.spec);
      const isPlacedByKueue = assignment.topologyAssignment !== undefined;
      const placement: PodPlacement = {
        labels: Object.assign(labelsOf(workload, assignment), ...updates.map(({ labels }) => labels)),
        annotations: Object.assign(
          annotationsOf(workload, assignment),
          ...updates.map(({ annotations }) => annotations),
        ),
        nodeSelector: Object.assign(
          {},
          ...specs.map((spec) => valueAt(spec, 'nodeLabels')),
          ...updates.map(({ nodeSelector }) => nodeSelector),
        ),
        tolerations: distinct([
          ...specs.flatMap((spec) => (valueAt(spec, 'tolerations') ?? []) as readonly object[]),
          ...updates.flatMap(({ tolerations = [] }) => tolerations),
        ]),
        schedulingGates: isPlacedByKueue ? [{ name: TOPOLOGY_GATE }] : [],
      };
      return [assignment.name, placement];
    }),
  );
}

/** Kueue lifts it when it has chosen a node for the pod. */
const TOPOLOGY_GATE = 'kueue.x-k8s.io/topology';

/** By the labels and the annotation Kueue finds the pods of a Workload. */
function labelsOf(workload: KubeObject, { name }: Assignment): Record<string, string> {
  const queue = valueAt(workload, 'spec.queueName');
  const clusterQueue = valueAt(workload, 'status.admission.clusterQueue');
  return {
    'kueue.x-k8s.io/podset': name,
    ...(typeof queue === 'string' ? { 'kueue.x-k8s.io/local-queue-name': queue } : {}),
    ...(typeof clusterQueue === 'string' && DNS_LABEL.test(clusterQueue)
      ? { 'kueue.x-k8s.io/cluster-queue-name': clusterQueue }
      : {}),
  };
}

const DNS_LABEL = /^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/;

function annotationsOf(
  workload: KubeObject,
  { name, topologyAssignment }: Assignment,
): Record<string, string> {
  const podSets = listAt<{ readonly name: string; readonly topologyRequest?: object }>(
    workload,
    'spec.podSets',
  );
  const request = podSets.find((podSet) => podSet.name === name)?.topologyRequest;
  const asksForNone = ASKS.every((field) => valueAt(request, field) === undefined);
  return {
    'kueue.x-k8s.io/workload': workload.metadata.name,
    ...(topologyAssignment && asksForNone ? { 'kueue.x-k8s.io/podset-unconstrained-topology': 'true' } : {}),
  };
}

const ASKS = ['required', 'preferred', 'unconstrained'];

const distinct = (all: readonly object[]): Record<string, unknown>[] =>
  all.filter((one, index) => all.findIndex((other) => isDeepStrictEqual(one, other)) === index) as Record<
    string,
    unknown
  >[];

/** Returns what an admission check asks of the pods and their templates contradict: such a job can never start. */
export function conflictsOf(job: TrainingJob, workload: KubeObject): Fault[] {
  const updates = listAt<Check>(workload, 'status.admissionChecks').flatMap(
    ({ name: check, podSetUpdates = [] }) => podSetUpdates.map((update) => ({ check, update })),
  );
  return updates.flatMap(({ check, update }) => {
    const role = job.roles.find(({ name }) => roleKey(name) === update.name);
    if (!role) return [];
    return FIELDS.flatMap(({ at, of }) => {
      const given = (valueAt(role.template, at) ?? {}) as Strings;
      return Object.entries(update[of] ?? {}).flatMap(([key, wanted]) =>
        given[key] === undefined || given[key] === wanted
          ? []
          : [
              {
                path: `${rolePath(frameworkOf(job), role.name)}.template.${at}[${key}]`,
                expected: `${wanted}, which Kueue’s admission check ${check} asks for`,
                got: given[key],
              },
            ],
      );
    });
  });
}

const FIELDS = [
  { at: 'metadata.labels', of: 'labels' },
  { at: 'metadata.annotations', of: 'annotations' },
  { at: 'spec.nodeSelector', of: 'nodeSelector' },
] as const;
