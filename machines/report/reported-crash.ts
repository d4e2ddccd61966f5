import type { Crash } from '../../contracts/digest.ts';
import { explainCrash } from '../failures/crash.ts';
import type { JobContext } from '../model/job-context.ts';
import type { JobEvent } from '../model/job-events.ts';

/** The crash of a container restarted in place that the timeline reported last. */
export interface ReportedCrash {
  readonly uid: string;
  readonly exitCode: number;
  readonly restarts: number;
}

/** Returns the crash that is reported last after an event, and its description if it is news. */
export function nextReportedCrash(
  known: ReportedCrash | undefined,
  { digest }: JobContext,
  event: JobEvent,
): { readonly crash?: ReportedCrash; readonly news?: string } {
  const { crash } = digest ?? {};
  if (event.type !== 'digest' || !crash || !isNews(known, crash)) return { crash: known };
  const { uid, exitCode, restarts } = crash;
  return { crash: { uid, exitCode, restarts }, news: explainCrash(crash) };
}

/** Adds the crash unless the explanation already contains it. */
export const withCrash = (why: string, crash = '') => (why.includes(crash) ? why : `${why}; ${crash}`);

/**
 * A crash loop can last for days, in many pods. Reports its start, each doubling of the restarts, and another exit code
 * after a quarter more restarts.
 */
function isNews(reported: ReportedCrash | undefined, crash: Crash): boolean {
  if (!reported || crash.restarts >= 2 * reported.restarts) return true;
  // Another pod with fewer restarts means that the reported pod is gone.
  if (reported.uid !== crash.uid) return crash.restarts < reported.restarts;
  return reported.exitCode !== crash.exitCode && crash.restarts >= 1.25 * reported.restarts;
}
