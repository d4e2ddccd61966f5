import type { Pod } from '../../contracts/kubernetes.ts';
import { readAmounts } from '../../contracts/pod-requests.ts';
import type { WaitReason } from '../../contracts/types.ts';
import { areCountedAlike, usageOf } from '../quota-usage.ts';
import { shapesOf } from '../shape.ts';
import { neverFitsQuota } from './quotas.ts';

/**
 * Explains, from the words in which a quota has refused a pod, that it can never hold all pods of the job: as `why` does, for who
 * may not read quotas. Undefined if it could, or if something else was refused.
 */
export function refusedForGood(words: string, pods: readonly Pod[]): WaitReason | undefined {
  const [, podName, name = '', limited = ''] = EXCEEDED.exec(words) ?? [];
  const refused = pods.find(({ metadata }) => metadata.name === podName);
  if (!refused) return undefined;
  const [shape] = shapesOf([asOwn(refused)]);
  const counted = shapesOf(pods.map(asOwn)).filter((one) => areCountedAlike(one, shape!));
  const all = usageOf(counted, (one) => one.pods);
  const hard = readAmounts(Object.fromEntries(limited.split(',').map((amount) => amount.split('='))));
  return [...hard.keys()].flatMap((resource) => neverFitsQuota({ name, hard }, resource, all) ?? [])[0];
}

/** It names what the pod has too much of, not the scopes of the quota. */
const EXCEEDED = /^pods "([^"]+)" is forbidden: exceeded quota: (\S+), requested: .*, limited: (\S+)$/;

/** Its role makes no difference to a quota. */
const asOwn = ({ spec, metadata }: Pod) => ({ role: '', spec, metadata, isCreated: false });
