import type { JobResult } from '../../../activities/archive/archive-batch.ts';
import type { ClosedJob } from '../../../activities/archive/closed-jobs.ts';
import { EndedJobs } from '../../../activities/archive/ended-jobs.ts';

const START = Date.parse('2026-11-23T10:00:00Z');
/** As many as `closedJobs` asks for at once. */
const PAGE = 500;

/** Jobs that close while a clock goes on, as visibility shows them, and an archiver that looks for them. */
export class Visibility {
  /** Of the clocks: Temporal's, and one of the worker that does not jump. */
  ms = 0;
  listed = 0;
  pages = 0;
  readonly archived: string[] = [];
  readonly #jobs: { readonly job: ClosedJob; readonly shownAt: number }[] = [];

  now = (): number => START + this.ms;
  at = (ms: number): string => new Date(START + ms).toISOString();
  newMemory = (): EndedJobs => new EndedJobs(() => this.ms);

  /** A job closes now; visibility shows it later. */
  close(runId: string, { shownAfterMs = 0, closed = this.at(this.ms) } = {}): void {
    const job = { runId, closed, workflowId: runId } as ClosedJob;
    this.#jobs.push({ job, shownAt: this.ms + shownAfterMs });
  }

  list = async (since?: string): Promise<ClosedJob[]> => {
    const found = this.#jobs.filter(
      ({ job, shownAt }) => shownAt <= this.ms && (since === undefined || job.closed >= since),
    );
    this.listed += found.length;
    this.pages += Math.max(1, Math.ceil(found.length / PAGE));
    return found.map(({ job }) => job);
  };

  /** One round; `resultOf` says what becomes of a job. Returns the runs that were taken up. */
  async look(
    jobs: EndedJobs,
    {
      isFull = false,
      resultOf = () => 'written',
    }: { isFull?: boolean; resultOf?: (job: ClosedJob) => JobResult['is'] } = {},
  ): Promise<string[]> {
    const taken = await jobs.next({ list: this.list, isFull, now: this.now() });
    for (const job of taken) {
      const is = resultOf(job);
      if (is === 'written') this.archived.push(job.runId);
      jobs.take({ job, is, why: 'a test' } as JobResult);
    }
    jobs.rest();
    return taken.map(({ runId }) => runId);
  }
}
