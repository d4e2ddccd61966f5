import { LanesConfigError } from '../../../cluster/read-lanes.ts';
import type { Reading } from '../../../cluster/reading.ts';
import type { LanesReference } from '../../../contracts/lane-request.ts';
import { mayUseLane } from '../../../contracts/lanes.ts';
import type { TrainingJob } from '../../../contracts/training-job.ts';
import type { LaneWait, OwnState } from '../../../explain/situation.ts';
import { decideLanes } from '../../../queue/lanes/decide-lanes.ts';
import { entryOfJob } from '../../../queue/lanes/entry-of-job.ts';
import type { LaneStanding, LanesState } from '../../../queue/lanes/lanes-decision.ts';
import { lanePlace } from '../../../queue/lanes/standing-text.ts';
import { laneRequestOf } from '../../../resources/lane.ts';
import { letInText, readDeciders } from './read-deciders.ts';
import { readLanesState } from './read-lanes-state.ts';

/**
 * Returns why a job would wait in its lane if it was submitted now; undefined if it would start, or be in no lane. Who submits it
 * is not known, so caps of users do not count.
 */
export async function readLane(
  reading: Reading,
  job: TrainingJob,
  reference: LanesReference | undefined,
): Promise<LaneWait | undefined> {
  const wanted = job.plan.policy?.lane;
  if (!reference) {
    if (wanted)
      reading.note(
        'whether its lane lets it start is not known: SIGNALBOX_LANES does not say where lanes are',
      );
    return undefined;
  }
  const read = await stateOf(reading, reference);
  return read && ('code' in read ? read : waitIn(read, job));
}

/**
 * Returns what its lane says now of a job that waits in it: the job itself is told its position only now and then. Undefined
 * for other jobs, and if that cannot be read.
 */
export async function readLaneNow(
  reading: Reading,
  { own, anchorUid }: { readonly own: OwnState; readonly anchorUid: string },
  reference: LanesReference | undefined,
): Promise<LaneWait | undefined> {
  if (!reference || own.state !== 'Pending.Queued' || !own.causes.some(isOfLane)) return undefined;
  const read = await stateOf(reading, reference);
  if (!read || 'code' in read) return read;
  const standing = decideLanes(read).standings.get(anchorUid);
  if (standing) return waitOf(standing);
  const isWaiting = read.entries.some(({ uid, granted }) => uid === anchorUid && !granted);
  const notDecided = isWaiting ? await readDeciders(reading, reference, read.at) : undefined;
  if (!notDecided) return undefined;
  const code = notDecided.watcher === 'away' ? 'AwaitingWatcher' : 'WaitingInLane';
  return { code, why: letInText(notDecided) };
}

const isOfLane = ({ reason }: OwnState['causes'][number]): boolean =>
  reason === 'WaitingInLane' || reason === 'NeverFits' || reason === 'LaneFaulty';

/** With lanes that nobody can use no job starts. */
async function stateOf(
  reading: Reading,
  reference: LanesReference,
): Promise<LanesState | LaneWait | undefined> {
  try {
    return await reading.orElse(
      readLanesState(reading, reference),
      undefined,
      `what its lane does is not known: ConfigMap ${reference.namespace}/${reference.name} may not be read`,
    );
  } catch (error) {
    if (!(error instanceof LanesConfigError)) throw error;
    return { code: 'LaneFaulty', why: error.message };
  }
}

function waitIn(state: LanesState, job: TrainingJob): LaneWait | undefined {
  const { namespace } = job;
  const { lane: wanted } = job.plan.policy ?? {};
  const { lanes, defaultLane } = state.lanes;
  const name = wanted?.name ?? defaultLane;
  if (name === undefined)
    return wanted && { code: 'QueueClosed', why: 'the job names no lane, and there is no default lane' };
  const isOpen = Object.hasOwn(lanes, name) && mayUseLane(lanes[name]!, namespace);
  if (!isOpen) {
    const open = Object.keys(lanes).filter((other) => mayUseLane(lanes[other]!, namespace));
    const why = `there is no lane ${name} for namespace ${namespace}, which has ${open.join(', ') || 'none'}`;
    return { code: 'QueueClosed', why };
  }
  const request = laneRequestOf({ ...job, lane: name });
  if (!request) return undefined;
  // The job may be live, and would not wait behind itself.
  const others = state.entries.filter((other) => other.namespace !== namespace || other.job !== job.name);
  // Later than all that are there, whose times may be of another clock.
  const since = Math.max(state.at, ...others.map((other) => other.since + 1));
  const place = { attempt: 1, since };
  const entry = entryOfJob(
    { uid: OWN, namespace, job: job.name, request, place, hasStarted: false },
    state.at,
  );
  const standing = decideLanes({ ...state, entries: [...others, entry] }).standings.get(OWN);
  return standing && waitOf(standing);
}

/** No anchor has it. */
const OWN = 'not submitted';

const waitOf = (standing: LaneStanding): LaneWait => ({
  ...{ code: codeOf(standing), why: standing.sentence, place: lanePlace(standing) },
});

function codeOf({ code }: LaneStanding): LaneWait['code'] {
  if (code === 'NeverFits' || code === 'LaneFaulty') return code;
  return code === 'LanePaused' ? 'QueueClosed' : 'WaitingInLane';
}
