import { expect, it } from '@jest/globals';
import { createActivities } from '../../activities/activities.ts';
import { createArchiverActivities } from '../../activities/archive/archiver-activities.ts';
import type { Dependencies } from '../../activities/support/dependencies.ts';
import { ARCHIVE_UPDATE } from '../../contracts/archiver.ts';
import * as messages from '../../contracts/messages.ts';
import { createSweepActivities } from '../../rpc/sweep-activities.ts';
import { RECORDED, type RecordedEvent, recordedHistory } from './recorded-histories.ts';

/** What the recorded histories lack, no test of an upgrade would notice. */

/** Activities that no history has, and why. */
const UNRECORDED = {
  restoreRevision: 'only after a change of the job that was interrupted half-way',
  findEarlierJob: "only other people's workflows call it",
  stopCalledJob: "only other people's workflows call it",
};

const EVENTS = RECORDED.flatMap((name) => recordedHistory(name).events);

/** The names in these events. */
function namesIn(type: string, nameOf: (attributes: Attributes) => string | undefined): ReadonlySet<string> {
  const names = EVENTS.filter(({ eventType }) => eventType === `EVENT_TYPE_${type}`).map((event) =>
    nameOf(attributesOf(event)),
  );
  return new Set(names.filter((name) => name !== undefined));
}

interface Attributes {
  readonly workflowType?: { readonly name: string };
  readonly activityType?: { readonly name: string };
  readonly signalName?: string;
  readonly acceptedRequest?: { readonly input: { readonly name: string } };
}

const attributesOf = (event: RecordedEvent): Attributes =>
  Object.entries(event).find(([name]) => name.endsWith('EventAttributes'))?.[1] ?? {};

const named = (ending: RegExp): readonly string[] =>
  Object.entries(messages)
    .filter(([name]) => ending.test(name))
    .map(([, value]) => String(value));

it('every workflow that may live for days is recorded', () => {
  const recorded = namesIn('WORKFLOW_EXECUTION_STARTED', ({ workflowType }) => workflowType?.name);
  // `rpc` answers within seconds.
  expect([...recorded].sort()).toEqual([
    'archiver',
    'cleanUpOrphan',
    'expireJob',
    'parameterSweep',
    'trainingJob',
  ]);
});

it('every request is recorded: the updates, and the signals', () => {
  const updates = namesIn(
    'WORKFLOW_EXECUTION_UPDATE_ACCEPTED',
    ({ acceptedRequest }) => acceptedRequest?.input.name,
  );
  expect([...updates].sort()).toEqual([...Object.values(messages.UPDATES), ARCHIVE_UPDATE].sort());
  const signals = namesIn('WORKFLOW_EXECUTION_SIGNALED', ({ signalName }) => signalName);
  const asUpdates = [messages.UPDATES.stop, messages.UPDATES.suspend, messages.UPDATES.resume];
  expect([...signals].sort()).toEqual([...named(/_SIGNAL$/), ...asUpdates].sort());
});

it('every activity is recorded that workflows of ours call', () => {
  const none = {} as never;
  const all = Object.keys({
    ...createActivities(none satisfies Dependencies),
    ...createArchiverActivities(undefined),
    ...createSweepActivities(none),
  });
  const recorded = namesIn('ACTIVITY_TASK_SCHEDULED', ({ activityType }) => activityType?.name);
  expect(all.filter((name) => !recorded.has(name)).sort()).toEqual(Object.keys(UNRECORDED).sort());
});
