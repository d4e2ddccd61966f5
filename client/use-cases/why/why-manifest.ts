import { ApiError, ConnectionError, isAlreadyExists } from '../../../cluster/errors.ts';
import { Reading } from '../../../cluster/reading.ts';
import { asTemporaryRefusal } from '../../../cluster/temporary-refusal.ts';
import { PODS, type Pod } from '../../../contracts/kubernetes.ts';
import { LABELS } from '../../../contracts/labels.ts';
import type { TrainingJob } from '../../../contracts/training-job.ts';
import type { WhyAnswer } from '../../../contracts/types.ts';
import type { WaitAnswer } from '../../../explain/answer.ts';
import { explainSituation } from '../../../explain/explain.ts';
import { waitReason } from '../../../explain/rule.ts';
import type { RefusedObject, Situation } from '../../../explain/situation.ts';
import { faultOfUnknown, formatUnknown } from '../../../frameworks/fields/unknown-fields.ts';
import { renderAttempt } from '../../../resources/attempt.ts';
import { InvalidManifestError, ServerAwayError } from '../../errors/errors.ts';
import { fieldsOnServer, type PodAnswer } from '../../manifests/offline/fields-on-server.ts';
import { renderJob } from '../../manifests/offline/render.ts';
import { servesGang } from '../../manifests/offline/served-gangs.ts';
import type { ManifestOptions } from '../../manifests/offline/validate.ts';
import type { ClientPorts } from '../../servers/ports.ts';
import { readSituation } from './situation-of.ts';

/**
 * Explains whether a job would wait if it was submitted now. Creates nothing: pods are tried in dry runs. Throws `InvalidManifestError` with all faults, and `ServerAwayError` if the cluster does not answer.
 */
export async function whyManifest(
  { cluster: connect, lanes }: Pick<ClientPorts, 'cluster' | 'lanes'>,
  manifest: unknown,
  options: ManifestOptions = {},
): Promise<WhyAnswer> {
  const cluster = await connect();
  try {
    const serves = servesGang(cluster);
    const rendered = await renderJob(manifest, { ...options, serves, podsAreTried: true });
    const { job, gang } = rendered;
    const objects = renderAttempt(job, { number: 1, anchorUid: '' }, { gang, asGang: true });
    const reading = new Reading(cluster);
    const { pods: admitted, refused, answers } = await tryPods(reading, objects.pods);
    const warnings = [...rendered.warnings, ...warningsOfPods(manifest, answers, options)];
    const situation = await readSituation(reading, { job, gang, objects, admitted, refused, lanes });
    const { kind, namespace, name } = job;
    return {
      kind,
      namespace,
      name,
      asOf: new Date(situation.at).toISOString(),
      ...withSuspension(explainSituation(situation), job, situation),
      ...(warnings.length > 0 ? { warnings } : {}),
    };
  } catch (error) {
    if (error instanceof ConnectionError) throw new ServerAwayError('Kubernetes', cluster.server, error);
    throw error;
  }
}

/** A job that is submitted as suspended has no pods until it is resumed; Kueue resumes those of its queues. */
function withSuspension(answer: WaitAnswer, { plan }: TrainingJob, { cluster }: Situation): WaitAnswer {
  if (!plan.runPolicy.suspend || cluster.queue) return answer;
  const reason = waitReason(
    'Suspended',
    'the manifest says suspend: true: the job has no pods until it is resumed',
  );
  return { ...answer, reasons: [reason, ...answer.reasons] };
}

/** Fields that are dropped from the pods do not keep the job waiting, if the caller accepts unknown fields. */
function warningsOfPods(
  manifest: unknown,
  answers: readonly PodAnswer[],
  { strict = true }: ManifestOptions,
): readonly string[] {
  const { unknown, warnings } = fieldsOnServer(manifest, answers);
  if (strict && unknown.length > 0) throw new InvalidManifestError(unknown.map(faultOfUnknown));
  return [...unknown.map(formatUnknown), ...warnings];
}

interface Tried {
  /** What the API server said of the first pod of each role. */
  readonly answers: readonly PodAnswer[];
  /** As admission would change them: defaults of LimitRanges, overhead of runtime classes, webhooks. */
  readonly pods: readonly Pod[];
  readonly refused: readonly RefusedObject[];
}

/** Asks the API server to create the first pod of each role in a dry run; the others of the role are like it. */
async function tryPods(reading: Reading, pods: readonly Pod[]): Promise<Tried> {
  const roles = [...Map.groupBy(pods, ({ metadata }) => metadata.labels?.[LABELS.role])];
  const tried = await Promise.all(roles.map(async ([, replicas]) => tryRole(reading, replicas)));
  return {
    pods: tried.flatMap((one) => one.pods),
    refused: tried.flatMap((one) => one.refused),
    answers: tried.flatMap((one) => one.answers),
  };
}

async function tryRole(reading: Reading, replicas: readonly Pod[]): Promise<Tried> {
  const first = replicas[0]!;
  const { namespace, name } = first.metadata;
  const warnings: string[] = [];
  const options = { dryRun: true, warned: (some: readonly string[]) => warnings.push(...some) };
  const answers = (isRefused: boolean) => [{ pod: first, isRefused, warnings }];
  try {
    const { spec, metadata } = await reading.cluster.create(PODS, withoutOwners(first), options);
    const { annotations } = metadata;
    const changed = replicas.map((pod) => ({ ...pod, spec, metadata: { ...pod.metadata, annotations } }));
    return { pods: changed, refused: [], answers: answers(false) };
  } catch (error) {
    if (!(error instanceof ApiError) || error.status >= 500) throw error;
    if (isAlreadyExists(error)) return { pods: replicas, refused: [], answers: answers(false) };
    if (/ cannot create resource "pods"/.test(error.detail)) {
      reading.note(
        `what admission refuses or changes is not known: pods may not be created, not even in a dry run (${error.detail})`,
      );
      return { pods: replicas, refused: [], answers: answers(true) };
    }
    const code = asTemporaryRefusal(error)?.reason ?? 'ClusterRefused';
    const refused = [{ object: `Pod ${namespace}/${name}`, code, message: error.detail }];
    return { pods: replicas, refused, answers: answers(true) };
  }
}

/** The anchor exists only once the job runs. */
const withoutOwners = (pod: Pod): Pod => ({
  ...pod,
  metadata: { ...pod.metadata, ownerReferences: undefined },
});
