import { createHash } from 'node:crypto';
import type { Digest } from '../../contracts/digest.ts';
import { roundCount } from '../../contracts/round-count.ts';
import { steadyReason } from '../../contracts/waits.ts';
import type { DigestContent } from '../jobs/delivery.ts';

/**
 * Splits a digest by how much its changes matter. Facts exclude what changes without an event: the resource versions,
 * and the messages of scheduler and kubelet, which count nodes and seconds while a pod waits. Progress changes all the
 * time in a job that runs well.
 */
export function contentOf(digest: Digest): DigestContent {
  const {
    anchor: _anchor,
    resourceVersions: _versions,
    lastReportAt: _report,
    silentMs: _silence,
    silentPod: _silent,
    linesRead: _lines,
    waiting: [first, ...others] = [],
    gang,
    lane,
    progress,
    ...facts
  } = withRoughCounts(digest);
  const why = first && { reason: steadyReason(first.reason), pods: first.pods };
  const more = others.map(({ reason }) => reason);
  const gangFacts = gang && {
    scheduled: gang.scheduled,
    admitted: gang.admitted,
    reason: gang.reason,
    lift: gang.lift,
  };
  const laneFacts = lane && { attempt: lane.attempt, reason: lane.reason, until: lane.until };
  return {
    facts: JSON.stringify([facts, why, gangFacts]),
    lane: laneFacts && JSON.stringify(laneFacts),
    details: `${JSON.stringify(lane ? [first, more, gang, lane.message] : [first, more, gang]).replace(/\d+/g, '#')} ${digest.restarts} restarts`,
    progress: progress && JSON.stringify([progress.value, progress.count]),
  };
}

/** Identifies the facts of a digest. */
export const hashOf = ({ facts }: DigestContent): string =>
  createHash('sha256').update(facts).digest('base64url').slice(0, 16);

/**
 * Rounds restart counts. The first crashes of a container count as facts; later only a clearly higher count does, and
 * the exact number is a detail.
 */
function withRoughCounts(digest: Digest): Digest {
  const { crash, restarted, roles, programCrashes } = digest;
  if (digest.restarts === 0 && !crash && !restarted && !programCrashes) return digest;
  return {
    ...digest,
    restarts: roundCount(digest.restarts),
    roles: Object.fromEntries(
      Object.entries(roles).map(([name, role]) => [
        name,
        { ...role, restarts: role.restarts && roundCount(role.restarts) },
      ]),
    ),
    restarted: restarted?.map((one) => ({ ...one, restarts: roundCount(one.restarts) })),
    crash: crash && { ...crash, restarts: roundCount(crash.restarts) },
    programCrashes: programCrashes?.map((one) => {
      const restarts = roundCount(one.restarts);
      return { ...one, restarts, ends: restarts + one.ends - one.restarts };
    }),
  };
}
