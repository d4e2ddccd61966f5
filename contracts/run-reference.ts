/**
 * One of several jobs that had a name, as in `train@-1` and `train@01a2b3c4`: `-1` is the job before the newest of that
 * name, `-2` the one before that; anything else is the beginning of a run id, of the job's first run or of any run that
 * continued it.
 */

/** Fewer characters of a run id could be mistaken for the number of a revision. */
const LEAST_CHARACTERS = 6;

export const RUN_EXPECTED = `-1 for the job before the newest, -2 for the one before that, or at least ${LEAST_CHARACTERS} characters of a run id`;

const RUN_REFERENCE = new RegExp(`^(-[1-9]\\d{0,5}|[0-9a-f][0-9a-f-]{${LEAST_CHARACTERS - 1},35})$`);

export const isRunReference = (text: string): boolean => RUN_REFERENCE.test(text);

/** Splits `NAME@RUN`. What stands behind the last @ may be no reference. */
export function splitAtRun(given: string): { readonly job: string; readonly run?: string } {
  const { job, run } = /^(?<job>.+)@(?<run>[^@/]+)$/.exec(given)?.groups ?? {};
  return job === undefined || run === undefined ? { job: given } : { job, run };
}

/** Returns how many jobs before the newest one is meant; undefined for the beginning of a run id. */
export const jobsBack = (run: string): number | undefined => (run.startsWith('-') ? -Number(run) : undefined);

export interface JobOfName {
  /** All that are known. */
  readonly runIds: readonly string[];
}

/** Returns the jobs that a reference may mean, at best one. `jobs`: all of the name, the newest first. */
export function jobsMeant<T extends JobOfName>(jobs: readonly T[], run: string): readonly T[] {
  const back = jobsBack(run);
  if (back !== undefined) return jobs.slice(back, back + 1);
  return jobs.filter(({ runIds }) => runIds.some((runId) => runId.startsWith(run)));
}

/** Temporal's run ids begin with the milliseconds of their start (UUIDv7), which have this many characters. */
const SHORT = '019f8a3c-1b2c'.length;

/** Returns how many characters of run ids distinguish these. */
export function shortRunLength(runIds: readonly string[]): number {
  const different = new Set(runIds);
  let length = SHORT;
  while (new Set([...different].map((id) => id.slice(0, length))).size < different.size) length += 1;
  return length;
}
