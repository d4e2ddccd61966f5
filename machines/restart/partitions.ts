import type { PodFailure } from '../../contracts/digest.ts';
import { roleKey } from '../../contracts/roles.ts';
import type { PlannedRole } from '../../contracts/training-job.ts';
import { ownValue } from '../../language/fields.ts';
import { formatRanges, parseRanges, unionRanges } from '../../language/index-ranges.ts';
import type { SimilarFailures } from '../failures/more-failures.ts';
import type { FailedPodIdentity } from '../model/effects.ts';
import type { JobContext } from '../model/job-context.ts';
import { roleOfFailure } from '../model/role-counts.ts';
import { reactionTo, reactionToWorn } from './reactions.ts';

/** Indices as ranges, by role in lower case. */
type IndicesByRole = Readonly<Record<string, string>>;

interface BrokenPods {
  readonly failures: readonly PodFailure[];
  readonly alike: readonly SimilarFailures[];
  /** Their containers were restarted in place too often. */
  readonly worn: readonly FailedPodIdentity[];
}

/** Returns all pods of the partitions in which something failed, by rules that restart those; undefined if there are none. */
export function partitionsToRestart(
  context: JobContext,
  { failures, alike, worn }: BrokenPods,
): IndicesByRole | undefined {
  const uids = new Set(worn.map(({ uid }) => uid));
  const restarted = (context.digest?.restarted ?? []).filter(({ uid }) => uids.has(uid));
  const failed = (like: PodFailure) => (role: PlannedRole) => reactionTo(context, role, like);
  const broken = [
    ...failures.map((like) => ({ pod: like, indices: [like.index], reactionOf: failed(like) })),
    ...alike.map(({ like, indices }) => ({
      ...{ pod: like, indices: parseRanges(indices), reactionOf: failed(like) },
    })),
    ...restarted.map((pod) => ({
      ...{ pod, indices: [pod.index], reactionOf: (role: PlannedRole) => reactionToWorn(context, role) },
    })),
  ];
  const found: Record<string, string> = {};
  for (const { pod, indices, reactionOf } of broken) {
    const role = roleOfFailure(context, pod);
    if (!role?.partitionSize || reactionOf(role)?.do !== 'restartPartition') continue;
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
