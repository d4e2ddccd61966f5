import { type Digest, MOST_FAILURES, type MoreFailures, type PodFailure } from '../../contracts/digest.ts';
import { formatRanges } from '../../contracts/index-ranges.ts';

/** A failed pod, and when it failed, RFC 3339. */
export interface FailedPod {
  readonly failure: PodFailure;
  readonly finishedAt: string;
}

/**
 * However many pods failed: the first of each kind, and after these whichever came first, are described; of the others
 * it is told which they are, and which described failure they are like. What fails in some hundredth way is left for a
 * later digest.
 */
export function summarizeFailures(
  failed: readonly FailedPod[],
  most = MOST_FAILURES,
): Pick<Digest, 'failures' | 'moreFailures'> {
  const failures = failed.toSorted(byTime).map(({ failure }) => failure);
  const kinds = [...Map.groupBy(failures, kindOf).values()].slice(0, most);
  const inOrder = new Set([...kinds.map(([first]) => first!), ...failures]);
  const described = new Set([...inOrder].slice(0, most));
  const moreFailures = kinds.flatMap((members) => moreOf(members.filter((one) => !described.has(one))));
  return {
    failures: failures.filter((failure) => described.has(failure)),
    ...(moreFailures.length > 0 ? { moreFailures } : {}),
  };
}

function moreOf(members: readonly PodFailure[]): MoreFailures[] {
  const [first] = members;
  if (!first) return [];
  const { role, exitCode, reason, interruptedBy } = first;
  return [
    { role, exitCode, reason, interruptedBy, indices: formatRanges(members.map(({ index }) => index)) },
  ];
}

/** All that rules ask of a failure, but for what its log says. */
const kindOf = ({ role, exitCode, reason, interruptedBy }: PodFailure) =>
  JSON.stringify([role, exitCode, reason, interruptedBy]);

const byTime = (a: FailedPod, b: FailedPod) =>
  compare(a.finishedAt, b.finishedAt) || compare(a.failure.pod, b.failure.pod);

const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);
