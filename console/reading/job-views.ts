import type { JobNotFoundError } from '../../client/errors/errors.ts';
import type { SignalboxClient } from '../../client/handles/client.ts';
import type { JobSummary } from '../../client/servers/summary.ts';
import type { JobPlace } from '../../contracts/console-address.ts';
import { isFinal } from '../../contracts/status.ts';
import type { Explanation, JobSteps, WhyAnswer } from '../../contracts/types.ts';
import { errorCode } from '../../language/error-code.ts';
import { plotCharts } from '../../record/report/charts/plot-charts.ts';
import type { HtmlPage } from '../../record/report/page/document.ts';
import { reportPartsOf } from '../../record/report/report.ts';
import type { ReportData } from '../../record/report/report-data.ts';
import { ProblemError } from '../http/problem-error.ts';
import { type FoundJob, JobFromArchive } from './job-from-archive.ts';
import { Kept, type KeptValue } from './kept.ts';
import { PAGE_ANSWER_MS, type Servers } from './servers.ts';

/** What the page of a job shows. */
export interface ViewedJob {
  readonly place: JobPlace;
  /** Temporal no longer has it. */
  readonly isArchived: boolean;
  readonly summary: JobSummary;
  readonly data: ReportData;
  /** The report, rendered. */
  readonly report: HtmlPage;
  readonly explanation: Explanation;
  /** The number of its last ledger entry. */
  readonly seq: number;
}

/** A report of 1,000 pods takes half a second (docs/history.md). */
const FRESH_MS = 1_000;
const WHY_FRESH_MS = 5_000;
const MOST = 200;
const WAIT_MS = 1_500;

/** Jobs, each read and rendered once for all who look at it. */
export class JobViews {
  readonly #servers: Servers;
  readonly #views = new Kept<ViewedJob>({
    read: { server: 'temporal', what: 'job' },
    freshMs: FRESH_MS,
    most: MOST,
  });
  readonly #answers = new Kept<WhyAnswer>({
    read: { server: 'cluster', what: 'why' },
    freshMs: WHY_FRESH_MS,
    most: MOST,
  });
  readonly #steps = new Kept<JobSteps | undefined>({
    read: { server: 'cluster', what: 'logs' },
    freshMs: WHY_FRESH_MS,
    most: MOST,
  });

  readonly #dataConverter: string | undefined;

  constructor(servers: Servers, { dataConverter }: { readonly dataConverter?: string | undefined }) {
    this.#servers = servers;
    this.#dataConverter = dataConverter;
  }

  /** Throws `JobNotFoundError`, also for a job that has another namespace than its address says. */
  read(place: JobPlace): Promise<KeptValue<ViewedJob>> {
    return this.#views.get(keyOf(place), async () => {
      const job = await this.find(place);
      const [summary, data, explanation] = await Promise.all([job.summary(), job.report(), job.why()]);
      refuseOther(place, summary);
      const steps = summary.phase === 'Running' ? await this.#stepsOf(summary) : undefined;
      const report = reportPartsOf({ ...data, ...(steps ? { steps } : {}) }, plotCharts());
      const isArchived = job instanceof JobFromArchive;
      const seq = data.entries.at(-1)?.seq ?? 0;
      return { place, isArchived, summary, data, report, explanation, seq };
    });
  }

  /** What its log tells of steps, unless that takes too long. */
  async #stepsOf(summary: JobSummary): Promise<JobSteps | undefined> {
    const read = async () => {
      const signs = await (await this.#servers.client()).logSigns([summary]);
      return signs.get(summary.workflowId)?.steps;
    };
    return this.#steps.getWithin(WAIT_MS, summary.workflowId, read);
  }

  /** What `why` says; undefined of an ended job, and if it takes longer than people wait for a page. */
  async why({ place, data }: ViewedJob): Promise<WhyAnswer | undefined> {
    if (isFinal(data.status.phase)) return undefined;
    const read = async () => {
      const job = await this.find(place);
      if (job instanceof JobFromArchive) throw new ProblemError(404, 'It has ended.');
      return job.whyWaiting();
    };
    return this.#answers.getWithin(WAIT_MS, keyOf(place), read);
  }

  /** Also in the archive, if Temporal no longer has it. `person`: who asks something of the job. */
  async find(place: JobPlace, person?: string): Promise<FoundJob> {
    const { namespace, name, run } = place;
    const all = await this.#servers.client();
    const client = person === undefined ? all : all.as(person);
    try {
      return await client.find({ namespace, name, run }, { timeout: PAGE_ANSWER_MS });
    } catch (error) {
      if (errorCode(error) !== 'JobNotFound') throw error;
      return this.#archived(place, client, error as JobNotFoundError);
    }
  }

  async #archived(
    { namespace, name, run }: JobPlace,
    client: SignalboxClient,
    missing: JobNotFoundError,
  ): Promise<JobFromArchive> {
    const archive = await this.#servers.archive();
    if (!archive) throw missing;
    const wanted = { namespace, name, ...(run === undefined ? {} : { run }), live: missing.known };
    const around = { archive, client, dataConverter: this.#dataConverter };
    return JobFromArchive.find(wanted, around).catch((error: unknown) => {
      throw errorCode(error) === 'JobNotFound' ? missing : error;
    });
  }

  /** Something has changed: the next one who asks gets it. */
  expire(place: JobPlace): void {
    this.#views.expire(keyOf(place));
    this.#answers.expire(keyOf(place));
  }
}

const keyOf = (place: JobPlace) => JSON.stringify([place.namespace, place.name, place.run]);

/** Rights are those in the namespace of the address. */
export function refuseOther(
  { namespace, name }: JobPlace,
  summary: Pick<JobSummary, 'namespace' | 'name'>,
): void {
  if (summary.namespace !== namespace || summary.name !== name)
    throw new ProblemError(404, `There is no job ${namespace}/${name}.`);
}
