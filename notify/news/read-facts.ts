import type { Client } from '@temporalio/client';
import { eventsBack } from '../../temporal/events-back.ts';
import { decodePayloads } from '../../temporal/payloads.ts';
import type { WorkflowRun } from '../../temporal/workflow-start.ts';
import { type DecodePayload, factOf, type JobFact } from './job-fact.ts';

/**
 * Reads what a job's history says of its states, back to the event that is known, or to where `isEnough` says that what was
 * read suffices. Returns it with the oldest first. `newest`: the last event, from which the next reading goes on.
 */
export async function readFacts(
  client: Client,
  run: WorkflowRun,
  { known, isEnough }: { readonly known?: string; readonly isEnough: (facts: readonly JobFact[]) => boolean },
): Promise<{ readonly facts: readonly JobFact[]; readonly newest?: string }> {
  const { loadedDataConverter } = client.options;
  const decode: DecodePayload = async (payload) => {
    try {
      return (await decodePayloads(loadedDataConverter, payload ? [payload] : []))[0];
    } catch {
      return undefined; // The state is known without it; only its words are not.
    }
  };
  const facts: JobFact[] = [];
  let newest: string | undefined;
  for await (const { runId, event } of eventsBack(client, run)) {
    const key = `${runId}/${event.eventId}`;
    newest ??= key;
    if (key === known) break;
    const fact = await factOf(event, runId, decode);
    if (!fact) continue;
    facts.unshift(fact);
    if (isEnough(facts)) break;
  }
  return { facts, newest };
}
