import type { LogSource } from '../../cluster/follow-log.ts';
import { ownValue } from '../../language/fields.ts';
import type { AnchorFacts } from '../anchors/anchor-facts.ts';
import type { MainPod, WatchedJob } from './job.ts';

/** Finds the main pod of the latest attempt that has one. */
export function findMainPod({ reportingPods }: WatchedJob, { mainPod }: AnchorFacts): MainPod | undefined {
  let latest: MainPod | undefined;
  for (const pod of reportingPods.values()) {
    if (pod.name === mainPod && pod.attempt >= (latest?.attempt ?? 0)) latest = pod;
  }
  return latest;
}

/** Returns the log to follow; undefined if the job's rules read no log, or before the container has started. */
export function progressLog({ name, role, report }: MainPod, anchor: AnchorFacts): LogSource | undefined {
  const { progress, acknowledgedBy } = anchor.watch.rules ?? {};
  const container = ownValue(anchor.mainContainers, role);
  if (!(progress?.log ?? acknowledgedBy?.log)) return undefined;
  if (!container || !report.started.includes(container)) return undefined;
  return { namespace: anchor.namespace, pod: name, container };
}
