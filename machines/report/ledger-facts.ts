import type { Crash, PodFailure } from '../../contracts/digest.ts';
import type { PlannedRole } from '../../contracts/training-job.ts';
import type { EvidenceSummary, LedgerCounts, LedgerEntry, LedgerPod } from '../../contracts/types.ts';
import { withoutUndefined } from '../../language/fields.ts';
import type { Position } from '../chart/position.ts';
import { findVanished } from '../failures/vanished.ts';
import type { JobContext } from '../model/job-context.ts';
import type { JobEvent } from '../model/job-events.ts';
import { onNodes, placedOf } from '../model/placed.ts';
import { countDone, digestOf } from '../model/role-counts.ts';
import { findLost } from '../nodes/lost-nodes.ts';

/** Returns how many pods of each role are in which state, without zeros. */
export const countsByRole = (context: JobContext): NonNullable<LedgerEntry['counts']> =>
  Object.fromEntries(context.plan.roles.map((role) => [role.name, countsOfRole(context, role)]));

function countsOfRole(context: JobContext, role: PlannedRole): LedgerCounts {
  const digest = digestOf(context, role);
  const { unscheduled, scheduled, ready, failed, terminating } = digest;
  const { pods: placedMs, spares: spareMs } = placedOf(context, role);
  const counts = {
    ...{ unscheduled, scheduled, ready, succeeded: countDone(context, role), failed, terminating },
    ...{ placedMs, spareMs },
  };
  const present = Object.entries(counts).filter(([, count]) => count > 0);
  // From the first pod on, also if no time has passed: an entry without it is of an earlier version.
  const since = onNodes(digest) > 0 ? { placedMs } : {};
  return { wanted: role.replicas, ...Object.fromEntries(present), ...since };
}

/** Returns the pods that an entry is about: those with evidence, or those that made the job restart or fail. */
export function concernedPods(
  before: Position,
  event: JobEvent,
  after: Position,
): readonly LedgerPod[] | undefined {
  if (event.type === 'effectDone') {
    const { evidence = [] } = event;
    if (evidence.length > 0) return evidence.map(ledgerPod);
  }
  const pods = handlesTrouble(after) ? newTroubles(before, after.context) : crashed(before, after);
  return pods.length > 0 ? pods.map(ledgerPod) : undefined;
}

/** Returns the nodes that an entry is about: those of its pods, and those that are avoided from now on. */
export function concernedNodes(
  before: Position,
  pods: readonly LedgerPod[],
  after: Position,
): readonly string[] | undefined {
  const known = new Set(before.context.avoided?.map(({ node }) => node));
  const avoided = (after.context.avoided ?? []).flatMap(({ node }) => (known.has(node) ? [] : [node]));
  const nodes = [...new Set([...pods.flatMap(({ node }) => node ?? []), ...avoided])];
  return nodes.length > 0 ? nodes : undefined;
}

/** Returns where the evidence is that an effect has taken. */
export function evidenceRefs(event: JobEvent): readonly string[] | undefined {
  const taken = event.type === 'effectDone' ? (event.evidence ?? []) : [];
  const refs = taken.flatMap(({ ref }) => ref ?? []);
  return refs.length > 0 ? refs : undefined;
}

/** Pods that fail while others are being created are recorded when the job handles their failure. */
const handlesTrouble = ({ state, context }: Position) =>
  state.startsWith('Restarting.') || context.outcome?.phase === 'Failed';

/** Returns troubled pods; those that came since the step before, if that handled troubles, too. */
function newTroubles(before: Position, context: JobContext): readonly PodFailure[] {
  const troubled = troubledPods(context);
  if (!handlesTrouble(before)) return troubled;
  const known = new Set(troubledPods(before.context).map(({ uid }) => uid));
  return troubled.filter(({ uid }) => !known.has(uid));
}

const troubledPods = (context: JobContext): readonly PodFailure[] => [
  ...(context.digest?.failures ?? []),
  ...findLost(context),
  ...findVanished(context),
];

/** Returns the pod whose container the kubelet restarts, if that is new. */
function crashed(before: Position, { context }: Position): readonly Crash[] {
  const { crash } = context.digest ?? {};
  const known = before.context.digest?.crash;
  return crash && (known?.uid !== crash.uid || known.restarts !== crash.restarts) ? [crash] : [];
}

function ledgerPod(from: PodFailure | Crash | EvidenceSummary): LedgerPod {
  const { pod, uid, role, node, container, exitCode, signal, reason } = from;
  const told = 'takenAt' in from ? from : undefined;
  return withoutUndefined({
    ...{ pod, uid, role, node, container, exitCode, signal, reason },
    ...{ errorLine: told?.errorLine, signature: told?.signature },
  });
}
