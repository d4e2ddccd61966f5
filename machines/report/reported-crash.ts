import type { Crash } from '../../contracts/digest.ts';
import { explainCrash } from '../failures/crash.ts';
import type { JobContext } from '../model/job-context.ts';
import type { JobEvent } from '../model/job-events.ts';

/** What the timeline was told last of containers that are restarted in place. */
export interface ReportedCrash {
  readonly uid: string;
  readonly exitCode: number;
  readonly restarts: number;
}

interface WithCrash {
  readonly crash?: ReportedCrash;
}

/** The record after an event, and what is to be told of a crash, if that is news. */
export function nextReportedCrash<Record extends WithCrash>(
  record: Record,
  { digest }: JobContext,
  event: JobEvent,
): { readonly record: Record; readonly crash?: string } {
  const { crash } = digest ?? {};
  if (event.type !== 'digest' || !crash || !isNews(record.crash, crash)) return { record };
  const { uid, exitCode, restarts } = crash;
  return { record: { ...record, crash: { uid, exitCode, restarts } }, crash: explainCrash(crash) };
}

/** Why a state was entered, which may say it already. */
export const withCrash = (why: string, crash = '') => (why.includes(crash) ? why : `${why}; ${crash}`);

/** A loop may go on for days, in many pods: it is told when it begins, and each time that it has doubled, or by a quarter if it ends otherwise now. */
function isNews(told: ReportedCrash | undefined, crash: Crash): boolean {
  if (!told || crash.restarts >= 2 * told.restarts) return true;
  // The pod that was told of is gone.
  if (told.uid !== crash.uid) return crash.restarts < told.restarts;
  return told.exitCode !== crash.exitCode && crash.restarts >= 1.25 * told.restarts;
}
