import type { ClusterClient } from '../../../cluster/client.ts';
import { MUST_END } from '../../../contracts/clean-up.ts';
import { jobArguments } from '../../../contracts/job-arguments.ts';
import { PODS, type Pod } from '../../../contracts/kubernetes.ts';
import { LABELS } from '../../../contracts/labels.ts';
import { isFinal } from '../../../contracts/status.ts';
import { NoLogError } from '../../errors/errors.ts';
import { explainUnstarted } from './explain-unstarted.ts';
import type { LoggedJob } from './log-options.ts';
import type { LogAnchor } from './read-anchor.ts';

/** Returns the error for pods of which no program has begun. Failed pods come first: they say most. */
export function notStarted(job: LoggedJob, pods: readonly Pod[]): NoLogError {
  const explained = pods.map(explainUnstarted);
  const { sentence, mayStart, failed } = explained.find((one) => !one.mayStart) ?? explained[0]!;
  const others = pods.length - 1;
  const more =
    others > 0 ? `, and ${others} more ${others === 1 ? 'pod has' : 'pods have'} no log either` : '';
  const steps = [
    ...(failed
      ? [`\`signalbox logs ${jobArguments(job)} -c ${failed}\` prints the log of that container.`]
      : []),
    ...(mayStart && !isFinal(job.phase) ? ['--follow waits for the program.'] : []),
    `\`signalbox ${mayStart ? 'get' : 'evidence'} ${jobArguments(job)}\` says more.`,
  ];
  return new NoLogError(`${sentence}${more}; ${job.name} is ${job.phase}.`, { remedy: steps.join(' ') });
}

/** Returns the error for a job of which no pod was chosen, or none is left. */
export async function noPods(
  cluster: ClusterClient,
  job: LoggedJob,
  anchor: LogAnchor | undefined,
): Promise<NoLogError> {
  const selection = { namespace: job.namespace, labelSelector: `${LABELS.job}=${job.name}`, limit: 20 };
  const { items } = await cluster.list(PODS, selection);
  if (items.length > 0) {
    const names = items.map((pod) => pod.metadata.name).join(', ');
    return new NoLogError(`No pod of ${job.name} matches; its pods are ${names}.`, {
      remedy: 'Choose with --pod, --rank, --role, --index or --all.',
    });
  }
  if (!isFinal(job.phase)) {
    return new NoLogError(`${job.name} has no pods yet; it is ${job.phase}.`, {
      remedy: '--follow waits for them.',
    });
  }
  const ownAnchor = anchor?.firstRunId === job.firstRunId ? anchor : undefined;
  return new NoLogError(
    `${job.name} has ended (${job.phase}) and its pods are gone; only those that fail leave the end of their logs behind.`,
    {
      remedy: `${await whyGone(job, ownAnchor)} \`signalbox history ${jobArguments(job)}\` says what happened; \`logs --follow\` reads while a job runs.`,
    },
  );
}

/** Returns why clean-up removed the pods, and what would have kept them. */
async function whyGone({ phase }: LoggedJob, anchor: LogAnchor | undefined): Promise<string> {
  if (phase === 'Stopped') return 'A stopped job keeps no pods.';
  if (!anchor) return NO_RECORD;
  const { cleanUp, cleanPodPolicy, removedOutlived, reason } = anchor;
  if (removedOutlived) return OUTLIVED;
  // An orphan clean-up, or a job that was never created: no policy keeps these.
  if (cleanUp === 'Everything') return 'Its end removed all that was left of it, whatever its policies say.';
  if (cleanUp === 'None') return 'The job removed no pod that had ended; they were deleted otherwise.';
  if (cleanPodPolicy === undefined) return 'cleanPodPolicy: None keeps pods that have ended.';
  if (!KEEPING.has(cleanPodPolicy) && cleanUp !== 'Running') {
    return `The job has cleanPodPolicy: ${cleanPodPolicy}; ${keptBy(cleanPodPolicy)} keeps them.`;
  }
  const mustEnd = [...MUST_END].some((one) => one === reason) ? ` with ${reason}` : '';
  const keeper = (await choosesCleanUp(anchor)) ? `cleanPodPolicy: ${cleanPodPolicy}` : 'A job of this kind';
  return `${keeper} keeps pods that have ended; a job that ends${mustEnd} removes those that still run.`;
}

/** Whether manifests of its kind can say it. One that cannot be read is of a kind that can: most are. */
async function choosesCleanUp({ kind: { apiVersion, kind } }: LogAnchor): Promise<boolean> {
  // All kinds take long to load, and only this sentence needs them.
  const [{ findFramework }, { runPolicyField }] = await Promise.all([
    import('../../../frameworks/kinds/registry.ts'),
    import('../../../frameworks/model/run-policy-field.ts'),
  ]);
  const framework = findFramework(apiVersion, kind);
  return !framework || runPolicyField(framework.dialect, 'cleanPodPolicy') !== undefined;
}

const NO_RECORD =
  'What the job left in the cluster is deleted, e.g. because the time was over for which it keeps that, or another job took its name; or its ConfigMap may not be read.';

const OUTLIVED =
  'Their programs had ended while other containers ran on; the job removed such pods, which would have held their nodes for ever. Sidecars that are init containers with restartPolicy: Always end with the program.';

const KEEPING: ReadonlySet<string> = new Set(['None', 'Never']);

/** The word for it differs in paddle-operator's PaddleJob. */
const keptBy = (policy: string) =>
  ['Always', 'OnCompletion', 'OnFailure'].includes(policy) ? 'Never' : 'None';
