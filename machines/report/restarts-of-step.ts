import { FAILURE_CLASSES, type RestartScope } from '../../contracts/policy.ts';
import { isOneOf } from '../../language/one-of.ts';
import { countInPlace, type JobContext } from '../model/job-context.ts';

/** Restarts that a step has counted. */
interface CountedRestarts {
  readonly scope: RestartScope;
  /** A built-in failure class; `other` for those of a policy, `none` for restarts in place. */
  readonly class: string;
  readonly count: number;
}

/** Returns by how much a step has raised the number of restarts. */
export function restartsOfStep(before: JobContext, after: JobContext): readonly CountedRestarts[] {
  const inPlace = countInPlace(after.restarts) - countInPlace(before.restarts);
  const replaced = after.restarts.replaced - before.restarts.replaced;
  return [
    ...(inPlace > 0 ? [{ scope: 'container', class: 'none', count: inPlace } as const] : []),
    ...(replaced > 0 ? replacements(before, after) : []),
  ];
}

/** What is charged is known from when a restart begins until its pods are replaced. */
function replacements(before: JobContext, after: JobContext): readonly CountedRestarts[] {
  const { scope = 'pod', charges, restart } = after.restarting ?? before.restarting ?? {};
  return Object.entries(charges ?? restart?.charges ?? {}).map(([name, count]) => ({
    ...{ scope, class: classLabel(name), count },
  }));
}

const classLabel = (name: string): string => (isOneOf(FAILURE_CLASSES, name) ? name : 'other');
