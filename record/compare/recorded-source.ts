import { passedOnOfJob } from '../../contracts/carried-state.ts';
import type { AdmissionSettings, PlannedRevision } from '../../contracts/job-revision.ts';
import { withoutLastApplied } from '../../contracts/last-applied.ts';
import { UPDATES } from '../../contracts/messages.ts';
import type { ApplyRequest, ExtendRequest } from '../../contracts/types.ts';
import { isFields } from '../../language/fields.ts';
import { timeOfEvent } from '../../temporal/event-time.ts';
import type { RunEvent, RunHistory } from '../../temporal/run-chain.ts';
import { runStartOf } from '../../temporal/workflow-start.ts';

type Payloads = NonNullable<
  NonNullable<RunEvent['workflowExecutionStartedEventAttributes']>['input']
>['payloads'];

/** Reads the values in payloads. */
type Decode = (payloads: Payloads) => Promise<readonly unknown[]>;

/** What a job was built from, as its workflow's histories have it. */
export interface RecordedSource {
  /**
   * Revision 1: as submitted, or as a custom resource said when the job was admitted. Without the copy of itself that
   * `kubectl apply` makes, which a history may have.
   */
  readonly manifest: unknown;
  /** Absent for a job that was never admitted. */
  readonly settings?: AdmissionSettings;
  /** What requests made of it, from revision 2 on, as far as the histories still have them. */
  readonly revisions: readonly RecordedRevision[];
  /** What requests added to its activeDeadlineSeconds. */
  readonly extendedSeconds: number;
}

interface RecordedRevision {
  readonly number: number;
  /** When it was made, RFC 3339; unknown if the history of that run is gone. */
  readonly at?: string;
  /** All roles, by name. */
  readonly replicas: Readonly<Record<string, number>>;
  /** Text of the policy document, if an amendment replaced the manifest's. */
  readonly policy?: string;
  /** The manifest that was applied last; absent if none was. */
  readonly manifest?: unknown;
}

/** Reads the source of a job from the histories of its runs, the oldest first. */
export async function recordedSource(
  histories: readonly RunHistory[],
  decode: Decode,
): Promise<RecordedSource> {
  const reader = createSourceReader(decode);
  for (const history of histories) await reader.read(history);
  return reader.source();
}

/** Reads the source of a job from one history at a time. */
interface SourceReader {
  /** Takes the next history; those of all runs, the oldest first. */
  read(history: RunHistory): Promise<void>;
  source(): RecordedSource;
}

export function createSourceReader(decode: Decode): SourceReader {
  const revisions = new Map<number, RecordedRevision>();
  /** By the first revision that was made from each. */
  const manifests = new Map<number, unknown>();
  let settings: AdmissionSettings | undefined;
  let extendedSeconds = 0;
  const appliedBefore = (revision: number) => {
    const number = Math.max(...[...manifests.keys()].filter((first) => first <= revision));
    return number > SUBMITTED ? { manifest: manifests.get(number) } : {};
  };
  return {
    read: async ({ events }) => {
      const run = await readRun(events ?? [], decode);
      for (const [number, manifest] of run.manifests) manifests.set(number, manifest);
      settings = run.settings ?? settings;
      extendedSeconds = run.extendedSeconds;
      for (const revision of run.revisions) {
        const { at = revisions.get(revision.number)?.at, ...others } = revision;
        revisions.set(revision.number, { ...others, ...(at ? { at } : {}) });
      }
    },
    source: () => ({
      // Without the history of its first run, the oldest manifest that is known.
      manifest: manifests.get(SUBMITTED) ?? [...manifests.values()][0],
      settings,
      revisions: [...revisions.values()]
        .filter(({ number }) => number > SUBMITTED)
        .sort((a, b) => a.number - b.number)
        .map((revision) => ({ ...revision, ...appliedBefore(revision.number) })),
      extendedSeconds,
    }),
  };
}

/** The first revision. */
const SUBMITTED = 1;

/** What the run before has passed on, see `RunState` of the workflow; less if it had not admitted the job. */
interface CarriedState {
  readonly terms?: { readonly settings: AdmissionSettings };
  readonly appliedRevision?: number;
  readonly job?: {
    readonly context: PlannedRevision & {
      readonly amended?: PlannedRevision;
      readonly extendedSeconds?: number;
    };
  };
}

async function readRun(events: readonly RunEvent[], decode: Decode) {
  const start = events[0]?.workflowExecutionStartedEventAttributes ?? {};
  const [manifest, second] = await decode(start.input?.payloads);
  const carried: CarriedState = passedOnOfJob(runStartOf(start), second) ?? {};
  const context = carried.job?.context;
  const begun = [context, context?.amended];
  const results = new ActivityResults(events, decode);
  const admitted = (await results.of(['admit', 'admitStopped'])).map(({ value }) => value).find(isAdmission);
  const made = (await results.of(['amend', 'revise']))
    .filter((result) => !wasRefused(events, result))
    .flatMap(({ value, ...result }) => {
      const planned = plannedOf(value as PlannedRevision | { readonly planned?: PlannedRevision });
      return planned ? [{ ...result, planned }] : [];
    });
  const first = begun.findLast((planned) => planned !== undefined) ?? admitted;
  const extensions = [
    ...(await extensionsIn(events, decode)),
    ...made.map(({ index, planned }) => ({ index, deadline: deadlineOf(planned) })),
  ];
  return {
    manifests: [
      [carried.appliedRevision ?? SUBMITTED, withoutLastApplied(manifest)] as const,
      ...(await appliedManifests(events, decode)),
    ],
    settings: carried.terms?.settings ?? admitted?.settings,
    extendedSeconds: sumOfExtensions(extensions, {
      seconds: context?.extendedSeconds ?? 0,
      deadline: first && deadlineOf(first),
    }),
    revisions: [
      ...begun.flatMap((planned) => (planned ? [revisionOf(planned)] : [])),
      ...made.map(({ planned, at }) => ({ ...revisionOf(planned), at })),
    ],
  };
}

/** An admission that has to wait, e.g. for its name, answers so, and is asked again. */
const isAdmission = (value: unknown): value is NonNullable<CarriedState['terms']> & PlannedRevision =>
  isFields(value) && 'plan' in value;

const plannedOf = (value: PlannedRevision | { readonly planned?: PlannedRevision }) =>
  'revision' in value ? value : value.planned;

const deadlineOf = ({ plan }: PlannedRevision) => plan.runPolicy?.activeDeadlineSeconds;

/** Updates of a run that the job accepted. */
async function* acceptedUpdates(events: readonly RunEvent[], decode: Decode) {
  for (const [index, { workflowExecutionUpdateCompletedEventAttributes: answered }] of events.entries()) {
    if (!answered?.outcome?.success) continue;
    const input = acceptedRequest(events, String(answered.acceptedEventId))?.input;
    const decodeBoth = async () => {
      const [asked] = await decode(input?.args?.payloads);
      const [answer] = await decode(answered.outcome?.success?.payloads);
      return { asked, answer };
    };
    yield { index, name: input?.name ?? '', decodeBoth };
  }
}

/** By the number of the revision that each made. */
async function appliedManifests(events: readonly RunEvent[], decode: Decode) {
  const applied: (readonly [number, unknown])[] = [];
  for await (const { name, decodeBoth } of acceptedUpdates(events, decode)) {
    if (name !== UPDATES.apply) continue;
    const { asked, answer } = await decodeBoth();
    const { revision } = answer as { readonly revision?: number };
    if (revision !== undefined)
      applied.push([revision, withoutLastApplied((asked as ApplyRequest).manifest)]);
  }
  return applied;
}

interface Extension {
  readonly index: number;
  /** Seconds that a request added. */
  readonly seconds?: number;
  /** The deadline of a revision, which ends what requests added to another one. */
  readonly deadline?: number;
}

async function extensionsIn(events: readonly RunEvent[], decode: Decode): Promise<Extension[]> {
  const found: Extension[] = [];
  for await (const { index, name, decodeBoth } of acceptedUpdates(events, decode)) {
    if (name !== UPDATES.extendDeadline) continue;
    const { seconds } = (await decodeBoth()).asked as ExtendRequest;
    found.push({ index, seconds });
  }
  return found;
}

function sumOfExtensions(
  extensions: readonly Extension[],
  before: { readonly seconds: number; readonly deadline: number | undefined },
): number {
  let { seconds: sum, deadline } = before;
  for (const { seconds, ...revision } of extensions.toSorted((a, b) => a.index - b.index)) {
    if (seconds === undefined && revision.deadline !== deadline) sum = 0;
    if (seconds === undefined) deadline = revision.deadline;
    else sum += seconds;
  }
  return sum;
}

function revisionOf({ plan, revision }: PlannedRevision): RecordedRevision {
  const replicas = Object.fromEntries(plan.roles.map((role) => [role.name, role.replicas]));
  const { number, policy } = revision;
  return { number, replicas, ...(policy === undefined ? {} : { policy }) };
}

interface ActivityResult {
  /** Of the event that the activity was completed. */
  readonly index: number;
  /** Id of the event that it was scheduled. */
  readonly scheduled: number;
  readonly at: string;
  readonly value: unknown;
}

/** Results of activities, with the place of their events. */
class ActivityResults {
  readonly #events: readonly RunEvent[];
  readonly #decode: Decode;

  constructor(events: readonly RunEvent[], decode: Decode) {
    this.#events = events;
    this.#decode = decode;
  }

  async of(types: readonly string[]) {
    const scheduled = this.#events.flatMap(({ eventId, activityTaskScheduledEventAttributes: activity }) =>
      types.includes(activity?.activityType?.name ?? '') ? [String(eventId)] : [],
    );
    const found: ActivityResult[] = [];
    for (const [index, event] of this.#events.entries()) {
      const done = event.activityTaskCompletedEventAttributes;
      if (!done || !scheduled.includes(String(done.scheduledEventId))) continue;
      const [value] = await this.#decode(done.result?.payloads);
      found.push({ index, scheduled: Number(done.scheduledEventId), at: timeOfEvent(event), value });
    }
    return found;
  }
}

/**
 * Whether the update whose amendment was built then refused it: the job may have started to run meanwhile. An update that
 * came after the amendment was begun has another one; it may be refused at once, before the first is answered.
 */
function wasRefused(events: readonly RunEvent[], { index, scheduled }: ActivityResult): boolean {
  for (const { workflowExecutionUpdateCompletedEventAttributes: answered } of events.slice(index + 1)) {
    if (!answered || Number(answered.acceptedEventId) > scheduled) continue;
    if (!AMENDING.has(nameOfRequest(events, String(answered.acceptedEventId)))) continue;
    return Boolean(answered.outcome?.failure);
  }
  return false;
}

const AMENDING: ReadonlySet<string> = new Set([UPDATES.scale, UPDATES.amendPolicy, UPDATES.apply]);

const nameOfRequest = (events: readonly RunEvent[], acceptedEventId: string): string =>
  acceptedRequest(events, acceptedEventId)?.input?.name ?? '';

function acceptedRequest(events: readonly RunEvent[], acceptedEventId: string) {
  const accepted = events.find(({ eventId }) => String(eventId) === acceptedEventId);
  return accepted?.workflowExecutionUpdateAcceptedEventAttributes?.acceptedRequest;
}
