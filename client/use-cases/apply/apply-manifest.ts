import { workflowIdOf } from '../../../contracts/labels.ts';
import { UPDATES } from '../../../contracts/messages.ts';
import { isFinal } from '../../../contracts/status.ts';
import type { ApplyRequest } from '../../../contracts/types.ts';
import { timeoutSignal } from '../../../language/timers.ts';
import { InvalidManifestError, JobEndedError, NameTakenError } from '../../errors/errors.ts';
import { checkedManifest } from '../../manifests/checked-manifest.ts';
import { hasGeneratedName } from '../../manifests/generated-name.ts';
import type { Manifest } from '../../manifests/named-manifest.ts';
import { validateManifest } from '../../manifests/offline/validate.ts';
import type { CallOptions } from '../../servers/client-settings.ts';
import type { JobId, SubmittedJob } from '../../servers/job-id.ts';
import type { ClientPorts } from '../../servers/ports.ts';
import { sendRequest } from '../intervene/send-request.ts';
import { watchJob } from '../observe/follow-job.ts';
import { submitJob } from '../submit/submit-job.ts';
import type { Applied, ApplyOptions } from './apply-options.ts';
import { isAdmitted, planApply } from './plan-apply.ts';

/** Makes the job of a name what its manifest says: starts it, changes the live one, or leaves it as it is. */
export function applyManifest(
  ports: ClientPorts,
  manifest: object,
  options: ApplyOptions,
): ReturnType<typeof applyJob> {
  const { namespace = ports.namespace } = options;
  return applyJob(ports, manifestToApply(manifest, { ...options, namespace }), options);
}

/** Returns the manifest as it is applied. Throws `InvalidManifestError` with all faults. */
export function manifestToApply(
  manifest: unknown,
  { strict, namespace }: Pick<ApplyOptions, 'strict'> & { readonly namespace: string },
): Manifest {
  if (hasGeneratedName(manifest)) throw withoutName();
  const validate = (named: object) => validateManifest(named, { strict }).faults;
  return checkedManifest(manifest, { namespace, validate });
}

const withoutName = () =>
  new InvalidManifestError([
    { path: 'metadata.name', expected: 'a name, by which apply finds the job', got: 'a generateName' },
  ]);

interface AppliedTo extends Applied {
  readonly job: SubmittedJob;
}

/** The job may start or end between the look and the act, each time by another client's doing. */
const ROUNDS = 5;

/**
 * Makes the job of a name what its manifest says: starts it, changes the live one, or leaves it as it is. May be repeated:
 * each call looks at the job, and asks only if something is different.
 */
async function applyJob(ports: ClientPorts, manifest: Manifest, options: ApplyOptions): Promise<AppliedTo> {
  for (let round = 1; ; round++) {
    try {
      const applied = await applyOnce(ports, manifest, options);
      if (applied) return applied;
    } catch (error) {
      if (round === ROUNDS || !isOvertaken(error)) throw error;
    }
  }
}

/** Another client has started the job meanwhile, or it has ended. */
const isOvertaken = (error: unknown): boolean =>
  error instanceof JobEndedError || (error instanceof NameTakenError && !isFinal(error.phase));

/** Returns nothing if another client has started the same job: it may have been changed since. */
async function applyOnce(
  ports: ClientPorts,
  manifest: Manifest,
  options: ApplyOptions,
): Promise<AppliedTo | undefined> {
  const { isAdmitted: takesRequests, ...planned } = await planApply(ports, manifest, options);
  if (options.dryRun) return planned;
  if (planned.result === 'started') {
    const job = await startApplied(ports, manifest, options);
    return job.submission === 'started' ? { ...planned, job } : undefined;
  }
  if (planned.result === 'unchanged') return planned;
  if (!takesRequests) await untilAdmitted(ports, planned.job, options);
  const { why, ...call } = options;
  const request: ApplyRequest = { manifest, why };
  await sendRequest({ ports, job: planned.job }, { update: UPDATES.apply, request }, call);
  return planned;
}

/** The last job of the name is another one, also if it was submitted with the same manifest and then changed. */
function startApplied(ports: ClientPorts, manifest: Manifest, options: ApplyOptions): Promise<SubmittedJob> {
  const workflowId = workflowIdOf(manifest.metadata);
  const submission = { manifest, why: options.why, workflowId, key: undefined, rerun: true };
  return submitJob(ports, submission, options);
}

/** A job that was started a moment ago refuses changes until it is admitted. If that takes long, it says so itself. */
async function untilAdmitted(ports: ClientPorts, job: JobId, options: CallOptions): Promise<void> {
  const limit = timeoutSignal(options.timeout ?? ADMISSION_MS);
  const signal = AbortSignal.any([limit, ...(options.signal ? [options.signal] : [])]);
  try {
    for await (const status of watchJob(ports, job, { signal })) if (isAdmitted(status)) return;
  } catch (error) {
    if (error !== limit.reason) throw error;
  }
}

const ADMISSION_MS = 10_000;
