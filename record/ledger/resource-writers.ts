import { asResourceIdentity, stateIdOf } from '../../contracts/job-resources.ts';
import { UPDATES } from '../../contracts/messages.ts';
import { asFields } from '../../language/fields.ts';
import { plainValueIn } from '../../temporal/plain-payload.ts';
import type { RunEvent } from '../../temporal/run-chain.ts';

/** Who wrote the custom resource of a job, from what its activities read of that. */
interface ResourceWriters {
  read(event: RunEvent): void;
  /** Of the resource that the job was made from. */
  creator(): string | undefined;
  /** Of the edit that an update of this id passed on. */
  editor(updateId: string): string | undefined;
}

/** The API server noted who it was; a worker read it together with what the job was made from. */
export function createWriters(): ResourceWriters {
  /** What the activities in progress read, by the number of the event that scheduled them. */
  const reading = new Map<string, string>();
  const writers = new Map<string, string>();
  /** The last update that asked for each state: one that comes back has another editor. */
  const asked = new Map<string, string>();
  return {
    read(event) {
      const { meta, input: apply } =
        event.workflowExecutionUpdateAcceptedEventAttributes?.acceptedRequest ?? {};
      if (apply?.name === UPDATES.apply) {
        const edit = asResourceIdentity(asFields(plainValueIn(apply.args?.payloads?.[0])).resource);
        if (edit) asked.set(stateIdOf(edit), meta?.updateId ?? '');
      }
      const { activityType, input } = event.activityTaskScheduledEventAttributes ?? {};
      const { name } = activityType ?? {};
      if (name === 'admit') reading.set(String(event.eventId), CREATION);
      if (name === 'revise') {
        const edit = asResourceIdentity(asFields(plainValueIn(input?.payloads?.[0])).resource);
        const updateId = edit && asked.get(stateIdOf(edit));
        if (updateId) reading.set(String(event.eventId), updateId);
      }
      const { scheduledEventId, result } = event.activityTaskCompletedEventAttributes ?? {};
      const about = reading.get(String(scheduledEventId));
      if (about === undefined) return;
      reading.delete(String(scheduledEventId));
      const { requester } = asFields(plainValueIn(result?.payloads?.[0]));
      if (typeof requester === 'string') writers.set(about, requester);
    },
    creator: () => writers.get(CREATION),
    editor: (updateId) => writers.get(updateId),
  };
}

/** No update has this id: those of edits begin with a uid. */
const CREATION = '';
