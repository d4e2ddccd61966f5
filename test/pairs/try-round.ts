import pMap from 'p-map';
import type { Manifest } from '../scenarios/manifests.ts';
import type { ControlPlane } from './control-plane.ts';
import { manifestOfJob } from './manifest-of-job.ts';
import { objectsOfCluster } from './objects-of-cluster.ts';
import { PairStage } from './pair-stage.ts';
import type { RandomCluster } from './random-cluster.ts';
import type { RandomJob } from './random-job.ts';
import { type Found, faultsOf, starts } from './verdict.ts';
import { wantedBeside } from './wanted-beside.ts';

/** A cluster, and jobs that are asked about and made there one after the other. */
export interface Round {
  readonly cluster: RandomCluster;
  readonly jobs: readonly RandomJob[];
}

export interface Tried {
  readonly manifest: Manifest;
  /** Absent for a manifest that is refused before any cluster is asked. */
  readonly found?: Found | undefined;
}

/** Makes a cluster, asks about each job and makes it, then once more those that do not start where nothing else is. */
export async function tryRound(
  plane: ControlPlane,
  { cluster, jobs }: Round,
  namespace: string,
): Promise<Tried[]> {
  const objects = objectsOfCluster(cluster, namespace);
  const stage = new PairStage(plane, namespace, objects);
  await stage.build();
  try {
    const tried: Tried[] = [];
    for (const [index, job] of jobs.entries()) {
      const manifest = manifestOfJob(job, { name: `job-${index}`, namespace });
      tried.push({ manifest, found: await seenTwice(() => stage.find(manifest)) });
    }
    const asked = async ({ manifest, found }: Tried, index: number): Promise<Tried> => {
      if (!found || starts(found.now)) return { manifest, found };
      const stays = wantedBeside(jobs[index]!, namespace);
      // Quotas may refuse pods that were there before them.
      if (stays && cluster.quotas.length > 0) return { manifest, found };
      await stage.empty(stays);
      return {
        manifest,
        found: await seenTwice(async () => ({ ...found, emptied: await stage.make(manifest, false) })),
      };
    };
    return await pMap(tried, asked, { concurrency: 1 });
  } finally {
    await stage.remove();
  }
}

/** A fault counts if it is found a second time: the first may be one of a moment. */
async function seenTwice(find: () => Promise<Found | undefined>): Promise<Found | undefined> {
  const found = await find();
  return found && faultsOf(found).length > 0 ? find() : found;
}
