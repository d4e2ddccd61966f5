import { isDeepStrictEqual } from 'node:util';
import type { JobSource } from '../../contracts/job-revision.ts';
import { findRole, totalReplicas } from '../../contracts/roles.ts';
import type { GangProvider, TrainingJob } from '../../contracts/training-job.ts';
import type { Fault } from '../../contracts/types.ts';
import { nearest } from '../../language/did-you-mean.ts';
import { didYouMean } from '../../language/meant.ts';
import { describeValue } from '../fields/faults.ts';
import { frameworkOf } from '../kinds/registry.ts';
import { sparesUnderQuota } from '../manifest/gang-request.ts';
import { type ParsedManifest, parseManifest } from '../manifest/parse-manifest.ts';
import { rolePath } from '../model/framework.ts';
import { asRevision, buildJob, presentManifest } from './build-job.ts';
import { type Amendment, amendManifest } from './manifest-changes.ts';

/** Returns the next revision of a job, or the faults that prevent it. `gang`: what places its gang. */
export function amendJob(source: JobSource, amendment: Amendment, gang?: GangProvider): ParsedManifest {
  const before = buildJob(source);
  if ('faults' in before) return before;
  const sizeFaults = checkSizes(before.job, amendment);
  if (sizeFaults.length) return { faults: sizeFaults, warnings: [] };
  const { settings, revision } = source;
  const after = parseManifest(amendManifest(presentManifest(source), amendment), settings);
  if ('faults' in after) return after;
  const faults = [...checkGang(before.job, after.job), ...checkSpares(before.job, after.job, gang)];
  return faults.length ? { faults, warnings: [] } : { job: asRevision(after.job, settings, revision + 1) };
}

/** Checks what the manifest alone does not show: roles that the job lacks, and size limits of a running job. */
function checkSizes(job: TrainingJob, { replicas = {} }: Amendment): Fault[] {
  const names = job.roles.map(({ name }) => name);
  return Object.entries(replicas).flatMap(([given, size]) => {
    const role = findRole(job.plan.roles, given);
    const path = rolePath(job.plan, role?.name ?? given);
    if (role && frameworkOf(job).references) {
      const expected = `${role.replicas}: it follows from other fields, which can be edited while the job is suspended`;
      return [{ path: `${path}.replicas`, expected, got: `${size}` }];
    }
    if (!role) {
      const meant = didYouMean(nearest(given, names));
      const expected = `a role of the job: ${names.join(', ')}${meant && ` (${meant})`}`;
      return [{ path, expected, got: describeValue(given) }];
    }
    const { min, max = Number.POSITIVE_INFINITY } = role.scales ?? { min: 0 };
    if (size >= min && size <= max) return [];
    const expected =
      max === Number.POSITIVE_INFINITY ? `an integer >= ${min}` : `an integer from ${min} to ${max}`;
    return [{ path: `${path}.replicas`, expected, got: `${size}` }];
  });
}

/** A gang larger than the number of pods is never complete. A submission is only warned; an amendment is rejected. */
export function checkGang(before: TrainingJob, { gang, roles }: TrainingJob): Fault[] {
  const members = totalReplicas(roles);
  if (gang.minMember <= members || before.gang.minMember > totalReplicas(before.roles)) return [];
  const expected = `at least ${gang.minMember} pods, because minAvailable requires them to be placed together`;
  return [{ path: rolePath(before.plan), expected, got: `${members}` }];
}

/** An amendment cannot ask for spares where Kueue admits the job. */
export const checkSpares = (
  before: TrainingJob,
  after: TrainingJob,
  gang: GangProvider | undefined,
): Fault[] =>
  gang === undefined || isDeepStrictEqual(before.plan.policy?.spares, after.plan.policy?.spares)
    ? []
    : sparesUnderQuota(gang, after);
