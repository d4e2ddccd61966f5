import type { JobResourceStatus } from '../contracts/job-resources.ts';
import { refusedCause } from '../contracts/refusals.ts';
import { OWN_MANAGER } from '../frameworks/dialects/kubeflow-dialect.ts';
import type { OriginalOperator } from '../frameworks/kinds/original-operators.ts';
import type { ShownStatus } from './anchored-job.ts';
import type { Notice } from './events.ts';
import { ownManagerField } from './rivals.ts';

/** What `kubectl describe` shows of what the bridge cannot do. Each is given once, however often the bridge looks. */

/** `once`: what makes it another warning than one of the same words. */
export const warning = (reason: string, message: string, once = ''): Notice => ({
  ...{ type: 'Warning', reason, message, once },
  at: now(),
});

/** RFC 3339, in seconds as Kubernetes writes it. */
export const now = () => new Date().toISOString().replace(/\.\d+Z$/, 'Z');

/** The API server refuses what the job needs. */
export function refusalIn(job: ShownStatus, shown: JobResourceStatus): readonly Notice[] {
  const refusal = refusedCause(job);
  if (!refusal || refusal.reason === shown.reason) return [];
  return [warning(refusal.reason, refusal.message, job.since)];
}

/** What the resource has not shown yet: `validate` says the same, but not to who uses kubectl. */
export const unshownWarnings = (wanted: JobResourceStatus, shown: JobResourceStatus): readonly Notice[] =>
  (wanted.warnings ?? [])
    .filter((text) => !shown.warnings?.includes(text))
    .map((text) => warning('ManifestWarning', text));

/** `edit`: which one. */
export const editNotTaken = (why: string, edit: string): Notice =>
  warning('EditNotTaken', `the job goes on as it is, as it cannot follow the edit: ${why}`, edit);

export const editWaits = (edit: string): Notice =>
  warning(
    'EditWaits',
    'neither the job nor Temporal answers, e.g. because no worker runs; the job follows the edit when they do',
    edit,
  );

/** `isRunning`: here, too. */
export const operatorRuns = (
  { name, found, unless }: OriginalOperator,
  { isRunning = false, ...job }: Parameters<typeof ownManagerField>[0] & { readonly isRunning?: boolean },
): Notice => {
  const field = ownManagerField(job);
  const managed = field ? `${field} is ${OWN_MANAGER} from the start` : unless;
  return warning(
    'OperatorRuns',
    isRunning
      ? `${name} runs (${found}) and takes this job as well, which signalbox runs: stop it, or let it leave jobs of this kind alone`
      : `${name} runs (${found}) and takes this job, so signalbox leaves it alone; it runs the job once that does not${managed ? `, or if ${managed}` : ''}`,
  );
};

export const leftAlone = (): Notice =>
  warning(
    'LeftAlone',
    'another operator has written the status of this job, so signalbox does not run it. Delete the resource and apply it again to run it by signalbox',
  );
