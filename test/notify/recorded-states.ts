import { defaultPayloadConverter, type Payload } from '@temporalio/common';
import { historyFromJSON } from '@temporalio/common/lib/proto-utils.js';
import { factOf, type JobFact } from '../../notify/news/job-fact.ts';
import { recordedHistory } from '../replay/recorded-histories.ts';

/** What a recorded history says of its job, the oldest first. */
export async function recordedFacts(name: string): Promise<JobFact[]> {
  const { events } = historyFromJSON(recordedHistory(name));
  const decode = async (payload: Payload | undefined) =>
    payload && defaultPayloadConverter.fromPayload(payload);
  const facts = await Promise.all((events ?? []).map((event) => factOf(event, 'run', decode)));
  return facts.filter((fact) => fact !== undefined);
}
