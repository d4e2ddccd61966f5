import type { Activities } from '../activities/activities.ts';
import { SUMMARY_BYTES, shortenToBytes } from '../language/shorten.ts';
import { EFFECT_SUMMARIES } from '../machines/model/effects.ts';
import {
  ACTIVE_DEADLINE,
  AVOIDANCE,
  BACK_OFF,
  CHECKPOINT,
  FORCE_DELETE,
  HOLD,
  LOOK,
  NODE_LOST,
  RECOVERY,
  REFUSED,
  SPARES,
  STALL,
  START_UP,
} from '../machines/model/job-context.ts';

/** Summaries that Temporal's UI and command line show with events, so that the list of events explains the job. */

type RequestOf<Name extends keyof Activities> = Parameters<Activities[Name]>[0];

/** What each activity does, in a sentence. */
export const ACTIVITY_SUMMARIES: {
  readonly [Name in keyof Activities]: (request: RequestOf<Name>) => string;
} = {
  admit: ({ waitedMs = 0, isStopped }) => {
    if (isStopped) return 'Take the name of a job that was stopped, to clean up after it';
    if (waitedMs > 0) return `Take the name if it is free now, after ${Math.round(waitedMs / 1000)} s`;
    return 'Check the manifest, take the name, create the first pods';
  },
  amend: ({ replicas, policy }) =>
    replicas ? `Check new sizes: ${listSizes(replicas)}` : `Check the new policy: ${keysOf(policy)}`,
  revise: ({ resource }) =>
    resource
      ? `Check generation ${resource.generation} of ${resource.kind} ${resource.uid}`
      : 'Check the applied manifest',
  restoreRevision: () => 'Put the job’s own sizes and policy back on its anchor: a change was refused',
  askWatcher: () => 'Ask the watcher how the pods are now',
  ...EFFECT_SUMMARIES,
  recordStatus: ({ status: { phase, cause } }) =>
    `Record in the cluster: ${phase}${cause ? ` (${cause.reason})` : ''}`,
  expire: ({ namespace, anchorName }) => `Delete what is left of the ended job: ${namespace}/${anchorName}`,
  cleanUpOrphan: ({ workflowId }) => `Delete what workflow ${workflowId} left when it ended without clean-up`,
};

/** What happens when each timer of a job fires. They begin with the timer's name. */
const TIMER_SUMMARIES: Readonly<Record<string, string>> = {
  [ACTIVE_DEADLINE]: 'the job fails unless it has ended (activeDeadlineSeconds)',
  [BACK_OFF]: 'the next restart begins',
  [RECOVERY]: 'restarted pods must be ready',
  [START_UP]: 'pods must have started',
  [STALL]: 'a job without progress counts as stalled',
  [NODE_LOST]: 'pods on a node that is not back count as lost',
  [AVOIDANCE]: 'new pods may use an avoided node again',
  [FORCE_DELETE]: 'pods past their grace period are deleted by force',
  [LOOK]: 'look whether deleted pods are gone',
  [HOLD]: 'failed pods are no longer kept',
  [CHECKPOINT]: 'a checkpoint must be written',
  [SPARES]: 'spares may be made again',
  [REFUSED]: 'the job fails if the API server still refuses',
};

export const timerSummary = (name: string): string => summarised(`${name}: ${TIMER_SUMMARIES[name] ?? ''}`);

/** Returns the text within Temporal's limit. */
export const summarised = (text: string): string => shortenToBytes(text, SUMMARY_BYTES);

const listSizes = (replicas: Readonly<Record<string, number>>) =>
  Object.entries(replicas)
    .map(([role, count]) => `${role} ${count}`)
    .join(', ');

const keysOf = (fields: object | undefined) => Object.keys(fields ?? {}).join(', ');
