import type { JobReference } from '../../contracts/job-revision.ts';
import { CONFIG_MAPS } from '../../contracts/kubernetes.ts';
import { anchorNameOf } from '../../contracts/labels.ts';
import type { TrainingJob } from '../../contracts/training-job.ts';
import type { Fault } from '../../contracts/types.ts';
import { buildJob } from '../../frameworks/changes/build-job.ts';
import { formatFault } from '../../frameworks/fields/faults.ts';
import { revisionOnAnchor } from '../../resources/anchor.ts';
import type { Dependencies } from '../support/dependencies.ts';
import { sha256Of } from '../support/job-cache.ts';
import { askForSource } from '../support/job-source.ts';
import { type AnchorIdentity, patchAnchor } from './anchor-writes.ts';

/** A job, and what to report if its anchor held another one. */
interface ReadJob {
  readonly job: TrainingJob;
  readonly restored?: string;
}

type Tools = Pick<Dependencies, 'cluster' | 'temporal' | 'jobs'>;

/**
 * Returns the revision of a job that an activity names: from memory, or from the anchor. Everybody with access to the
 * namespace can change an anchor, so its content counts only if it has the revision's hash. Otherwise the job is built
 * again from what its workflow has, and a changed anchor gets it back.
 */
export async function readJob(
  tools: Tools,
  reference: JobReference & { readonly anchorUid: string },
): Promise<ReadJob> {
  const { sha256, namespace, name, anchorUid } = reference;
  const known = tools.jobs.get(sha256);
  if (known) return { job: known };
  const anchor = { namespace, name: anchorNameOf(name), uid: anchorUid };
  const text = await textOn(tools, anchor);
  if (text !== undefined && sha256Of(text) === sha256) {
    return { job: tools.jobs.set(sha256, text, JSON.parse(text) as TrainingJob) };
  }
  return rebuild(tools, reference, { anchor, found: text });
}

/** Returns undefined if the anchor is gone, belongs to another job, or holds no job. */
async function textOn(
  { cluster }: Tools,
  { namespace, name, uid }: AnchorIdentity,
): Promise<string | undefined> {
  const found = await cluster.find(CONFIG_MAPS, namespace, name);
  return found?.metadata.uid === uid ? found.data?.job : undefined;
}

async function rebuild(
  tools: Tools,
  { number, sha256 }: JobReference,
  { anchor, found }: { readonly anchor: AnchorIdentity; readonly found: string | undefined },
): Promise<ReadJob> {
  const source = await askForSource(tools, number);
  const built = buildJob(source);
  // Another version of the parser accepted it, and a worker of that version may still take the activity.
  if ('faults' in built) throw new Error(`the job cannot be built again: ${formatFaults(built.faults)}`);
  const text = JSON.stringify(built.job);
  const job = tools.jobs.set(sha256, text, built.job);
  // The anchor has only the newest revision.
  const isWrong = source.newest === source.revision && found !== undefined && found !== text;
  if (!isWrong) return { job };
  await patchAnchor(tools, anchor, revisionOnAnchor(job, text));
  return isLater(found, source.newest) ? { job } : { job, restored: restoredOn(anchor) };
}

/** Whether an amendment was written and then refused, because the job had started to run meanwhile. */
function isLater(text: string, newest: number): boolean {
  try {
    return (JSON.parse(text) as TrainingJob).revision === newest + 1;
  } catch {
    return false;
  }
}

const restoredOn = ({ name }: AnchorIdentity) =>
  `the job on ConfigMap ${name} was changed; the changed job was not used, and the right one is restored`;

const formatFaults = (faults: readonly Fault[]) => faults.map(formatFault).join('; ');
