import type { PodPlacement } from '../contracts/admitted-placement.ts';
import type { AvoidedNode } from '../contracts/avoided-nodes.ts';
import type { Container, EnvVar, Pod, PodSpec, RestartPolicy } from '../contracts/kubernetes.ts';
import { ATTEMPT_VARIABLE, GANG_GATE, LABELS, withoutOwnKeys } from '../contracts/labels.ts';
import { roleKey } from '../contracts/roles.ts';
import type { JobRestartPolicy, TrainingJob } from '../contracts/training-job.ts';
import type { Rung } from '../contracts/types.ts';
import type { Framework, Replica } from '../frameworks/model/framework.ts';
import { mainContainerOf, portsOf } from '../frameworks/model/main-container.ts';
import type { Membership } from '../gang/gang.ts';
import { unlessEmpty } from '../language/fields.ts';
import { avoidNodes } from './avoid-nodes.ts';
import { withCheckpointFile } from './checkpoint-file.ts';
import { withStopSignal } from './checkpoint-signal.ts';
import { type Attempt, attemptMetadata, type JobOfKind, nameOfPod, podMetadata } from './metadata.ts';
import { preferNode } from './prefer-node.ts';

interface PodOptions {
  readonly attempt: Attempt;
  readonly membership: Membership;
  /** Incarnation of its role: how often the role was restarted on its own. */
  readonly incarnation?: number;
  /** Nodes that the pod avoids. */
  readonly avoid?: readonly AvoidedNode[];
  /** Nodes that pods prefer, by the name of the pod. */
  readonly prefer?: ReadonlyMap<string, string>;
  /** What the queue that admitted the job adds to the pods of the role. */
  readonly placement?: PodPlacement;
}

/** Renders the pod of one replica: the user's template, extended by kind, gang scheduler and policy. */
export function renderPod(
  of: JobOfKind,
  replica: Replica,
  { attempt, membership, incarnation, avoid = [], prefer, placement }: PodOptions,
): Pod {
  const { role, index } = replica;
  const { template } = role;
  const common = attemptMetadata(of.job, attempt);
  const own = podMetadata(of, replica);
  const name = nameOfPod(of, replica);
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name,
      namespace: common.namespace,
      labels: {
        ...without(withoutOwnKeys(template.metadata?.labels), membership.withoutLabels),
        ...own.selector,
        ...own.labels,
        ...membership.labels,
        ...placement?.labels,
        ...common.labels,
        [LABELS.role]: roleKey(role.name),
        [LABELS.index]: String(index),
        [LABELS.pod]: name,
        [LABELS.mainContainer]: mainContainerOf(template, of.framework).name,
        ...(of.job.plan.policy?.waitForSidecars ? { [LABELS.waitsForSidecars]: 'true' } : {}),
        ...(incarnation ? { [LABELS.incarnation]: String(incarnation) } : {}),
        ...(avoid.length > 0
          ? { [LABELS.avoidsUntil]: String(Math.min(...avoid.map(({ until }) => until))) }
          : {}),
      },
      annotations: unlessEmpty({
        ...withoutOwnKeys(template.metadata?.annotations),
        ...own.annotations,
        ...membership.annotations,
        ...placement?.annotations,
      }),
      finalizers: template.metadata?.finalizers,
      ownerReferences: common.ownerReferences,
    },
    spec: preferNode(
      avoidNodes(
        placed(withPlacement(specOfPod(of, replica), placement), membership),
        avoid.map(({ node }) => node),
      ),
      prefer?.get(name),
    ),
  };
}

function specOfPod({ job, framework }: JobOfKind, replica: Replica): PodSpec {
  const { template, restartPolicy } = replica.role;
  const spec = {
    ...template.spec,
    containers: containersOf(framework, job, replica),
    restartPolicy: podRestartPolicy(restartPolicy, job.plan.policy?.restart.ladder),
  };
  const shaped = framework.shapePod?.(spec, job, replica) ?? spec;
  return withCheckpointFile(shaped, job.plan.policy?.checkpoint?.file);
}

const without = (labels: Readonly<Record<string, string>>, names: readonly string[] = []) =>
  Object.fromEntries(Object.entries(labels).filter(([name]) => !names.includes(name)));

function withPlacement(spec: PodSpec, placement: PodPlacement | undefined): PodSpec {
  if (!placement) return spec;
  const { nodeSelector, tolerations, schedulingGates } = placement;
  const given = spec as { readonly nodeSelector?: object; readonly tolerations?: readonly object[] };
  const gates = spec.schedulingGates ?? [];
  return {
    ...spec,
    ...withoutEmpty({
      nodeSelector: { ...given.nodeSelector, ...nodeSelector },
      tolerations: [...(given.tolerations ?? []), ...tolerations],
      schedulingGates: [
        ...gates,
        ...schedulingGates.filter((gate) => !gates.some(({ name }) => name === gate.name)),
      ],
    }),
  };
}

const withoutEmpty = (fields: Readonly<Record<string, object>>) =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => Object.keys(value).length > 0));

/** Keeps a scheduler and a priority that the template names: they are the user's choice. */
const placed = (spec: PodSpec, marks: Membership): PodSpec => ({
  ...spec,
  ...marks.spec,
  ...(spec.schedulerName ? { schedulerName: spec.schedulerName } : {}),
  ...(spec.priorityClassName ? { priorityClassName: spec.priorityClassName } : {}),
  ...withGates(spec, marks),
});

/** Keeps gates that the template names, but for the one that only signalbox lifts. */
function withGates(
  { schedulingGates: given = [] }: PodSpec,
  { spec: own = {} }: Membership,
): Partial<PodSpec> {
  const { schedulingGates: added = [] } = own;
  if (given.length + added.length === 0) return {};
  return { schedulingGates: [...given.filter(({ name }) => name !== GANG_GATE), ...added] };
}

/** Keeps the kubelet from restarts that signalbox decides on: ExitCode, or a ladder without `container`. */
function podRestartPolicy(policy: JobRestartPolicy, ladder: readonly Rung[] | undefined): RestartPolicy {
  if (policy === 'ExitCode') return 'Never';
  const isForKubelet = ladder?.some(({ scope }) => scope === 'container') ?? true;
  return policy === 'OnFailure' && !isForKubelet ? 'Never' : policy;
}

function containersOf(framework: Framework, job: TrainingJob, replica: Replica): Container[] {
  const { template } = replica.role;
  const main = mainContainerOf(template, framework);
  const injected = [...framework.environment(job, replica), attemptVariable(replica)];
  const isGiven = (container: Container) => framework.environmentOf !== 'main' || container === main;
  const signal = job.plan.policy?.checkpoint?.signal;
  return template.spec.containers.map((container) => ({
    ...(container === main ? withStopSignal(container, signal) : container),
    ...(isGiven(container)
      ? { env: mergeEnvironment(container.env ?? [], injected) }
      : withoutAttempt(container)),
    ...(container === main && framework.port ? { ports: portsOf(template, framework) } : {}),
  }));
}

/** Lets a program distinguish its first start from later ones. */
const attemptVariable = ({ attempt = 1 }: Replica): EnvVar => ({
  name: ATTEMPT_VARIABLE,
  value: String(attempt),
});

/**
 * Variables of the manifest take precedence, but not over the attempt: it says which one a pod belongs to. Of
 * duplicate names Kubernetes would use the last.
 */
function mergeEnvironment(given: readonly EnvVar[], injected: readonly EnvVar[]): EnvVar[] {
  const own = given.filter(isNotAttempt);
  const taken = new Set(own.map(({ name }) => name));
  return [...own, ...injected.filter(({ name }) => !taken.has(name))];
}

const withoutAttempt = ({ env }: Container) => (env ? { env: env.filter(isNotAttempt) } : {});

const isNotAttempt = ({ name }: EnvVar) => name !== ATTEMPT_VARIABLE;
