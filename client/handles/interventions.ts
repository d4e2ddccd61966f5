import { UPDATES } from '../../contracts/messages.ts';
import type {
  AmendRequest,
  ExtendRequest,
  HoldRequest,
  Intervention,
  Phase,
  ScaleRequest,
  StopRequest,
} from '../../contracts/types.ts';
import type { JobHandle } from './job-handle.ts';

/** What a person gives with a request, beside the reason. */
export interface RequestField {
  /** In the request. */
  readonly name: string;
  readonly takes: 'duration' | 'count' | 'switch' | 'role' | 'policy' | 'name' | 'edits';
  /** For a form. */
  readonly label: string;
  /** Shown where nothing is written yet. */
  readonly example?: string;
}

/** A request that a person can make to a live job. */
export interface RequestKind<R extends Intervention = never> {
  /** Of the command line; also the resource of the right to make it. */
  readonly command: string;
  /** What it does, as help begins it. */
  readonly description: string;
  /** What there is to know before it is made. */
  readonly help?: string;
  readonly fields: readonly RequestField[];
  /** It cannot be taken back: people confirm it by the name of the job. */
  readonly isFinal?: true;
  /** In which phases a job may take it; the job itself decides. Default: in all of a live job. */
  readonly isFor?: (phase: Phase) => boolean;
  /** Resolves when the job has accepted the request, or has already ended. */
  readonly ask: (job: JobHandle, request: R) => Promise<void> | Promise<'requested' | 'already-ended'>;
}

const define = <R extends Intervention>(kind: RequestKind<R>): RequestKind<R> => kind;

/**
 * The requests to jobs, by update, in the order in which people are offered them: for the command line and the console. Not
 * `apply`, which makes the job what a file says.
 */
export const REQUESTS = {
  [UPDATES.suspend]: define<Intervention>({
    command: 'suspend',
    description: 'remove a job’s pods until it is resumed; no deadline runs meanwhile',
    fields: [],
    isFor: (phase) => phase !== 'Suspended',
    ask: (job, request) => job.suspend(request),
  }),
  [UPDATES.resume]: define<Intervention>({
    command: 'resume',
    description: 'start the pods of a suspended job again',
    fields: [],
    isFor: (phase) => phase === 'Suspended',
    ask: (job, request) => job.resume(request),
  }),
  [UPDATES.scale]: define<ScaleRequest>({
    command: 'scale',
    description: 'change the number of replicas of a role of a live job',
    help: `The job refuses a change that it cannot make. A kind that cannot change its size while it runs restarts its gang, if
the policy has scaleByRestart.`,
    fields: [
      { name: 'role', takes: 'role', label: 'Role', example: 'worker' },
      { name: 'replicas', takes: 'count', label: 'Replicas', example: '8' },
    ],
    ask: (job, request) => job.scale(request),
  }),
  [UPDATES.retryNow]: define<Intervention>({
    command: 'retry-now',
    description: 'skip the wait before a job’s next restart',
    fields: [],
    isFor: (phase) => phase === 'Restarting',
    ask: (job, request) => job.retryNow(request),
  }),
  [UPDATES.hold]: define<HoldRequest>({
    command: 'hold',
    description: 'keep a job’s failed pods for a while, for inspection',
    help: `If the job is already held, the time counts from now. Otherwise the pods of its next failure are kept that long.
A release lets the job continue earlier.`,
    fields: [{ name: 'seconds', takes: 'duration', label: 'How long', example: '30m' }],
    ask: (job, request) => job.hold(request),
  }),
  [UPDATES.release]: define<Intervention>({
    command: 'release',
    description: 'let a held job continue',
    fields: [],
    ask: (job, request) => job.release(request),
  }),
  [UPDATES.extendDeadline]: define<ExtendRequest>({
    command: 'extend-deadline',
    description: 'extend a job’s activeDeadlineSeconds',
    fields: [{ name: 'seconds', takes: 'duration', label: 'By how much', example: '2h' }],
    ask: (job, request) => job.extendDeadline(request),
  }),
  [UPDATES.amendPolicy]: define<AmendRequest>({
    command: 'amend',
    description: 'change the policy of a live job',
    fields: [
      {
        name: 'policy',
        takes: 'policy',
        label: 'Part of a policy, which is merged into the present one',
        example: 'progress: {stalledAfter: 20m}',
      },
    ],
    ask: (job, request) => job.amendPolicy(request),
  }),
  [UPDATES.stop]: define<StopRequest>({
    command: 'stop',
    description: 'stop a job: remove its pods and end it as Stopped',
    help: 'The job’s policy says how it is asked for a checkpoint, and how long the stop waits for that.',
    fields: [{ name: 'checkpoint', takes: 'switch', label: 'First ask the job for a checkpoint' }],
    isFinal: true,
    ask: (job, request) => job.stop(request),
  }),
} as const satisfies Readonly<Record<Exclude<(typeof UPDATES)[keyof typeof UPDATES], 'apply'>, RequestKind>>;
