import type { Digest } from '../../contracts/digest.ts';

/** What two digests are compared by: `facts` decide, `words` and progress are worth an update now and then. */
export interface DigestContent {
  readonly facts: string;
  readonly details: string;
  readonly progress?: string;
}

/**
 * The facts of a digest leave out what changes without anything having happened: the revision, and the messages of
 * the scheduler and the kubelet, who count nodes and seconds in them as long as a pod waits. Progress is what a job
 * that runs well has to say all the time.
 */
export function contentOf(digest: Digest): DigestContent {
  const { revision: _, silentMs: _silence, waiting, gang, progress, ...facts } = withRoughCounts(digest);
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

/**
 * A container that crashes again and again is news when it begins: from then on the exact number of its restarts is told
 * as words are.
 */
function withRoughCounts(digest: Digest): Digest {
  const { crash, restarted, roles } = digest;
  if (digest.restarts === 0 && !crash && !restarted) return digest;
  return {
    ...digest,
    restarts: rough(digest.restarts),
    roles: Object.fromEntries(
      Object.entries(roles).map(([name, role]) => [
        name,
        { ...role, restarts: role.restarts && rough(role.restarts) },
      ]),
    ),
    restarted: restarted?.map((one) => ({ ...one, restarts: rough(one.restarts) })),
    crash: crash && { ...crash, restarts: rough(crash.restarts) },
  };
}

/** Exact as long as it is small: a job's backoffLimit may be. Then only each quarter more counts. */
const rough = (count: number) =>
  count <= EXACT ? count : 1.25 ** Math.floor(Math.log(count) / Math.log(1.25));

const EXACT = 10;

/** The kubelet swings between the two for as long as the image cannot be had. */
const IMAGE_TROUBLE = new Set(['ErrImagePull', 'ImagePullBackOff']);
