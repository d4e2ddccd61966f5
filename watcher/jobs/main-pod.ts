import type { LogSource } from '../../cluster/follow-log.ts';
import type { AnchorFacts } from '../anchors/anchor-facts.ts';
import type { Job, Speaker } from './job.ts';

/** In its latest attempt; undefined while there is none. */
export function speakerOf({ speakers }: Job, { mainPod }: AnchorFacts): Speaker | undefined {
  let latest: Speaker | undefined;
  for (const speaker of speakers.values()) {
    if (speaker.name === mainPod && speaker.attempt >= (latest?.attempt ?? 0)) latest = speaker;
  }
  return latest;
}

/** The log that is listened to; undefined for a job that wants none, or before the container has started. */
export function logOf({ name, role, voice }: Speaker, anchor: AnchorFacts): LogSource | undefined {
  const { progress, acknowledgedBy } = anchor.watch.rules ?? {};
  const container = anchor.mainContainers[role];
  if (!(progress?.log ?? acknowledgedBy?.log)) return undefined;
  if (!container || !voice.started.includes(container)) return undefined;
  return { namespace: anchor.namespace, pod: name, container };
}
