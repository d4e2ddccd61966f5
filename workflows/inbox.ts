import { CancellationScope, defineQuery, defineSignal, defineUpdate, setHandler } from '@temporalio/workflow';
import type { Digest } from '../contracts/digest.ts';
import {
  DIGEST_SIGNAL,
  type Intervention,
  RESUME_UPDATE,
  STATUS_QUERY,
  STOP_UPDATE,
  SUSPEND_UPDATE,
} from '../contracts/messages.ts';
import type { ReasonCode } from '../contracts/reasons.ts';
import { type Cause, isFinal, type JobStatus, type Phase } from '../contracts/status.ts';
import type { JobEvent } from '../machines/job-events.ts';

const digestSignal = defineSignal<[Digest]>(DIGEST_SIGNAL);
const stopUpdate = defineUpdate<{ phase: Phase }, [Intervention]>(STOP_UPDATE);
const suspendUpdate = defineUpdate<{ phase: Phase }, [Intervention]>(SUSPEND_UPDATE);
const resumeUpdate = defineUpdate<{ phase: Phase }, [Intervention]>(RESUME_UPDATE);
const statusQuery = defineQuery<JobStatus>(STATUS_QUERY);

/** Everything that a job hears, in the order in which it came; of digests only the newest. */
export interface Inbox {
  push(event: JobEvent): void;
  take(): JobEvent | undefined;
  isEmpty(): boolean;
  /** Somebody has asked for the end of the job. */
  isStopped(): boolean;
}

/** Handlers only put events in here; what they mean is decided elsewhere. Must be opened before anything is awaited. */
export function openInbox(status: () => JobStatus): Inbox {
  const events: JobEvent[] = [];
  let newest: Digest | undefined;

  setHandler(
    digestSignal,
    (digest) => {
      if (isDigest(digest) && !isOlder(digest, newest)) newest = digest;
    },
    { description: 'What the watcher sees of the job’s pods.' },
  );
  const unlessEnded = (_asked: Intervention) => {
    if (isFinal(status().phase)) throw new Error(`the job has already ended: ${status().phase}`);
  };
  setHandler(
    stopUpdate,
    (asked) => {
      events.push({ type: 'stop', at: Date.now(), cause: causeOf('StopRequested', 'stopped', asked) });
      return { phase: status().phase };
    },
    {
      description:
        'Stop the job and remove its pods, services and group. Argument: {by, why}, both optional.',
      validator: unlessEnded,
    },
  );
  setHandler(
    suspendUpdate,
    (asked) => {
      events.push({ type: 'suspend', at: Date.now(), cause: causeOf('Suspended', 'suspended', asked) });
      return { phase: status().phase };
    },
    {
      description:
        'Remove the job’s pods, services and group until it is resumed. Argument: {by, why}, both optional.',
      validator: (asked) => {
        unlessEnded(asked);
        if (status().phase === 'Suspended') throw new Error('the job is suspended already');
      },
    },
  );
  setHandler(
    resumeUpdate,
    (asked) => {
      events.push({ type: 'resume', at: Date.now(), cause: causeOf('Suspended', 'resumed', asked) });
      return { phase: status().phase };
    },
    {
      description: 'Start the pods of a suspended job again. Argument: {by, why}, both optional.',
      validator: (asked) => {
        unlessEnded(asked);
        if (status().phase !== 'Suspended') throw new Error(`the job is not suspended: ${status().phase}`);
      },
    },
  );
  setHandler(statusQuery, status, { description: 'Phase, cause, conditions, replicas and timeline.' });
  CancellationScope.current().cancelRequested.catch(() => {
    events.push({
      type: 'stop',
      at: Date.now(),
      cause: { reason: 'Cancelled', message: 'the workflow was cancelled' },
    });
  });

  const isEmpty = () => events.length === 0 && newest === undefined;
  return {
    push: (event) => events.push(event),
    take: () => {
      const event = events.shift();
      if (event || !newest) return event;
      const digest = newest;
      newest = undefined;
      return { type: 'digest', digest, at: Date.now() };
    },
    isEmpty,
    isStopped: () => events.some(({ type }) => type === 'stop'),
  };
}

/** Anybody can send a signal; the anchor's uid, which only a real digest has, is checked by the machine. */
const isDigest = (digest: Digest | undefined) => typeof digest?.revision?.pods === 'number';

const isOlder = (digest: Digest, than: Digest | undefined) =>
  than !== undefined && !digest.anchorDeleted && digest.revision.pods < than.revision.pods;

function causeOf(reason: ReasonCode, done: string, asked: Intervention | null | undefined): Cause {
  const { by, why } = asked ?? {};
  return { reason, message: `${done}${by ? ` by ${by}` : ''}${why ? `: ${why}` : ''}` };
}
