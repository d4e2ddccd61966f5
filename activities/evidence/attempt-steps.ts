import { type LogLine, logLines } from '../../cluster/log-lines.ts';
import { readTail } from '../../cluster/read-tail.ts';
import type { Pod } from '../../contracts/kubernetes.ts';
import { attemptOf, byName } from '../../contracts/objects.ts';
import { isReplica, roleOf } from '../../contracts/pod.ts';
import { findRole } from '../../contracts/roles.ts';
import type { TrainingJob } from '../../contracts/training-job.ts';
import { frameworkOf } from '../../frameworks/kinds/registry.ts';
import { mainContainerOf } from '../../frameworks/model/main-container.ts';
import { timeOf } from '../../language/time.ts';
import type { EffectOutcome } from '../../machines/model/job-events.ts';
import { attemptStepsIn } from '../../progress/attempt-steps.ts';
import type { CheckpointMark } from '../../progress/step-reader.ts';
import { mainPodOf } from '../../resources/anchor.ts';
import type { Dependencies } from '../support/dependencies.ts';

interface EndingPods {
  readonly job: TrainingJob;
  readonly pods: readonly Pod[];
}

/** No restart waits longer for it. */
const WAIT_MS = 2_000;
/** A shorter attempt has lost little, and many jobs are short. */
const LEAST_MS = 60_000;
const HEAD_BYTES = 256 * 1024;
/** The last checkpoint is often further back than the last step. */
const TAIL_LINES = 1_000;

/**
 * Reads how far an attempt came whose pods go: from the log of the main pod, or of the last one, where the policy names nothing that
 * reports progress. Returns nothing where no log tells it in time. Never throws.
 */
export async function attemptStepsOf(
  dependencies: Pick<Dependencies, 'cluster' | 'bulk'>,
  { job, pods }: EndingPods,
): Promise<Pick<EffectOutcome, 'steps'>> {
  const { log, annotation } = job.plan.policy?.progress ?? {};
  if ((log ?? annotation) !== undefined) return {};
  const signal = AbortSignal.timeout(WAIT_MS);
  for (const pod of tellingPods(job, pods, dependencies.cluster.now())) {
    if (signal.aborted) break;
    const steps = await dependencies.bulk
      .run(() => read(dependencies, job, { pod, signal }))
      .catch(() => undefined);
    if (steps) return { steps };
  }
  return {};
}

/** The main pod, and the last one. `now`: by the cluster’s clock, as their times are. */
function tellingPods(job: TrainingJob, pods: readonly Pod[], now: number): readonly Pod[] {
  const ran = pods.filter(
    (pod) => isReplica(pod) && now - Date.parse(pod.status?.startTime ?? '') >= LEAST_MS && pod.spec.nodeName,
  );
  const main = ran.find(({ metadata }) => metadata.name === mainPodOf(job));
  const last = ran.toSorted(byName).at(-1);
  return [...new Set([main, last])].filter((pod) => pod !== undefined);
}

async function read(
  { cluster }: Pick<Dependencies, 'cluster'>,
  job: TrainingJob,
  { pod, signal }: { readonly pod: Pod; readonly signal: AbortSignal },
): Promise<EffectOutcome['steps']> {
  const { namespace = '', name } = pod.metadata;
  const role = findRole(job.roles, roleOf(pod));
  const container = role && mainContainerOf(role.template, frameworkOf(job)).name;
  const options = { container, timestamps: true, limitBytes: HEAD_BYTES, signal };
  const head: LogLine[] = [];
  for await (const line of logLines(await cluster.log(namespace, name, options))) head.push(line);
  const tail = await readTail(cluster, { namespace, pod: name, container, signal }, TAIL_LINES);
  const found = attemptStepsIn(head.map(timed), tail.map(timed));
  if (!found) return undefined;
  const { first, last, saved, resumed } = found;
  return {
    ...{ pod: name, attempt: attemptOf(pod), first: told(first), last: told(last) },
    ...(saved ? { saved: told(saved) } : {}),
    ...(resumed ? { resumed: told(resumed) } : {}),
  };
}

const timed = ({ time, text }: LogLine) => ({ at: Date.parse(time), text });
const told = <M extends CheckpointMark>({ at, ...mark }: M) => ({ ...mark, at: timeOf(at) });
