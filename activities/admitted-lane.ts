import { ANNOTATIONS } from '../contracts/labels.ts';
import { type LanesConfig, mayUseLane } from '../contracts/lanes.ts';
import type { TrainingJob } from '../contracts/training-job.ts';
import type { Fault } from '../contracts/types.ts';
import type { Dependencies } from './support/dependencies.ts';
import { RejectedManifestError } from './support/failures.ts';

/**
 * Returns the lane that a job waits in: the one of its policy, or the default of the installation; undefined if it waits in
 * none. Throws if there is no such lane for it.
 */
export async function admittedLane(
  { lanes: read }: Pick<Dependencies, 'lanes'>,
  job: TrainingJob,
): Promise<string | undefined> {
  const { lane } = job.plan.policy ?? {};
  if (!read) {
    if (!lane) return undefined;
    throw refused(
      'lane',
      'no lane, because this installation has none (SIGNALBOX_LANES)',
      lane.name ?? 'a lane',
    );
  }
  const lanes = await read();
  const name = lane?.name ?? lanes.defaultLane;
  if (name === undefined && !lane) return undefined;
  if (name === undefined) throw refused('lane.name', `one of ${namesFor(lanes, job)}`, 'none');
  if (!isOpenTo(lanes, name, job)) throw refused('lane.name', `one of ${namesFor(lanes, job)}`, name);
  return name;
}

/** Throws if the next revision of a job names a lane that it cannot go to. */
export async function checkLaneOf(
  dependencies: Pick<Dependencies, 'lanes'>,
  job: TrainingJob,
): Promise<void> {
  const { lane } = job.plan.policy ?? {};
  if (job.lane !== undefined) await admittedLane(dependencies, job);
  else if (lane) {
    const expected = 'no lane, because the job was admitted without one';
    throw refused('lane', expected, lane.name ?? 'a lane', { mayPass: false });
  }
}

const isOpenTo = ({ lanes }: LanesConfig, name: string, { namespace }: TrainingJob): boolean =>
  Object.hasOwn(lanes, name) && mayUseLane(lanes[name]!, namespace);

const namesFor = (config: LanesConfig, job: TrainingJob): string =>
  Object.keys(config.lanes)
    .filter((name) => isOpenTo(config, name, job))
    .join(', ') || `the lanes of namespace ${job.namespace}, which has none`;

/** Administrators change lanes while jobs run. */
function refused(
  field: string,
  expected: string,
  got: string,
  { mayPass } = { mayPass: true },
): RejectedManifestError {
  const fault: Fault = { path: `metadata.annotations[${ANNOTATIONS.policy}].${field}`, expected, got };
  return new RejectedManifestError([fault], { mayPass });
}
