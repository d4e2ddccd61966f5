import { type Client, defaultPayloadConverter } from '@temporalio/client';
import type { JobHandle } from '../../client/handles/job-handle.ts';
import type { Digest } from '../../contracts/digest.ts';
import { DIGEST_SIGNAL } from '../../contracts/messages.ts';

/** What Temporal itself has on record about a job, for whoever audits it later. */

interface RecordedUpdate {
  readonly name: string;
  readonly input: unknown;
}

/** What the job was asked for and agreed to, in order, in the words of whoever asked. */
export const acceptedUpdates = (temporal: Client, job: JobHandle): Promise<RecordedUpdate[]> =>
  updatesOf(temporal, job, false);

/** What the job was asked for and refused. */
export const refusedUpdates = (temporal: Client, job: JobHandle): Promise<RecordedUpdate[]> =>
  updatesOf(temporal, job, true);

async function updatesOf(temporal: Client, job: JobHandle, isRefused: boolean): Promise<RecordedUpdate[]> {
  const events = await eventsOf(temporal, job);
  const refused = new Set(
    events.flatMap(({ workflowExecutionUpdateCompletedEventAttributes: completed }) =>
      completed?.outcome?.failure ? completed.meta?.updateId : [],
    ),
  );
  return events.flatMap(({ workflowExecutionUpdateAcceptedEventAttributes: accepted }) => {
    const { input: asked, meta } = accepted?.acceptedRequest ?? {};
    if (!asked?.name || refused.has(meta?.updateId) !== isRefused) return [];
    return { name: asked.name, input: decoded(asked.args?.payloads?.[0]) };
  });
}

/** Lengths in seconds of the timers that were started under a name, in order. */
export async function timersOf(temporal: Client, job: JobHandle, name: string): Promise<number[]> {
  const events = await eventsOf(temporal, job);
  return events.flatMap(({ timerStartedEventAttributes: timer, userMetadata }) => {
    const isMeant = timer && nameOfTimer(userMetadata) === name;
    const { seconds, nanos } = timer?.startToFireTimeout ?? {};
    return isMeant ? [Number(seconds ?? 0) + (nanos ?? 0) / 1e9] : [];
  });
}

/** Names of the activities that the run that the job is in has scheduled, in order. */
export async function activitiesOf(temporal: Client, job: JobHandle): Promise<string[]> {
  const events = await eventsOf(temporal, job);
  return events.flatMap(({ activityTaskScheduledEventAttributes: scheduled }) => {
    return scheduled?.activityType?.name ?? [];
  });
}

/** All of it, with payloads as they were before they were encoded. */
export async function historyText(temporal: Client, { workflowId }: JobHandle): Promise<string> {
  const history = await temporal.workflow.getHandle(workflowId).fetchHistory();
  const isPayload = (key: string, value: unknown): value is string =>
    key === 'data' && typeof value === 'string';
  return JSON.stringify(history, (key, value: unknown) =>
    isPayload(key, value) ? JSON.parse(Buffer.from(value, 'base64').toString()) : value,
  );
}

/** Summaries begin with it: `stall: a job without progress counts as stalled`. */
const nameOfTimer = (metadata: { readonly summary?: Payload | null } | null | undefined): string =>
  String(decoded(metadata?.summary)).split(':')[0]!;

async function eventsOf(temporal: Client, { workflowId }: JobHandle) {
  const { events } = await temporal.workflow.getHandle(workflowId).fetchHistory();
  return events ?? [];
}

type Payload = Parameters<typeof defaultPayloadConverter.fromPayload>[0];

const decoded = (payload: Payload | null | undefined): unknown =>
  payload ? defaultPayloadConverter.fromPayload(payload) : undefined;

/** What the watcher told the job, in order. */
export async function digestsTo(temporal: Client, job: JobHandle): Promise<Digest[]> {
  const events = await eventsOf(temporal, job);
  return events.flatMap(({ workflowExecutionSignaledEventAttributes: signal }) =>
    signal?.signalName === DIGEST_SIGNAL ? [decoded(signal.input?.payloads?.[0]) as Digest] : [],
  );
}

/** Names of the timers that run. */
export async function runningTimers(temporal: Client, job: JobHandle): Promise<string[]> {
  const running = new Map<string, string>();
  for (const event of await eventsOf(temporal, job)) {
    const { timerStartedEventAttributes: started, userMetadata } = event;
    const ended = event.timerFiredEventAttributes ?? event.timerCanceledEventAttributes;
    if (started?.timerId) running.set(started.timerId, nameOfTimer(userMetadata));
    if (ended?.timerId) running.delete(ended.timerId);
  }
  return [...running.values()];
}
