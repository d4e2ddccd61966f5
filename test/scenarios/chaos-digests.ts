import { type Client, defaultPayloadConverter } from '@temporalio/client';
import type { Digest } from '../../contracts/digest.ts';
import { DIGEST_SIGNAL } from '../../contracts/messages.ts';
import type { Chance } from './chance.ts';
import type { ChaosRun } from './chaos-faults.ts';

/** Somebody says again what a watcher said once: to the same job, or to another. */
export async function repeatOldDigests(
  { jobs, control, note }: ChaosRun,
  chance: Chance,
): Promise<string | undefined> {
  const from = chance.pick(jobs)?.name;
  if (from === undefined) return undefined;
  const to = chance.between(0, 3) === 0 ? chance.pick(jobs)!.name : from;
  const { temporal } = control.stage;
  const words = await digestsIn(temporal, control.jobs.get(from)!.workflowId);
  const word = chance.pick(words);
  const times = chance.between(1, 3);
  if (!word) return undefined;
  note(`${to} is told ${times} times what ${from} was, at resource version ${word.resourceVersions.pods}`);
  const handle = temporal.workflow.getHandle(control.jobs.get(to)!.workflowId);
  // A job that is over hears nothing.
  for (let time = 0; time < times; time++) await handle.signal(DIGEST_SIGNAL, word).catch(() => undefined);
  return 'digest: told again, or to another job';
}

async function digestsIn(temporal: Client, workflowId: string): Promise<Digest[]> {
  const { events } = await temporal.workflow.getHandle(workflowId).fetchHistory();
  return (events ?? []).flatMap(({ workflowExecutionSignaledEventAttributes: signal }) => {
    const [payload] = signal?.input?.payloads ?? [];
    if (signal?.signalName !== DIGEST_SIGNAL || !payload) return [];
    return [defaultPayloadConverter.fromPayload<Digest>(payload)];
  });
}
