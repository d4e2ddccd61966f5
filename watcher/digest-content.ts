import type { Digest } from '../contracts/digest.ts';

/** What two digests are compared by: `facts` decide, `words` and progress are worth an update now and then. */
export interface DigestContent {
  readonly facts: string;
  readonly words: string;
  readonly progress?: string;
}

/**
 * The facts of a digest leave out what changes without anything having happened: the revision, and the messages of
 * the scheduler and the kubelet, who count nodes and seconds in them as long as a pod waits. Progress is what a job
 * that runs well has to say all the time.
 */
export function contentOf(digest: Digest): DigestContent {
  const { revision: _, waiting, gang, progress, ...facts } = digest;
  const why = waiting && {
    reason: IMAGE_TROUBLE.has(waiting.reason) ? 'Image' : waiting.reason,
    pods: waiting.pods,
  };
  const gangFacts = gang && { scheduled: gang.scheduled, admitted: gang.admitted, reason: gang.reason };
  return {
    facts: JSON.stringify([facts, why, gangFacts]),
    words: JSON.stringify([waiting, gang]).replace(/\d+/g, '#'),
    progress: progress && JSON.stringify(progress),
  };
}

/** The kubelet swings between the two for as long as the image cannot be had. */
const IMAGE_TROUBLE = new Set(['ErrImagePull', 'ImagePullBackOff']);
