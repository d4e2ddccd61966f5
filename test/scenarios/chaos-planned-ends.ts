import { CONFIG_MAPS } from '../../contracts/kubernetes.ts';
import { anchorNameOf } from '../../contracts/labels.ts';
import type { JobOutcome } from '../../contracts/status.ts';
import type { Hand } from './chaos-hand.ts';

/** What is done to a job, and the only end that can follow from it, whatever else befalls its pods. */
export interface Fate {
  /** As `endOf` says it. */
  readonly end: string;
  /** Done from some moment on, again and again until the job is over; without it the end comes by itself. */
  readonly seal?: (name: string, hand: Hand) => Promise<unknown>;
  /** Suspending it does not keep the end from coming. */
  readonly mayRest?: boolean;
}

const fates = {
  completes: { end: 'Completed' },
  findsBadData: { end: 'Failed FinalFailure', seal: (name, hand) => hand.endOne(name, 42) },
  passesBackoffLimit: { end: 'Failed BackoffLimitExceeded', seal: (name, hand) => hand.endOne(name, 1) },
  mayNotFail: { end: 'Failed PodFailed', seal: (name, hand) => hand.endOne(name, 1) },
  spendsItsBudget: { end: 'Failed FailureBudgetExceeded', seal: (name, hand) => hand.endOne(name, 1) },
  usesUpItsLadder: { end: 'Failed RestartsExhausted', seal: (name, hand) => hand.endOne(name, 1) },
  runsOutOfTime: { end: 'Failed DeadlineExceeded' },
  isStopped: {
    end: 'Stopped StopRequested',
    seal: (name, { jobs }) => jobs.get(name)!.stop({ by: 'chaos', why: 'it is its fate' }),
    mayRest: true,
  },
  isCancelled: {
    end: 'Stopped Cancelled',
    seal: (name, { stage, jobs }) => stage.temporal.workflow.getHandle(jobs.get(name)!.workflowId).cancel(),
    mayRest: true,
  },
  isTerminated: {
    end: 'Stopped WorkflowTerminated',
    seal: (name, { stage, jobs }) =>
      stage.temporal.workflow.getHandle(jobs.get(name)!.workflowId).terminate('it is its fate'),
    mayRest: true,
  },
  losesItsAnchor: {
    end: 'Stopped AnchorDeleted',
    seal: (name, { stage }) => stage.cluster.delete(CONFIG_MAPS, stage.namespace, anchorNameOf(name)),
    mayRest: true,
  },
} as const satisfies Readonly<Record<string, Fate>>;

export type FateName = keyof typeof fates;
export const FATES: Readonly<Record<FateName, Fate>> = fates;

export const endOf = ({ phase, cause }: JobOutcome) =>
  phase === 'Completed' ? phase : `${phase} ${cause?.reason}`;
