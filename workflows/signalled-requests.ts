import { defineSignal, setDefaultSignalHandler, setHandler } from '@temporalio/workflow';
import type { RequestCause } from '../contracts/ledger.ts';
import { ASKED_SIGNAL, type AskedSignal } from '../contracts/messages.ts';
import { shorten } from '../language/shorten.ts';
import type { JobEvent } from '../machines/model/job-events.ts';
import { type Asked, INTERVENTIONS, type JobView, refusalOf, requestOf } from './interventions.ts';
import { requestFault } from './request-faults.ts';

/**
 * Accepts requests as signals too: Temporal's batch operations cannot send updates. No caller waits for the answer to a
 * signal, so a refusal is an entry of the timeline.
 */
export function acceptSignals(push: (event: JobEvent) => void): void {
  for (const spec of INTERVENTIONS) {
    if (!spec.isSignal) continue;
    const { update, fields = [] } = spec;
    setHandler(
      defineSignal<[Asked]>(update),
      (asked) => {
        const at = Date.now();
        const fault = requestFault(asked, fields);
        const request = requestOf(update, 'signal', asked);
        push(
          fault
            ? refusedRequest(request, fault, at)
            : ({ ...spec.event(asked ?? {}, at), bySignal: update, request } as JobEvent),
        );
      },
      { description: `${spec.description} The update of this name also answers.` },
    );
  }
  setHandler(defineSignal<[AskedSignal]>(ASKED_SIGNAL), () => undefined, {
    description:
      'Who sends the update of this id. Has no effect: the history has it. Argument: {id, request, argument}.',
  });
  // Last: it would get signals of all names that have no handler yet.
  setDefaultSignalHandler((name) => {
    const request = requestOf(shorten(name, NAME_LENGTH), 'signal', undefined);
    push(refusedRequest(request, `expected one of ${SIGNALS.join(', ')}`, Date.now()));
  });
}

/** Longer than the name of any request. */
const NAME_LENGTH = 100;

const SIGNALS = INTERVENTIONS.filter(({ isSignal }) => isSignal).map(({ update }) => update);

/**
 * Returns an event as the machine receives it. Decided when the event is processed, not when it arrives: a replay may deliver
 * several signals at once that came one after the other.
 */
export function settleSignal(event: JobEvent, view: JobView): JobEvent {
  if (!('bySignal' in event) || event.bySignal === undefined) return event;
  const { bySignal, ...request } = event;
  const spec = INTERVENTIONS.find(({ update }) => update === bySignal);
  const asked = request.type === 'stop' ? { checkpoint: request.checkpoint } : {};
  const why = spec && refusalOf(spec, view, asked);
  return why
    ? refusedRequest(request.request ?? requestOf(bySignal, 'signal', undefined), why, event.at)
    : request;
}

const refusedRequest = (request: RequestCause, why: string, at: number): JobEvent => ({
  type: 'requestRefused',
  cause: { message: `the signal ${request.request} is refused: ${why}` },
  request: { ...request, refused: why },
  at,
});
