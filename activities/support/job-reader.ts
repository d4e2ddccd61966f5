import { createHash } from 'node:crypto';
import { Context } from '@temporalio/activity';
import { LRUCache } from 'lru-cache';
import type { Fault } from '../../contracts/faults.ts';
import type { JobReference, JobRevision, SourceAnswer } from '../../contracts/job-revision.ts';
import { CONFIG_MAPS } from '../../contracts/kubernetes.ts';
import { ANNOTATIONS, anchorNameOf } from '../../contracts/labels.ts';
import { SOURCE_QUERY } from '../../contracts/messages.ts';
import type { TrainingJob } from '../../contracts/training-job.ts';
import { formatFault } from '../../frameworks/manifest/faults.ts';
import { buildJob } from '../../frameworks/policy/build-job.ts';
import { type AnchorIdentity, patchAnchor } from '../anchors/anchor-writes.ts';
import type { Dependencies } from './dependencies.ts';

/** Characters of JSON in memory; parsed, they take about four times as many bytes. */
const MOST_CHARACTERS = 16 * 1024 * 1024;

/** A job, and what people are to be told about where it came from. */
export interface ReadJob {
  readonly job: TrainingJob;
  /** The anchor held something else, and holds this job again. */
  readonly restored?: string;
}

type Tools = Pick<Dependencies, 'cluster' | 'temporal'>;

/**
 * Reads the revision of a job that an activity names: from memory, or from the anchor. Everybody with access to the
 * namespace can change an anchor, so that content counts only if its hash is the revision's. Otherwise the job is built
 * again from what its workflow has.
 */
export class JobReader {
  readonly #known = new LRUCache<string, { readonly job: TrainingJob; readonly text: string }>({
    maxSize: MOST_CHARACTERS,
    sizeCalculation: ({ text }) => text.length,
  });

  /** Keeps a job in memory. Returns its revision, and the text for the anchor. */
  remember(job: TrainingJob): { readonly revision: JobRevision; readonly text: string } {
    const text = JSON.stringify(job);
    const sha256 = hashOf(text);
    this.#keep(sha256, text, job);
    return { revision: revisionOf(job, sha256), text };
  }

  async read(tools: Tools, reference: JobReference & { readonly anchorUid: string }): Promise<ReadJob> {
    const { sha256, namespace, name, anchorUid } = reference;
    const known = this.#known.get(sha256);
    if (known) return { job: known.job };
    const anchor = { namespace, name: anchorNameOf(name), uid: anchorUid };
    const text = await textOn(tools, anchor);
    if (text !== undefined && hashOf(text) === sha256) {
      return { job: this.#keep(sha256, text, JSON.parse(text) as TrainingJob) };
    }
    return this.#rebuild(tools, reference, { anchor, text });
  }

  async #rebuild(
    tools: Tools,
    { number, sha256 }: JobReference,
    { anchor, text: found }: { readonly anchor: AnchorIdentity; readonly text: string | undefined },
  ): Promise<ReadJob> {
    const source = await askWorkflow(tools, number);
    const built = buildJob(source);
    // Another version of the parser accepted it, and a worker of that version may still take the activity.
    if ('faults' in built) throw new Error(`the job cannot be built again: ${formatFaults(built.faults)}`);
    const text = JSON.stringify(built.job);
    const job = this.#keep(sha256, text, built.job);
    // Of an older revision the anchor has nothing any more.
    const isWrong = source.newest === source.revision && found !== undefined && found !== text;
    if (!isWrong) return { job };
    await patchAnchor(tools, anchor, { data: { job: text } });
    return isLater(found, source.newest) ? { job } : { job, restored: restoredOn(anchor) };
  }

  #keep(sha256: string, text: string, job: TrainingJob): TrainingJob {
    this.#known.set(sha256, { job: deepFreeze(job), text });
    return job;
  }
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
  `somebody changed the job on ConfigMap ${name}; the changed job was not used, and the right one is restored`;

const formatFaults = (faults: readonly Fault[]) => faults.map(formatFault).join('; ');

/** Asks the workflow that runs this activity. */
export function askWorkflow({ temporal }: Pick<Tools, 'temporal'>, number?: number): Promise<SourceAnswer> {
  const { workflowId, runId } = Context.current().info.workflowExecution!;
  return temporal.workflow.getHandle(workflowId, runId).query<SourceAnswer, [number?]>(SOURCE_QUERY, number);
}

/** Returns undefined if the anchor is gone, belongs to another job, or holds no job. */
async function textOn(
  { cluster }: Tools,
  { namespace, name, uid }: AnchorIdentity,
): Promise<string | undefined> {
  const found = await cluster.find(CONFIG_MAPS, namespace, name);
  return found?.metadata.uid === uid ? found.data?.job : undefined;
}

const revisionOf = (job: TrainingJob, sha256: string): JobRevision => {
  const { revision: number = 1, annotations, warnings } = job;
  return { number, sha256, ...(number > 1 ? { policy: annotations[ANNOTATIONS.policy] } : {}), warnings };
};

const hashOf = (text: string) => createHash('sha256').update(text).digest('hex');

/** Activities share the jobs in memory. */
function deepFreeze<T>(value: T): T {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value;
  Object.values(value).forEach(deepFreeze);
  return Object.freeze(value);
}
