import type { ClusterClient, ListOptions } from '../../cluster/client.ts';
import type { ListSource } from '../../cluster/list-all.ts';
import { type ReflectorHandlers, reflect } from '../../cluster/reflector.ts';
import { CONFIG_MAPS, type KubeObject, PODS } from '../../contracts/kubernetes.ts';
import { trimAnchor } from '../../watcher/anchors/anchor-facts.ts';
import { trimPod } from '../../watcher/pods/pod-facts.ts';
import { JobStore } from '../../watcher/store/job-store.ts';
import { anAnchor, aPod, RUNNING } from '../watcher/fixtures.ts';
import { type GrowthSize, inMiB } from './growth-size.ts';

/** Feeds a watcher's reflectors and its book with pages of generated objects, as an API server sends them. */
export async function modelGrowth({ ended, live, podsPerJob }: GrowthSize): Promise<string> {
  const began = performance.now();
  const jobStore = new JobStore();
  const anchors = { resource: CONFIG_MAPS, metadataOnly: true, trim: trimAnchor };
  const anchor = (job: number) => anchorOf(job, job < live ? 'Running' : 'Completed');
  await read(anchors, jobStore.anchorsIn(), { total: ended + live, make: anchor });
  const pod = (number: number) => podOf(Math.floor(number / podsPerJob), number % podsPerJob);
  await read({ resource: PODS, trim: trimPod }, jobStore.podsIn(), { total: live * podsPerJob, make: pod });
  const seconds = (performance.now() - began) / 1_000;
  (globalThis as { gc?: () => void }).gc?.();
  const { heapUsed } = process.memoryUsage();
  const { maxRSS } = process.resourceUsage();
  const { jobs, pods } = jobStore.size;
  return [
    `${jobs} jobs (${ended} of them ended), ${pods} pods, read in ${seconds.toFixed(1)} s`,
    `heap ${inMiB(heapUsed)} in use; resident ${inMiB(maxRSS * 1024)} at most`,
  ].join('\n');
}

const nameOf = (job: number) => `train-${String(job).padStart(6, '0')}`;

/** Of whom set which field: most of what an object says of itself. */
const MANAGED_FIELDS = [{ manager: 'node', operation: 'Update', fieldsV1: { 'f:data': 'x'.repeat(1_500) } }];

/** Without its data, as it is asked for. */
function anchorOf(job: number, phase: 'Running' | 'Completed'): KubeObject {
  const { metadata, ...rest } = anAnchor({ job: nameOf(job), uid: `uid-${job}`, phase });
  return { ...rest, metadata: { ...metadata, managedFields: MANAGED_FIELDS } as KubeObject['metadata'] };
}

function podOf(job: number, index: number): KubeObject {
  const node = `node-${(job + index) % 1_000}`;
  const made = aPod({ job: nameOf(job), owner: `uid-${job}`, index, node, status: RUNNING });
  const environment = Array.from({ length: 30 }, (_, i) => ({
    name: `VARIABLE_${i}`,
    value: 'x'.repeat(60),
  }));
  const containers = made.spec.containers.map((container) => ({ ...container, env: environment }));
  return {
    ...made,
    metadata: { ...made.metadata, managedFields: MANAGED_FIELDS } as KubeObject['metadata'],
    spec: { ...made.spec, containers },
  };
}

/** Lists `total` objects by pages, each of them parsed from its text. */
async function read<T extends KubeObject>(
  source: ListSource<T>,
  handlers: ReflectorHandlers<T>,
  { total, make }: { readonly total: number; readonly make: (number: number) => KubeObject },
): Promise<void> {
  const leadership = new AbortController();
  const list = async (_: unknown, { limit = total, continue: from = '0' }: ListOptions) => {
    const first = Number(from);
    const end = Math.min(total, first + limit);
    const items = JSON.stringify(Array.from({ length: end - first }, (_, i) => make(first + i)));
    const metadata = { resourceVersion: '1', continue: end < total ? String(end) : undefined };
    return { items: JSON.parse(items), metadata };
  };
  const watch = async function* () {
    leadership.abort();
    yield* [];
  };
  const cluster = { list, watch } as unknown as Pick<ClusterClient, 'list' | 'watch'>;
  await reflect(cluster, source, handlers, leadership.signal);
}
