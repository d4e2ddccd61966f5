import { z } from 'zod';
import { evidenceSummary } from './evidence-summary.ts';
import { jobOfRecord } from './job-of-record.ts';
import { stepFields } from './job-steps.ts';

const condition = z
  .object({
    type: z.string().describe('Type of the condition, e.g. Ready.'),
    status: z.string().describe('True, False or Unknown.'),
    reason: z.string().optional().describe('Reason of the last change.'),
    message: z.string().optional().describe('Details of the last change.'),
    lastTransitionTime: z.string().nullish().describe('When the status last changed, RFC 3339.'),
    lastHeartbeatTime: z.string().nullish().describe('When the condition was last confirmed, RFC 3339.'),
  })
  .meta({ id: 'RecordedCondition', description: 'A condition of the pod or its node.' });

const terminated = z
  .object({
    exitCode: z.int().describe('Exit code of the container.'),
    signal: z.int().optional().describe('The signal that ended it.'),
    reason: z.string().optional().describe('As Kubernetes reports it, e.g. Error or OOMKilled.'),
    message: z.string().optional().describe('Its termination message.'),
    startedAt: z.string().nullish().describe('When it started, RFC 3339.'),
    finishedAt: z.string().nullish().describe('When it ended, RFC 3339.'),
  })
  .meta({ id: 'TerminatedState', description: 'How a container ended.' });

const waiting = z
  .object({
    reason: z.string().optional().describe('E.g. ImagePullBackOff.'),
    message: z.string().optional().describe('The words of the kubelet.'),
  })
  .meta({ id: 'WaitingState', description: 'Why a container has not started.' });

const running = z
  .object({ startedAt: z.string().nullish().describe('Since when, RFC 3339.') })
  .meta({ id: 'RunningState', description: 'A container that runs.' });

const state = z
  .object({
    waiting: waiting.optional().describe('Set if the container has not started.'),
    running: running.optional().describe('Set if the container runs.'),
    terminated: terminated.optional().describe('Set if the container has ended.'),
  })
  .meta({ id: 'ContainerState', description: 'The state of a container; one of the fields is set.' });

/** The last lines that a container logged. */
const logExcerpt = z
  .object({
    lines: z.array(z.string()).describe('The last lines.'),
    isCut: z.boolean().describe('Whether earlier lines were left out, or the first line is incomplete.'),
  })
  .meta({ id: 'LogExcerpt', description: 'The last lines that a container logged.' });

const container = z
  .object({
    name: z.string().describe('Name of the container.'),
    image: z.string().optional().describe('Its image.'),
    isInit: z.boolean().optional().describe('Whether it is an init container.'),
    restarts: z.int().describe('Its restarts in place.'),
    state: state.optional().describe('Its state when the record was taken.'),
    lastState: state.optional().describe('State of the run before the last restart in place.'),
    log: logExcerpt.optional().describe('The end of its log.'),
    previousLog: logExcerpt.optional().describe('The end of the log before the last restart in place.'),
  })
  .meta({ id: 'ContainerEvidence', description: 'A container of the failed pod.' });

const taint = z
  .object({
    key: z.string().describe('Key of the taint.'),
    value: z.string().optional().describe('Value of the taint.'),
    effect: z.string().optional().describe('E.g. NoSchedule or NoExecute.'),
  })
  .meta({ id: 'RecordedTaint', description: 'A taint of the node.' });

const node = z
  .object({
    name: z.string().describe('Name of the node.'),
    conditions: z.array(condition).describe('Its conditions.'),
    taints: z.array(taint).describe('Its taints.'),
    unschedulable: z.boolean().describe('Whether it is cordoned.'),
  })
  .meta({ id: 'NodeEvidence', description: 'The node of the failed pod.' });

const event = z
  .object({
    type: z.string().optional().describe('Normal or Warning.'),
    reason: z.string().optional().describe('Reason of the event.'),
    message: z.string().optional().describe('What happened.'),
    count: z.int().optional().describe('How often.'),
    firstAt: z.string().optional().describe('When first, RFC 3339.'),
    lastAt: z.string().optional().describe('When last, RFC 3339.'),
    source: z.string().optional().describe('Who reported it.'),
  })
  .meta({ id: 'EventEvidence', description: 'A Kubernetes event about the failed pod.' });

const pod = z
  .object({
    phase: z.string().optional().describe('Phase of the pod.'),
    reason: z.string().optional().describe('Why it is in this phase.'),
    message: z.string().optional().describe('Details of the reason.'),
    startTime: z.string().nullish().describe('When the kubelet accepted it, RFC 3339.'),
    deletionTimestamp: z.string().optional().describe('Set if it is being deleted, RFC 3339.'),
    conditions: z.array(condition).describe('Its conditions.'),
  })
  .meta({ id: 'PodEvidence', description: 'The status of the failed pod.' });

export const evidenceRecord = z.object({
  version: z.literal(1).describe('Version of the format.'),
  job: jobOfRecord.describe('The job of the pod.'),
  anchorUid: z.string().describe('uid of the anchor: identifies the run of the job.'),
  summary: evidenceSummary.describe('The summary that is also in the history of the workflow.'),
  failedAt: z
    .string()
    .describe('When the pod failed, RFC 3339; the time of the record for a pod that only stalled.'),
  pod: pod.describe('The status of the pod.'),
  containers: z.array(container).describe('The containers of the pod.'),
  steps: z
    .object(stepFields)
    .meta({ id: 'EvidenceSteps', description: 'What the log of the pod told of its steps then.' })
    .optional()
    .describe('What its log told of its steps; absent if it showed none.'),
  node: node.optional().describe('The node of the pod.'),
  events: z.array(event).describe('Kubernetes events about the pod.'),
  incomplete: z.array(z.string()).optional().describe('Each part that could not be captured, and why.'),
});
