import { gpusOfSpec } from '../../contracts/gpus.ts';
import type { Container, ContainerStatus, Pod } from '../../contracts/kubernetes.ts';
import { conditionOf } from '../../contracts/objects.ts';
import { deletionRequestedAt, hasPodEnded } from '../../contracts/pod.ts';
import type { RecordedContainer, RecordedPod } from '../../contracts/types.ts';
import { identityOf } from '../../evidence/render-record.ts';
import { unlessEmpty } from '../../language/fields.ts';
import { timeOf } from '../../language/time.ts';

/** What a pod itself does not say. */
interface Known {
  /** When its deletion is requested, if it has not been. */
  readonly deletedAt?: string;
  /** By node. */
  readonly gpuProducts: ReadonlyMap<string, string>;
}

export function recordedPodOf(pod: Pod, { deletedAt, gpuProducts }: Known): RecordedPod {
  const { metadata, spec, status = {} } = pod;
  const gpus = unlessEmpty(gpusOfSpec(spec));
  return {
    ...identityOf(pod),
    node: spec.nodeName,
    gpus,
    gpuProduct: gpus && gpuProducts.get(spec.nodeName ?? ''),
    phase: status.phase ?? 'Unknown',
    reason: status.reason,
    createdAt: metadata.creationTimestamp ?? '',
    scheduledAt: sinceWhen(pod, 'PodScheduled'),
    startedAt: textOrNothing(status.startTime),
    readyAt: sinceWhen(pod, 'Ready'),
    endedAt: hasPodEnded(pod) ? endOfPod(pod) : undefined,
    deletedAt: metadata.deletionTimestamp ? timeText(deletionRequestedAt(pod)) : deletedAt,
    containers: containersIn(pod),
  };
}

function containersIn({ spec, status = {} }: Pod): RecordedContainer[] {
  return [
    ...recorded(spec.initContainers, status.initContainerStatuses, { isInit: true }),
    ...recorded(spec.containers, status.containerStatuses),
    ...recorded(spec.ephemeralContainers, status.ephemeralContainerStatuses, { isEphemeral: true }),
  ];
}

function recorded(
  containers: readonly Container[] = [],
  statuses: readonly ContainerStatus[] = [],
  type: Pick<RecordedContainer, 'isInit' | 'isEphemeral'> = {},
): RecordedContainer[] {
  const byName = new Map(statuses.map((status) => [status.name, status]));
  return containers.map(({ name, image = '' }) => {
    const status = byName.get(name);
    return {
      name,
      ...type,
      image,
      imageID: textOrNothing(status?.imageID),
      restarts: status?.restartCount ?? 0,
      ...lastRunOf(status),
    };
  });
}

/** A container that waits for its restart has no state of its last run but the last one. */
function lastRunOf({
  state = {},
  lastState = {},
}: Partial<ContainerStatus> = {}): Partial<RecordedContainer> {
  const { running, waiting } = state;
  if (running) return { startedAt: running.startedAt };
  const { terminated = lastState.terminated } = state;
  const { startedAt, finishedAt, exitCode } = terminated ?? {};
  const reason = waiting?.reason ?? terminated?.reason;
  // A container that never started may have times of null.
  return { startedAt: textOrNothing(startedAt), endedAt: textOrNothing(finishedAt), exitCode, reason };
}

/** A pod that its kubelet rejected has no containers that ended; its condition says when. */
function endOfPod(pod: Pod): string | undefined {
  const ends = containersIn(pod).flatMap(({ endedAt }) => endedAt ?? []);
  return ends.sort().at(-1) ?? conditionOf(pod, 'Ready')?.lastTransitionTime;
}

function sinceWhen(pod: Pod, type: string): string | undefined {
  const condition = conditionOf(pod, type);
  return condition?.status === 'True' ? condition.lastTransitionTime : undefined;
}

/** Kubernetes' own times have whole seconds. */
const timeText = (ms: number): string | undefined => (Number.isFinite(ms) ? timeOf(ms) : undefined);

const textOrNothing = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined;
