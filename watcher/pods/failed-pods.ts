import { type Digest, MOST_FAILURES, type PodFailure } from '../../contracts/digest.ts';
import { compareText } from '../../language/compare-text.ts';
import { formatRanges } from '../../language/index-ranges.ts';

/** A failed pod, and the time of its failure (RFC 3339). */
export interface FailedPod {
  readonly failure: PodFailure;
  readonly finishedAt: string;
}

/**
 * Bounds the failures in a digest. Describes the first failure of each kind and then the earliest others, up to `most`.
 * Lists the rest by index, with the kind that they share with a described one. Kinds beyond `most` wait for a later
 * digest.
 */
export function summarizeFailures(
  failed: readonly FailedPod[],
  most = MOST_FAILURES,
): Pick<Digest, 'failures' | 'moreFailures'> {
  const failures = failed.toSorted(byTime).map(({ failure }) => failure);
  const kinds = [...Map.groupBy(failures, kindOfFailure).values()].slice(0, most);
  const inOrder = new Set([...kinds.map(([first]) => first!), ...failures]);
  const described = new Set([...inOrder].slice(0, most));
  const moreFailures = kinds.flatMap((members) => moreOf(members.filter((one) => !described.has(one))));
  return {
    failures: failures.filter((failure) => described.has(failure)),
    ...(moreFailures.length > 0 ? { moreFailures } : {}),
  };
}

function moreOf(members: readonly PodFailure[]) {
  const [first] = members;
  if (!first) return [];
  const { role, exitCode, reason, interruptedBy } = first;
  return [
    { role, exitCode, reason, interruptedBy, indices: formatRanges(members.map(({ index }) => index)) },
  ];
}

/** Everything that rules match in a failure, except its log. */
const kindOfFailure = ({ role, exitCode, reason, interruptedBy }: PodFailure) =>
  JSON.stringify([role, exitCode, reason, interruptedBy]);

const byTime = (a: FailedPod, b: FailedPod) =>
  compareText(a.finishedAt, b.finishedAt) || compareText(a.failure.pod, b.failure.pod);
