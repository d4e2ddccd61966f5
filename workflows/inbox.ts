import { CancellationScope, defineQuery, defineSignal, defineUpdate, setHandler } from '@temporalio/workflow';
import type { Digest } from '../contracts/digest.ts';
import { DIGEST_SIGNAL, STATUS_QUERY } from '../contracts/messages.ts';
import { isFinal, type JobStatus, type Phase } from '../contracts/status.ts';
import type { JobEvent } from '../machines/model/job-events.ts';
import { deferUntilSettled } from './deferred-update.ts';
import { EventQueue } from './event-queue.ts';
import { INTERVENTIONS, type InterventionSpec, type JobView, openWhileEnding } from './interventions.ts';

const digestSignal = defineSignal<[Digest]>(DIGEST_SIGNAL);
const statusQuery = defineQuery<JobStatus>(STATUS_QUERY);

/** Everything that a job hears, in the order in which it came: see `EventQueue`. */
export interface Inbox {
  push(event: JobEvent): void;
  take(): JobEvent | undefined;
  takeAll(): JobEvent[];
  isEmpty(): boolean;
  /** The newest question to the watcher that it has answered. */
  answered(): number;
  /** Somebody has asked for the end of the job. */
  isStopped(): boolean;
  /** Somebody has cancelled the workflow itself. */
  isCancelled(): boolean;
}

/** Temporal's own tools may send no argument at all. */
type Asked = Parameters<InterventionSpec['event']>[0] | null | undefined;

/**
 * Handlers only put events in here; what they mean is decided elsewhere. Must be opened before anything is awaited.
 * `heard`: what an earlier run has heard; it comes before what this one hears.
 */
export function openInbox(standing: () => JobView, heard: readonly JobEvent[] = []): Inbox {
  const root = CancellationScope.current();
  const events = new EventQueue(heard);
  let answered = 0;
  const status = () => standing().status;

  setHandler(
    digestSignal,
    (digest) => {
      if (!isDigest(digest)) return;
      events.pushDigest(digest, Date.now());
      answered = Math.max(answered, digest.answers ?? 0);
    },
    { description: 'What the watcher sees of the job’s pods.' },
  );
  for (const intervention of INTERVENTIONS) {
    setHandler(
      defineUpdate<{ phase: Phase }, [Asked]>(intervention.update),
      deferUntilSettled((asked) => {
        events.push(intervention.event(asked ?? {}, Date.now()));
        return { phase: status().phase };
      }),
      {
        description: intervention.description,
        validator: (asked: Asked) => {
          const why = refusalOf(intervention, standing(), asked);
          if (why) throw new Error(why);
        },
      },
    );
  }
  setHandler(statusQuery, status, { description: 'Phase, cause, conditions, replicas and timeline.' });
  root.cancelRequested.catch(() => {
    events.push({
      type: 'stop',
      at: Date.now(),
      cause: { reason: 'Cancelled', message: 'the workflow was cancelled' },
    });
  });

  return {
    push: (event) => events.push(event),
    take: () => events.take(),
    takeAll: () => events.takeAll(),
    isEmpty: () => events.isEmpty(),
    answered: () => answered,
    isStopped: () => events.includes('stop'),
    isCancelled: () => root.consideredCancelled,
  };
}

function refusalOf(
  { update, refusal }: InterventionSpec,
  standing: JobView,
  asked: Asked,
): string | undefined {
  const { phase } = standing.status;
  const isOpen = !isFinal(phase) || openWhileEnding(standing).includes(update);
  return isOpen ? refusal?.(standing, asked ?? {}) : `the job has already ended: ${phase}`;
}

/** Anybody can send a signal; the anchor's uid, which only a real digest has, is checked by the machine. */
const isDigest = (digest: Digest | undefined) => typeof digest?.revision?.pods === 'number';
