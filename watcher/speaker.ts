import type { AnchorFacts } from './anchor-facts.ts';
import type { Job } from './job.ts';
import type { PodFacts } from './pod-facts.ts';
import type { Voice } from './voice.ts';

/** The pod that speaks for its job: the one whose log is the job's. */
export interface Speaker extends PodFacts {
  readonly uid: string;
  readonly voice: Voice;
}

/** In its latest attempt; undefined while there is none. */
export function speakerOf({ speakers }: Job, { mainPod }: AnchorFacts): Speaker | undefined {
  let latest: Speaker | undefined;
  for (const speaker of speakers.values()) {
    if (speaker.name === mainPod && speaker.attempt >= (latest?.attempt ?? 0)) latest = speaker;
  }
  return latest;
}
