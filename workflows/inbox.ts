import { CancellationScope, defineQuery, defineSignal, defineUpdate, setHandler } from '@temporalio/workflow';
import type { Digest } from '../contracts/digest.ts';
import { DIGEST_SIGNAL, type Intervention, STATUS_QUERY } from '../contracts/messages.ts';
import type { ReasonCode } from '../contracts/reasons.ts';
import { type Cause, isFinal, type JobStatus, type Phase } from '../contracts/status.ts';
import type { JobEvent } from '../machines/job-events.ts';
import { INTERVENTIONS } from './interventions.ts';

const digestSignal = defineSignal<[Digest]>(DIGEST_SIGNAL);
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
  for (const { update, event, reason, done, description, refusal } of INTERVENTIONS) {
    setHandler(
      defineUpdate<{ phase: Phase }, [Intervention]>(update),
      (asked) => {
        events.push({ type: event, at: Date.now(), cause: causeOf(reason, done, asked) });
        return { phase: status().phase };
      },
      {
        description,
        validator: (_asked: Intervention) => {
          const { phase } = status();
          const why = isFinal(phase) ? `the job has already ended: ${phase}` : refusal?.(phase);
          if (why) throw new Error(why);
        },
      },
    );
  }
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
