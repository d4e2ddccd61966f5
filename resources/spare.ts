import { createHash } from 'node:crypto';
import type { AvoidedNode } from '../contracts/avoided-nodes.ts';
import type { Container, Pod, PodSpec } from '../contracts/kubernetes.ts';
import { LABELS, podNameOf, withoutOwnKeys } from '../contracts/labels.ts';
import { SPARE, spareRoleOf } from '../contracts/spares.ts';
import type { GangProvider, Role, TrainingJob } from '../contracts/training-job.ts';
import { frameworkOf } from '../frameworks/kinds/registry.ts';
import { mainContainerOf } from '../frameworks/model/main-container.ts';
import { GANG_ADAPTERS } from '../gang/registry.ts';
import { unlessEmpty, withoutUndefined } from '../language/fields.ts';
import { avoidNodes } from './avoid-nodes.ts';
import { jobMetadata } from './metadata.ts';

interface SpareOptions {
  readonly anchorUid: string;
  readonly gang: GangProvider;
  readonly count: number;
  readonly avoid?: readonly AvoidedNode[];
}

export const spareNameOf = (jobName: string, index: number): string => podNameOf(jobName, SPARE, index);

/**
 * Renders the spares of a job: pods that ask for what a pod of their role asks for, have its images, and wait. They
 * belong to no group and no attempt, and have nothing that others find a replica by.
 */
export function renderSpares(job: TrainingJob, options: SpareOptions): readonly Pod[] {
  const rules = job.plan.policy?.spares;
  const role = rules && spareRoleOf(job.roles, rules);
  if (!role) return [];
  const spec = specOf(role, rules.command);
  const hash = createHash('sha256').update(JSON.stringify(spec)).digest('hex').slice(0, 16);
  return Array.from({ length: options.count }, (_, index) =>
    renderSpare({ job, role, spec, hash }, index, options),
  );
}

interface OfRole {
  readonly job: TrainingJob;
  readonly role: Role;
  readonly spec: PodSpec;
  readonly hash: string;
}

function renderSpare(
  { job, role: { template }, spec, hash }: OfRole,
  index: number,
  { anchorUid, gang, avoid = [] }: SpareOptions,
): Pod {
  const { labels, ...common } = jobMetadata(job, anchorUid);
  const marks = GANG_ADAPTERS[gang].outsideGroup?.(job) ?? {};
  const given = Object.entries(withoutOwnKeys(template.metadata?.labels));
  const schedulerName = spec.schedulerName ?? marks.spec?.schedulerName;
  const priorityClassName = spec.priorityClassName ?? marks.spec?.priorityClassName;
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      ...common,
      name: spareNameOf(job.name, index),
      labels: {
        ...Object.fromEntries(given.filter(([name]) => !marks.withoutLabels?.includes(name))),
        ...marks.labels,
        ...labels,
        [LABELS.role]: SPARE,
        [LABELS.index]: String(index),
        [LABELS.pod]: spareNameOf(job.name, index),
        [LABELS.mainContainer]: mainContainerOf(template, frameworkOf(job)).name,
        [LABELS.spare]: hash,
      },
      annotations: unlessEmpty({ ...withoutOwnKeys(template.metadata?.annotations), ...marks.annotations }),
    },
    spec: avoidNodes(
      { ...spec, ...marks.spec, ...withoutUndefined({ schedulerName, priorityClassName }) },
      avoid.map(({ node }) => node),
    ),
  };
}

/** What decides on the place of a pod, whether it may be created, and how its images are pulled. */
const KEPT = [
  ...['affinity', 'nodeSelector', 'tolerations', 'topologySpreadConstraints', 'schedulerName'],
  ...['priorityClassName', 'runtimeClassName', 'overhead', 'resources', 'resourceClaims'],
  ...['imagePullSecrets', 'serviceAccountName', 'securityContext', 'os', 'hostUsers'],
] as const;

/** It has nothing to write, and nothing that a program of the job has an effect with: volumes, ports, variables. */
function specOf({ template }: Role, command: readonly string[]): PodSpec {
  const { containers, initContainers = [] } = template.spec;
  const kept = KEPT.map((field) => [field, template.spec[field]]);
  // Sidecars ask for a part of the place.
  const sidecars = initContainers.filter(({ restartPolicy }) => restartPolicy === 'Always');
  return {
    ...withoutUndefined(Object.fromEntries(kept)),
    containers: [...containers, ...sidecars].map((container) => waiting(container, command)),
    restartPolicy: 'Always',
    terminationGracePeriodSeconds: 1,
    automountServiceAccountToken: false,
    enableServiceLinks: false,
  };
}

const waiting = (
  { name, image, imagePullPolicy, resources, securityContext }: Container,
  command: readonly string[],
): Container => withoutUndefined({ name, image, imagePullPolicy, command, resources, securityContext });
