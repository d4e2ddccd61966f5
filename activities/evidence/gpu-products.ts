import { setTimeout as delay } from 'node:timers/promises';
import { gpusOfSpec } from '../../contracts/gpus.ts';
import { NODES, type Pod } from '../../contracts/kubernetes.ts';
import type { Dependencies } from '../support/dependencies.ts';

/** The label that NVIDIA's GPU feature discovery sets on nodes. */
const PRODUCT = 'nvidia.com/gpu.product';

/** Prices need it, but no pod waits longer for it to be deleted. */
const WAIT_MS = 1_000;

/**
 * Returns which product the GPUs of nodes are, by node; without nodes that could not be read in time, or may not be. Reads
 * each node once, and only those of pods that request GPUs.
 */
export async function gpuProductsOf(
  { cluster, bulk }: Pick<Dependencies, 'cluster' | 'bulk'>,
  pods: readonly Pod[],
): Promise<ReadonlyMap<string, string>> {
  const users = pods.filter(({ spec }) => Object.keys(gpusOfSpec(spec)).length > 0);
  const nodes = new Set(users.flatMap(({ spec }) => spec.nodeName ?? []));
  const products = new Map<string, string>();
  const reads = [...nodes].map(async (name) => {
    const node = await bulk.run(() => cluster.find(NODES, undefined, name)).catch(() => undefined);
    const product = node?.metadata.labels?.[PRODUCT];
    if (product) products.set(name, product);
  });
  const waiting = new AbortController();
  const late = delay(WAIT_MS, undefined, { signal: waiting.signal, ref: false }).catch(() => undefined);
  await Promise.race([Promise.all(reads), late]);
  waiting.abort();
  return products;
}
