import type { PodFailure } from '../../contracts/digest.ts';
import { roleKey } from '../../contracts/roles.ts';
import { ownValue } from '../../language/fields.ts';
import { formatRanges, parseRanges, unionRanges } from '../../language/index-ranges.ts';
import type { SimilarFailures } from '../failures/more-failures.ts';
import type { JobContext } from '../model/job-context.ts';
import { roleOfFailure } from '../model/role-counts.ts';
import { reactionTo } from './reactions.ts';

/** Indices as ranges, by role in lower case. */
type IndicesByRole = Readonly<Record<string, string>>;

/** Returns all pods of the partitions in which something failed, by rules that restart those; undefined if there are none. */
export function partitionsToRestart(
  context: JobContext,
  failures: readonly PodFailure[],
  alike: readonly SimilarFailures[],
): IndicesByRole | undefined {
  const broken = [
    ...failures.map((like) => ({ like, indices: [like.index] })),
    ...alike.map(({ like, indices }) => ({ like, indices: parseRanges(indices) })),
  ];
  const found: Record<string, string> = {};
  for (const { like, indices } of broken) {
    const role = roleOfFailure(context, like);
    if (!role?.partitionSize || reactionTo(context, role, like)?.do !== 'restartPartition') continue;
    const key = roleKey(role.name);
    for (const index of indices)
      found[key] = unionRanges(ownValue(found, key) ?? '', partitionOf(index, role.partitionSize));
  }
  return Object.keys(found).length > 0 ? found : undefined;
}

function partitionOf(index: number, size: number): string {
  const first = index - (index % size);
  return formatRanges(Array.from({ length: size }, (_, member) => first + member));
}

/** Replicas that have succeeded restart with the others of their partition. */
export function withoutPartitions(succeeded: IndicesByRole, restarted: IndicesByRole = {}): IndicesByRole {
  return Object.fromEntries(
    Object.entries(succeeded).map(([role, ranges]) => {
      const gone = new Set(parseRanges(ownValue(restarted, role) ?? ''));
      return [
        role,
        gone.size > 0 ? formatRanges(parseRanges(ranges).filter((one) => !gone.has(one))) : ranges,
      ];
    }),
  );
}
