import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { JobRevision } from '../../contracts/job-revision.ts';
import { ANNOTATIONS } from '../../contracts/labels.ts';
import type { TrainingJob } from '../../contracts/training-job.ts';

/** Characters of JSON in memory; parsed, they take about four times as many bytes. */
const MOST_CHARACTERS = 16 * 1024 * 1024;

/** The jobs that a worker has in memory, by the SHA-256 of their JSON. Activities share them, so they are frozen. */
export class JobCache {
  readonly #jobs = new LRUCache<string, { readonly job: TrainingJob; readonly text: string }>({
    maxSize: MOST_CHARACTERS,
    sizeCalculation: ({ text }) => text.length,
  });

  get(sha256: string): TrainingJob | undefined {
    return this.#jobs.get(sha256)?.job;
  }

  set(sha256: string, text: string, job: TrainingJob): TrainingJob {
    this.#jobs.set(sha256, { job: deepFreeze(job), text });
    return job;
  }

  /** Adds a new revision of a job. Returns what identifies it, and its JSON for the anchor. */
  add(job: TrainingJob): { readonly revision: JobRevision; readonly text: string } {
    const text = JSON.stringify(job);
    const sha256 = sha256Of(text);
    this.set(sha256, text, job);
    return { revision: revisionOf(job, sha256), text };
  }
}

export const sha256Of = (text: string) => createHash('sha256').update(text).digest('hex');

const revisionOf = (job: TrainingJob, sha256: string): JobRevision => {
  const { revision: number = 1, annotations, warnings } = job;
  return { number, sha256, ...(number > 1 ? { policy: annotations[ANNOTATIONS.policy] } : {}), warnings };
};

function deepFreeze<T>(value: T): T {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value;
  Object.values(value).forEach(deepFreeze);
  return Object.freeze(value);
}
