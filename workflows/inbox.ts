import { CancellationScope, defineQuery, defineSignal, defineUpdate, setHandler } from '@temporalio/workflow';
import type { Digest } from '../contracts/digest.ts';
import type { PlannedRevision } from '../contracts/job-revision.ts';
import { DIGEST_SIGNAL, STATUS_QUERY } from '../contracts/messages.ts';
import { isFinal } from '../contracts/status.ts';
import type { JobStatus, Phase } from '../contracts/types.ts';
import type { JobEvent } from '../machines/model/job-events.ts';
import { deferUntilSettled } from './deferred-update.ts';
import { EventQueue } from './event-queue.ts';
import { type Asked, faultOf, INTERVENTIONS, type JobView, refusalOf, requestOf } from './interventions.ts';
import { refusedRequest } from './job-failures.ts';
import type { Ledger } from './ledger.ts';
import { acceptSignals } from './signalled-requests.ts';

const digestSignal = defineSignal<[Digest]>(DIGEST_SIGNAL);
const statusQuery = defineQuery<JobStatus>(STATUS_QUERY);

/** All events that a job receives, in order of arrival (see `EventQueue`). */
export interface Inbox {
  push(event: JobEvent): void;
  take(): JobEvent | undefined;
  takeAll(): JobEvent[];
  isEmpty(): boolean;
  /** The newest amendment that the machine has not taken yet. */
  queuedAmendment(): PlannedRevision | undefined;
  /** The newest stop that the machine has not taken yet. */
  queuedStop(): Extract<JobEvent, { readonly type: 'stop' }> | undefined;
  /** The workflow itself was cancelled. */
  isCancelled(): boolean;
}

interface Host {
  view(): JobView;
  readonly ledger: Pick<Ledger, 'refused'>;
}

/**
 * Handlers only queue events here; the machine decides what they mean. Must be called before the first await. `carried`:
 * events that an earlier run received; they precede those of this run.
 */
export function openInbox({ view, ledger }: Host, carried: readonly JobEvent[] = []): Inbox {
  const root = CancellationScope.current();
  const events = new EventQueue(carried);
  const status = () => view().status;

  setHandler(
    digestSignal,
    (digest) => {
      if (!isDigest(digest)) return;
      events.pushDigest(digest, Date.now());
    },
    { description: 'The state of the job’s pods, as the watcher sees it.' },
  );
  for (const intervention of INTERVENTIONS) {
    setHandler(
      defineUpdate<{ phase: Phase }, [Asked]>(intervention.update),
      deferUntilSettled((asked) => {
        const request = requestOf(intervention.update, 'update', asked);
        const why = refusalOf(intervention, view(), asked);
        if (why) {
          ledger.refused(request, why);
          throw refusedRequest(why, { isOver: isFinal(status().phase) });
        }
        events.push({ ...intervention.event(asked ?? {}, Date.now()), request } as JobEvent);
        return { phase: status().phase };
      }),
      {
        description: intervention.description,
        validator: (asked: Asked) => {
          // What is refused here leaves no event in the history: only malformed arguments.
          const fault = faultOf(intervention, asked);
          if (fault && fault === refusalOf(intervention, view(), asked)) throw refusedRequest(fault);
        },
      },
    );
  }
  acceptSignals((event) => events.push(event));
  setHandler(statusQuery, status, { description: 'Phase, cause, conditions, replicas and timeline.' });
  root.cancelRequested.catch(() => {
    events.push({
      type: 'stop',
      at: Date.now(),
      cause: { reason: 'Cancelled', message: 'the workflow was cancelled' },
      request: { type: 'request', request: 'cancel', through: 'cancellation', who: {} },
    });
  });

  return {
    push: (event) => events.push(event),
    take: () => events.take(),
    takeAll: () => events.takeAll(),
    isEmpty: () => events.isEmpty(),
    queuedAmendment: () => events.last('amend'),
    queuedStop: () => events.last('stop'),
    isCancelled: () => root.consideredCancelled,
  };
}

/** Anyone can send a signal. The machine checks the anchor's uid, which only a real digest has. */
const isDigest = (digest: Digest | undefined) => typeof digest?.resourceVersions?.pods === 'number';
