import type { Activities } from '../activities/activities.ts';
import type { CleanUpScope } from '../contracts/clean-up.ts';
import { SUMMARY_BYTES, shortenToBytes } from '../language/shorten.ts';
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
  createAttempt: ({ attempt, roles, from, to, again }) =>
    `Create ${roles ? `the pods of ${roles.join(', ')}` : `pods ${from + 1} to ${to}`} of attempt ${attempt}${again ? ', refused before' : ''}`,
  createGroup: ({ attempt }) => `Create the group of attempt ${attempt}; its scheduler has to admit it first`,
  joinLane: ({ attempt }) => `Wait with attempt ${attempt} in the lane of the job`,
  publishHostList: ({ attempt }) => `Write the list of hosts of attempt ${attempt}`,
  restoreServices: ({ names = [] }) => `Create Services again that are gone: ${names.join(', ')}`,
  keepSpares: ({ count }) =>
    count > 0 ? `Hold places with ${count} ${count > 1 ? 'spares' : 'spare'}` : 'Delete the spares',
  restorePods: ({ attempt, replace = [], restartRoles = [], leaveGang, ...others }) => {
    const what = [
      ...(replace.length > 0 ? [listPods(replace)] : []),
      ...(restartRoles.length > 0 ? [`all pods of ${restartRoles.join(', ')}`] : []),
      ...(leaveGang ? ['pods that wait in the gang'] : []),
    ];
    return `Replace ${what.join(', ') || 'missing pods'} in attempt ${attempt}${onceMore(others)}`;
  },
  capture: ({ pods }) => `Save evidence of ${pods ? listPods(pods) : 'the pods that show most'}`,
  drain: ({ attempt, ...others }) => `Delete all pods of attempt ${attempt}${onceMore(others)}`,
  liftGates: ({ attempt }) => `Lift the gates of the pods of attempt ${attempt}`,
  rollBack: ({ attempt, ...others }) =>
    `Delete all pods of attempt ${attempt}, unless enough of them have a node${onceMore(others)}`,
  scale: ({ attempt, ...others }) => `Give attempt ${attempt} its new sizes${onceMore(others)}`,
  requestCheckpoint: ({ attempt }) => `Ask the pods of attempt ${attempt} for a checkpoint`,
  suspend: (request) => `Delete pods, services and group until the job is resumed${onceMore(request)}`,
  cleanUp: ({ scope, record, ...others }) => {
    const end = record ? `${record.status.phase}: ` : '';
    return `${end}${CLEAN_UP[scope]}${onceMore(others)}`;
  },
  recordStatus: ({ status: { phase, cause } }) =>
    `Record in the cluster: ${phase}${cause ? ` (${cause.reason})` : ''}`,
  expire: ({ namespace, anchorName }) => `Delete what is left of the ended job: ${namespace}/${anchorName}`,
  sweepJob: ({ workflowId }) => `Delete what workflow ${workflowId} left when it ended without clean-up`,
};

const CLEAN_UP: Readonly<Record<CleanUpScope, string>> = {
  Everything: 'delete all pods and shared objects',
  All: 'delete all pods',
  Running: 'delete the pods that still run, keep the others',
  None: 'keep all pods',
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

const onceMore = ({ again, force }: { readonly again?: boolean; readonly force?: boolean }) =>
  `${again ? ', once more' : ''}${force ? ', by force' : ''}`;

const MOST_NAMED = 3;

function listPods(pods: readonly { readonly pod: string }[]): string {
  const named = pods.slice(0, MOST_NAMED).map(({ pod }) => pod);
  const others = pods.length - named.length;
  return `${named.join(', ')}${others > 0 ? ` and ${others} more` : ''}`;
}

const listSizes = (replicas: Readonly<Record<string, number>>) =>
  Object.entries(replicas)
    .map(([role, count]) => `${role} ${count}`)
    .join(', ');

const keysOf = (fields: object | undefined) => Object.keys(fields ?? {}).join(', ');
