import { LanesConfigError } from '../../../cluster/read-lanes.ts';
import type { LanesReference } from '../../../contracts/lane-request.ts';
import { mayUseLane } from '../../../contracts/lanes.ts';
import type { TrainingJob } from '../../../contracts/training-job.ts';
import type { LaneWait, OwnState } from '../../../explain/situation.ts';
import { decideLanes } from '../../../queue/lanes/decide-lanes.ts';
import { entryOfJob } from '../../../queue/lanes/entry-of-job.ts';
import type { LaneStanding, LanesState } from '../../../queue/lanes/lanes-decision.ts';
import { standingText } from '../../../queue/lanes/standing-text.ts';
import { laneRequestOf } from '../../../resources/lane.ts';
import { readLanesState } from './read-lanes-state.ts';
import type { Reading } from './reading.ts';

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
  const state = await stateOf(reading, reference);
  return state && waitIn(state, job);
}

/**
 * Returns the causes of a job that waits in its lane with what its lane says now: the job is told its position only now and
 * then.
 */
export async function withLaneNow(
  reading: Reading,
  { own, anchorUid }: { readonly own: OwnState; readonly anchorUid: string },
  reference: LanesReference | undefined,
): Promise<OwnState> {
  if (!reference || !own.causes.some(isOfLane)) return own;
  const state = await stateOf(reading, reference);
  const standing = state && decideLanes(state).standings.get(anchorUid);
  if (!standing) return own;
  const message = standingText(standing);
  return { ...own, causes: own.causes.map((cause) => (isOfLane(cause) ? { ...cause, message } : cause)) };
}

const isOfLane = ({ reason }: OwnState['causes'][number]): boolean => reason === 'WaitingInLane';

async function stateOf(reading: Reading, reference: LanesReference): Promise<LanesState | undefined> {
  try {
    return await reading.orElse(
      readLanesState(reading, reference),
      undefined,
      `what its lane does is not known: ConfigMap ${reference.namespace}/${reference.name} may not be read`,
    );
  } catch (error) {
    if (!(error instanceof LanesConfigError)) throw error;
    reading.note(`whether its lane lets it start is not known: ${error.message}`);
    return undefined;
  }
}

function waitIn(state: LanesState, job: TrainingJob): LaneWait | undefined {
  const { namespace } = job;
  const { lane: wanted } = job.plan.policy ?? {};
  const { lanes, defaultLane } = state.lanes;
  const name = wanted?.name ?? defaultLane;
  if (name === undefined)
    return wanted && { code: 'QueueClosed', message: 'the job names no lane, and there is no default lane' };
  const isOpen = Object.hasOwn(lanes, name) && mayUseLane(lanes[name]!, namespace);
  if (!isOpen) {
    const open = Object.keys(lanes).filter((other) => mayUseLane(lanes[other]!, namespace));
    const message = `there is no lane ${name} for namespace ${namespace}, which has ${open.join(', ') || 'none'}`;
    return { code: 'QueueClosed', message };
  }
  const request = laneRequestOf({ ...job, lane: name });
  if (!request) return undefined;
  const place = { attempt: 1, since: state.at };
  const entry = entryOfJob(
    { uid: OWN, namespace, job: job.name, phase: 'Pending', request, place },
    state.at,
  );
  const standing = decideLanes({ ...state, entries: [...state.entries, entry] }).standings.get(OWN);
  return standing && { code: codeOf(standing), message: standingText(standing) };
}

/** No anchor has it. */
const OWN = 'not submitted';

function codeOf({ code }: LaneStanding): LaneWait['code'] {
  if (code === 'NeverFits') return code;
  return code === 'LanePaused' ? 'QueueClosed' : 'WaitingInLane';
}
