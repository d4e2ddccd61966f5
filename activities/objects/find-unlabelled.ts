import { Context } from '@temporalio/activity';
import { unlessGoneOrReplaced } from '../../cluster/errors.ts';
import { type KubeObject, PODS, type Pod, SERVICES } from '../../contracts/kubernetes.ts';
import { attemptOf } from '../../contracts/objects.ts';
import type { TrainingJob } from '../../contracts/training-job.ts';
import { frameworkOf } from '../../frameworks/kinds/registry.ts';
import type { Replica } from '../../frameworks/model/framework.ts';
import { nameOfPod } from '../../resources/metadata.ts';
import { renderPod } from '../../resources/pod.ts';
import { renderService } from '../../resources/service.ts';
import { spareNameOf } from '../../resources/spare.ts';
import type { Dependencies } from '../support/dependencies.ts';
import { inParallel } from '../support/in-parallel.ts';
import { isOwnedByJob } from '../support/owned.ts';
import { hasLostMetadata, ofInstallation, restoreMetadata } from './lost-metadata.ts';

interface OfJob {
  readonly job: TrainingJob;
  readonly anchorUid: string;
}

/**
 * Finds the pods of a job that its labels no longer find, by their names, and gives them their labels back: from then on
 * every list has them. Reads only the names that the list of all pods lacks, which are none in most jobs.
 */
export async function findUnlabelledPods(
  dependencies: Dependencies,
  { job, anchorUid }: OfJob,
  listed: readonly Pod[],
): Promise<Pod[]> {
  const of = { job, framework: frameworkOf(job) };
  const found: Pod[] = [];
  await eachUnlisted(dependencies, job, listed, async (replica) => {
    const existing = await dependencies.cluster.find(PODS, job.namespace, nameOfPod(of, replica));
    if (!existing || !isOwnedByJob(existing, { anchorUid, job })) return;
    const attempt = { number: attemptOf(existing), anchorUid };
    const rendered = renderPod(of, { ...replica, attempt: attempt.number }, { attempt, membership: {} });
    const wanted = ofInstallation(rendered, dependencies);
    if (!hasLostMetadata(existing, wanted)) return;
    const restored = await restoreMetadata(dependencies.cluster, { resource: PODS, existing, wanted }).catch(
      unlessGoneOrReplaced,
    );
    if (restored) found.push({ ...restored, kind: PODS.kind });
  });
  return found;
}

/** The same for spares. Returns them as they are: they are about to be deleted. */
export async function findUnlabelledSpares(
  { cluster }: Dependencies,
  { job, anchorUid }: OfJob,
  listed: readonly Pod[],
): Promise<Pod[]> {
  const { count = 0 } = job.plan.policy?.spares ?? {};
  const known = new Set(listed.map(({ metadata }) => metadata.name));
  const names = Array.from({ length: count }, (_, index) => spareNameOf(job.name, index));
  const unlisted = names.filter((name) => !known.has(name));
  const found = await Promise.all(unlisted.map((name) => cluster.find(PODS, job.namespace, name)));
  return found.filter((pod): pod is Pod => pod !== undefined && isOwnedByJob(pod, { anchorUid, job }));
}

/** The same for the Services of replicas. Returns them as they are: they are about to be deleted. */
export async function findUnlabelledServices(
  dependencies: Dependencies,
  { job, anchorUid }: OfJob,
  listed: readonly KubeObject[],
): Promise<KubeObject[]> {
  const of = { job, framework: frameworkOf(job) };
  const found: KubeObject[] = [];
  await eachUnlisted(dependencies, job, listed, async (replica) => {
    const wanted = renderService(of, replica, anchorUid);
    if (!wanted) return;
    const existing = await dependencies.cluster.find(SERVICES, job.namespace, wanted.metadata.name);
    if (existing && isOwnedByJob(existing, { anchorUid, job })) found.push(existing);
  });
  return found;
}

async function eachUnlisted(
  { connections }: Dependencies,
  job: TrainingJob,
  listed: readonly KubeObject[],
  look: (replica: Replica) => Promise<void>,
): Promise<void> {
  const of = { job, framework: frameworkOf(job) };
  const known = new Set(listed.map(({ metadata }) => metadata.name));
  const unlisted = job.roles.flatMap((role) =>
    Array.from({ length: role.replicas }, (_, index): Replica => ({ role, index })).filter(
      (replica) => !known.has(nameOfPod(of, replica)),
    ),
  );
  const { cancellationSignal: signal } = Context.current();
  await inParallel(unlisted, { limit: connections, signal }, look);
}
