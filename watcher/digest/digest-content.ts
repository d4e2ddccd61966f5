import { createHash } from 'node:crypto';
import type { Digest } from '../../contracts/digest.ts';

/** The parts of a digest that are compared. Changed `facts` are sent soon, `details` and `progress` less often. */
export interface DigestContent {
  readonly facts: string;
  readonly details: string;
  readonly progress?: string;
}

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
    waiting,
    linesRead: _lines,
    gang,
    progress,
    ...facts
  } = withRoughCounts(digest);
  const why = waiting && {
    reason: IMAGE_TROUBLE.has(waiting.reason) ? 'Image' : waiting.reason,
    pods: waiting.pods,
  };
  const gangFacts = gang && { scheduled: gang.scheduled, admitted: gang.admitted, reason: gang.reason };
  return {
    facts: JSON.stringify([facts, why, gangFacts]),
    details: `${JSON.stringify([waiting, gang]).replace(/\d+/g, '#')} ${digest.restarts} restarts`,
    progress: progress && JSON.stringify(progress),
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
  const { crash, restarted, roles } = digest;
  if (digest.restarts === 0 && !crash && !restarted) return digest;
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
  };
}

/** Exact up to 10, because a job's backoffLimit may be small; above that in steps of 25 %. */
const roundCount = (count: number) =>
  count <= EXACT ? count : 1.25 ** Math.floor(Math.log(count) / Math.log(1.25));

const EXACT = 10;

/** The kubelet alternates between the two while it cannot pull the image. */
const IMAGE_TROUBLE = new Set(['ErrImagePull', 'ImagePullBackOff']);
