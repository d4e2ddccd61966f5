import { scheduledKindOf } from '../../../frameworks/kinds/scheduled-kinds.ts';
import type { ManifestOfSchedule } from '../../../frameworks/model/scheduled-kind.ts';
import { asFields, withoutUndefined } from '../../../language/fields.ts';
import { InvalidManifestError } from '../../errors/errors.ts';
import type { ScheduleRequest } from './schedule-types.ts';

/** What is to be scheduled. */
interface Scheduled {
  /** Of the jobs. */
  readonly manifest: object;
  readonly request: ScheduleRequest;
}

/** Returns a manifest that is a schedule itself as its job and a request, of which that of the caller takes precedence. */
export function readSchedule(given: object, request: ScheduleRequest): Scheduled {
  const read = readManifestOfSchedule(given);
  if (!read) return { manifest: given, request };
  const { job, cron, timeZone, overlap, paused, catchUp } = read;
  const own = request.every === undefined ? { cron, timeZone } : {};
  const said = withoutUndefined({ ...own, overlap, paused, catchUp });
  return { manifest: job, request: { ...said, ...withoutUndefined(request) } };
}

/** Names the places of faults of a job as they are in the manifest of its schedule. */
export function locatedInSchedule<T>(given: object, check: () => T): T {
  try {
    return check();
  } catch (error) {
    const path = readManifestOfSchedule(given)?.path;
    if (path === undefined || !(error instanceof InvalidManifestError)) throw error;
    const within = (at: string) => (at.startsWith('spec') ? `${path}.${at}` : at);
    throw new InvalidManifestError(error.faults.map((fault) => ({ ...fault, path: within(fault.path) })));
  }
}

/** What a manifest that is a schedule says without effect. */
export const scheduleWarnings = (given: object): readonly string[] =>
  readManifestOfSchedule(given)?.warnings ?? [];

function readManifestOfSchedule(given: object): ManifestOfSchedule | undefined {
  const fields = asFields(given);
  const read = scheduledKindOf(fields)?.read(fields);
  if (read && 'faults' in read) throw new InvalidManifestError(read.faults);
  return read;
}
