import { MEMO, UPDATES } from '../../../contracts/messages.ts';
import type { ExtendRequest, HoldRequest, Intervention, StopRequest } from '../../../contracts/types.ts';
import { JobEndedError } from '../../errors/errors.ts';
import { ask, translated } from '../../servers/ask.ts';
import type { CallOptions } from '../../servers/client-settings.ts';
import type { JobId } from '../../servers/job-id.ts';
import type { ClientPorts, TemporalPort } from '../../servers/ports.ts';
import { describeLastRun } from '../observe/describe-job.ts';
import { isJobOpen } from '../observe/recorded-job.ts';
import { checkSeconds, intervene } from './intervene.ts';

/** Who asks, and whom. */
export interface AskedJob {
  readonly ports: TemporalPort & Pick<ClientPorts, 'user'>;
  readonly job: JobId;
}

/** Sends a request to a job, which records it with user and reason. `update`: the name of the Temporal update. */
export function sendRequest(
  { ports, job }: AskedJob,
  { update, request }: { readonly update: string; readonly request: Intervention },
  options: CallOptions,
): Promise<void> {
  const { workflowId, firstRunId } = job;
  const named = { ...request, by: request.by ?? ports.user };
  const intervention = { workflowId, firstRunId, update, request: named };
  const describe = () => describeLastRun(ports, job);
  return translated({ ports, workflowId }, () =>
    intervene(ports.temporal, intervention, { ...options, describe }),
  );
}

/** The same for what the manifest of a job says, too: the custom resource of a job gets it. */
export async function sendChange(
  { ports, job }: AskedJob & { readonly ports: ClusterPort },
  agreed: { readonly update: string; readonly request: Intervention },
  options: CallOptions,
): Promise<void> {
  await sendRequest({ ports, job }, agreed, options);
  const { workflowId } = job;
  await ask({ ports, workflowId, options }, async () => {
    const described = await describeLastRun(ports, job);
    if (described.memo?.[MEMO.resource] === undefined) return;
    // It loads the kinds of jobs, which most requests do not need.
    const { writeToResource } = await import('./write-to-resource.ts');
    await writeToResource(ports, described, agreed);
  });
}

type ClusterPort = Pick<ClientPorts, 'cluster'>;

export async function extendDeadline(
  asked: AskedJob,
  request: ExtendRequest,
  options: CallOptions,
): Promise<void> {
  checkSeconds(request, 1);
  return sendRequest(asked, { update: UPDATES.extendDeadline, request }, options);
}

export async function holdFailedPods(
  asked: AskedJob,
  request: HoldRequest,
  options: CallOptions,
): Promise<void> {
  checkSeconds(request, 0);
  return sendRequest(asked, { update: UPDATES.hold, request }, options);
}

/** Stopping an ended job does nothing. */
export async function stopJob(
  asked: AskedJob,
  request: StopRequest,
  options: CallOptions,
): Promise<'requested' | 'already-ended'> {
  if (!(await isJobOpen(asked.ports, asked.job, options))) return 'already-ended';
  try {
    await sendRequest(asked, { update: UPDATES.stop, request }, options);
    return 'requested';
  } catch (error) {
    // The job ended after the check above.
    if (error instanceof JobEndedError) return 'already-ended';
    throw error;
  }
}
