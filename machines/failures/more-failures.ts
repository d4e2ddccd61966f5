import type { PodFailure } from '../../contracts/digest.ts';
import { roleKey } from '../../contracts/roles.ts';
import { ownValue } from '../../language/fields.ts';
import { parseRanges, unionRanges } from '../../language/index-ranges.ts';
import type { JobContext } from '../model/job-context.ts';

/** Failed pods that the digest does not describe, with a described failure like theirs. */
export interface SimilarFailures {
  readonly like: PodFailure;
  /** As ranges. */
  readonly indices: string;
  readonly count: number;
}

export function findSimilar({ digest }: JobContext): readonly SimilarFailures[] {
  const { failures = [], moreFailures = [] } = digest ?? {};
  return moreFailures.flatMap(({ role, exitCode, reason, interruptedBy, indices }) => {
    const like = failures.find(
      (one) =>
        one.role === role &&
        one.exitCode === exitCode &&
        one.reason === reason &&
        one.interruptedBy === interruptedBy,
    );
    return like ? [{ like, indices, count: parseRanges(indices).length }] : [];
  });
}

export const countSimilar = (alike: readonly SimilarFailures[]) =>
  alike.reduce((sum, { count }) => sum + count, 0);

export function indicesByRole(alike: readonly SimilarFailures[]): Readonly<Record<string, string>> {
  const indices: Record<string, string> = {};
  for (const { like, indices: more } of alike) {
    const role = roleKey(like.role);
    indices[role] = unionRanges(ownValue(indices, role) ?? '', more);
  }
  return indices;
}
