import { defineSignal, setDefaultSignalHandler, setHandler } from '@temporalio/workflow';
import { ASKED_SIGNAL, type AskedSignal } from '../contracts/messages.ts';
import type { JobEvent } from '../machines/model/job-events.ts';
import { type Asked, INTERVENTIONS, type JobView, refusalOf } from './interventions.ts';
import { requestFault } from './request-faults.ts';

/**
 * Accepts requests as signals too: Temporal's batch operations cannot send updates. Nobody waits for the answer to a
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
        push(fault ? refused(update, fault, at) : asSignalled(spec.event(asked ?? {}, at), update));
      },
      { description: `${spec.description} The update of this name also answers.` },
    );
  }
  setHandler(defineSignal<[AskedSignal]>(ASKED_SIGNAL), () => undefined, {
    description:
      'Who sends the update of this id. Has no effect: the history has it. Argument: {id, request, argument}.',
  });
  // Last: it would get signals of all names that have no handler yet.
  setDefaultSignalHandler((name) => push(refused(name, `expected one of ${SIGNALS.join(', ')}`, Date.now())));
}

const SIGNALS = INTERVENTIONS.filter(({ isSignal }) => isSignal).map(({ update }) => update);

/**
 * Returns an event as the machine hears it. Decided when the event is processed, not when it arrives: a replay may deliver
 * several signals at once that came one after the other.
 */
export function settleSignal(event: JobEvent, view: JobView): JobEvent {
  if (!('bySignal' in event) || event.bySignal === undefined) return event;
  const { bySignal, ...request } = event;
  const spec = INTERVENTIONS.find(({ update }) => update === bySignal);
  const asked = request.type === 'stop' ? { checkpoint: request.checkpoint } : {};
  const why = spec && refusalOf(spec, view, asked);
  return why ? refused(bySignal, why, event.at) : request;
}

const asSignalled = (event: JobEvent, bySignal: string): JobEvent => ({ ...event, bySignal }) as JobEvent;

const refused = (request: string, why: string, at: number): JobEvent => ({
  type: 'requestRefused',
  cause: { message: `the signal ${request} is refused: ${why}` },
  at,
});
