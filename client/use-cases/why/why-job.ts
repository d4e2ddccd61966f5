import { ApiError, ClusterConfigError, ConnectionError, withoutRequest } from '../../../cluster/errors.ts';
import { Reading } from '../../../cluster/reading.ts';
import { parseAnchorRecord } from '../../../contracts/anchor.ts';
import { CONFIG_MAPS } from '../../../contracts/kubernetes.ts';
import { anchorNameOf } from '../../../contracts/labels.ts';
import { isNoticeText } from '../../../contracts/node-notice.ts';
import { refusedCause } from '../../../contracts/refusals.ts';
import { isFinal } from '../../../contracts/status.ts';
import { GANG_CHOICES, type TrainingJob } from '../../../contracts/training-job.ts';
import type { Waited, WhyAnswer } from '../../../contracts/types.ts';
import type { WaitAnswer } from '../../../explain/answer.ts';
import { explainSituation } from '../../../explain/explain.ts';
import type { OwnState } from '../../../explain/situation.ts';
import { errorMessage } from '../../../language/error-message.ts';
import { isOneOf } from '../../../language/one-of.ts';
import { renderAttempt } from '../../../resources/attempt.ts';
import { MissingRequirementError } from '../../errors/errors.ts';
import { renderJob } from '../../manifests/offline/render.ts';
import { servesGang } from '../../manifests/offline/served-gangs.ts';
import type { CallOptions } from '../../servers/client-settings.ts';
import type { JobId } from '../../servers/job-id.ts';
import type { ClientPorts } from '../../servers/ports.ts';
import type { KnownStatus } from '../../servers/recorded-status.ts';
import { explanationOf, toldByLogs } from '../observe/explanation.ts';
import { jobLedger } from '../observe/follow-job.ts';
import { readStatus } from '../observe/job-status.ts';
import { namedJob, submittedManifest } from '../observe/recorded-job.ts';
import { findLogSigns } from '../pods/silence.ts';
import { readOwnPods, readSpares, waitingPodsOf } from './own-pods.ts';
import { type PlannedJob, readSituation } from './situation-of.ts';
import { tryPods } from './try-pods.ts';
import { waitedFor } from './waited.ts';
import { withRemedies } from './with-remedies.ts';

/**
 * Explains why a job waits: what the engine says, what the cluster has for its pods, and what it has waited for so far. A
 * job that runs or has ended waits for nothing. Needs access to the cluster; without it, `unknown` says what is left out.
 */
export async function whyJob(ports: ClientPorts, job: JobId, options: CallOptions): Promise<WhyAnswer> {
  const [status, waited] = await Promise.all([
    readStatus(ports, job, options),
    waitedOf(ports, job, options),
  ]);
  const { kind, namespace, name, phase } = status;
  const [spares, signs] = await Promise.all([
    sparesOf({ ports, job, options }, status),
    findLogSigns(ports, [{ namespace, name, phase, workflowId: job.workflowId }]),
  ]);
  const answer = isWaiting(status) ? await answerFor(ports, job, status, options) : NOTHING;
  const warnings = status.warnings.filter(isNoticeText);
  const unknown = [...answer.unknown, ...('unread' in waited ? [waited.unread] : [])];
  return withRemedies({
    ...{ kind, namespace, name, workflowId: job.workflowId, phase, asOf: new Date().toISOString() },
    explanation: explanationOf(status),
    ...{ ...answer, unknown },
    ...(warnings.length > 0 ? { warnings } : {}),
    ...(spares ? { spares } : {}),
    ...toldByLogs(status),
    ...signs.get(job.workflowId),
    ...('waits' in waited ? { waited: waited.waits } : {}),
  });
}

const NOTHING: WaitAnswer = { reasons: [], placements: [], unknown: [] };

const isWaiting = ({ phase }: KnownStatus) => phase !== 'Running' && !isFinal(phase);

/** Adds what the scheduler says, if the cluster can be read. */
async function sparesOf(
  { ports, job, options }: Pick<Asked, 'ports' | 'job' | 'options'>,
  { spares, namespace, name }: KnownStatus,
): Promise<WhyAnswer['spares']> {
  if (!spares || spares.placed >= spares.wanted) return spares;
  try {
    const { anchorUid = '' } = await namedJob(ports, job, options);
    const pods = await readSpares(new Reading(await ports.cluster()), { namespace, name, anchorUid });
    const [scheduler] = waitingPodsOf(pods).flatMap((pod) => pod.scheduler ?? []);
    return scheduler ? { ...spares, said: scheduler.message } : spares;
  } catch (error) {
    if (whyUnread(error) === undefined) throw error;
    return spares;
  }
}

/** Only a worker knows the ledger. */
async function waitedOf(
  ports: ClientPorts,
  job: JobId,
  options: CallOptions,
): Promise<{ readonly waits: readonly Waited[] } | { readonly unread: string }> {
  try {
    const entries = await jobLedger(ports, job, options);
    const { endTime } = await namedJob(ports, job, options);
    return { waits: waitedFor(entries, Date.parse(endTime ?? '') || Date.now()) };
  } catch (error) {
    options.signal?.throwIfAborted();
    return { unread: `what it has waited for is not known: ${errorMessage(error)}` };
  }
}

async function answerFor(
  ports: ClientPorts,
  job: JobId,
  status: KnownStatus,
  options: CallOptions,
): Promise<WaitAnswer> {
  const own = ownStateOf(status);
  try {
    const reading = new Reading(await ports.cluster());
    const planned = await plannedJob({ ports, job, reading, options }, status);
    const live = { ...planned.live, own };
    const tried = refusedCause(status) ? await tryMissing(reading, planned) : {};
    return explainSituation(await readSituation(reading, { ...planned, ...tried, live, lanes: ports.lanes }));
  } catch (error) {
    const why = whyUnread(error);
    if (why === undefined) throw error;
    return explainSituation(withoutCluster(own, status.namespace, `the cluster cannot be read: ${why}`));
  }
}

/** Whether the API server still refuses the pods that are missing: the job tries again only now and then. */
async function tryMissing(
  reading: Reading,
  { objects, live }: LiveJob,
): Promise<Pick<PlannedJob, 'refused' | 'isAdmitted'>> {
  const there = new Set(live.pods.map(({ metadata }) => metadata.name));
  const missing = objects.pods.filter(({ metadata }) => !there.has(metadata.name));
  const { refused, answers } = await tryPods(reading, missing);
  return { refused, isAdmitted: answers.length > 0 && answers.every(({ isRefused }) => !isRefused) };
}

/** Returns why a cluster cannot be read; undefined for an error that is none of the cluster. */
function whyUnread(error: unknown): string | undefined {
  if (error instanceof ApiError) return withoutRequest(error);
  const isAway =
    error instanceof ConnectionError ||
    error instanceof ClusterConfigError ||
    error instanceof MissingRequirementError;
  return isAway ? errorMessage(error) : undefined;
}

const ownStateOf = ({ phase, state, since, cause }: KnownStatus): OwnState => ({
  ...{ phase, state },
  ...(since ? { since } : {}),
  causes: cause ? [cause, ...(cause.also ?? [])] : [],
});

const withoutCluster = (own: OwnState, namespace: string, unread: string) => ({
  at: Date.now(),
  own,
  demand: { namespace, shapes: [], minMember: 1, waiting: [], leaving: [], objects: {} },
  cluster: {
    ...{ isUsageKnown: false, holders: [], quotas: [], missing: [], volumes: [] },
    ...{ refused: [], schedulers: {}, autoscaler: [] },
  },
  unread: [unread],
});

interface Asked {
  readonly ports: ClientPorts;
  readonly job: JobId;
  readonly reading: Reading;
  readonly options: CallOptions;
}

type LiveJob = Omit<PlannedJob, 'live'> & {
  readonly live: Omit<NonNullable<PlannedJob['live']>, 'own'>;
};

/** Takes the job from its anchor, which has all changes of it; before it has one, from what was submitted. */
async function plannedJob(asked: Asked, { namespace, name, attempt }: KnownStatus): Promise<LiveJob> {
  const { ports, job: id, options, reading } = asked;
  const { firstRunId, anchorUid = '' } = await namedJob(ports, id, options);
  const { job, gang } =
    (await jobOnAnchor(reading, { namespace, name, firstRunId })) ?? (await jobAsSubmitted(asked, namespace));
  const objects = renderAttempt(job, { number: attempt, anchorUid }, { gang, asGang: true });
  const pods = anchorUid ? await readOwnPods(reading, { namespace, name, anchorUid }) : [];
  return { job, gang, objects, live: { anchorUid, attempt, pods } };
}

type Found = Pick<PlannedJob, 'job' | 'gang'>;

/** An ended job of the name may have left an anchor. */
async function jobOnAnchor(
  reading: Reading,
  { namespace, name, firstRunId }: { namespace: string; name: string; firstRunId: string },
): Promise<Found | undefined> {
  const anchor = await reading.orElse(
    reading.cluster.find(CONFIG_MAPS, namespace, anchorNameOf(name)),
    undefined,
    'amendments of the job are not known: ConfigMaps may not be read',
  );
  const record = parseAnchorRecord(anchor?.metadata.annotations);
  if (!anchor?.data?.job || record.firstRunId !== firstRunId) return undefined;
  const gang = isOneOf(GANG_CHOICES, record.gang) && record.gang !== 'auto' ? record.gang : 'none';
  return { job: JSON.parse(anchor.data.job) as TrainingJob, gang };
}

async function jobAsSubmitted({ ports, job, reading, options }: Asked, namespace: string): Promise<Found> {
  const manifest = await submittedManifest(ports, job, options);
  return renderJob(manifest, { namespace, serves: servesGang(reading.cluster) });
}
