import type { JobHandle } from '../../client/handles/job-handle.ts';
import type { JobSummary } from '../../client/servers/summary.ts';
import { isFinal } from '../../contracts/status.ts';
import type { Explanation, WhyAnswer } from '../../contracts/types.ts';
import { plotCharts } from '../../record/report/charts/plot-charts.ts';
import type { HtmlPage } from '../../record/report/page/document.ts';
import { reportPartsOf } from '../../record/report/report.ts';
import type { ReportData } from '../../record/report/report-data.ts';
import { ProblemError } from '../http/problem-error.ts';
import { Kept, type KeptValue } from './kept.ts';
import { PAGE_ANSWER_MS, type Servers } from './servers.ts';

/** Which job an address means: by name, and by run where there were several. */
export interface JobPlace {
  readonly namespace: string;
  readonly name: string;
  readonly run?: string;
}

/** What the page of a job shows. */
export interface ViewedJob {
  readonly place: JobPlace;
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

  constructor(servers: Servers) {
    this.#servers = servers;
  }

  /** Throws `JobNotFoundError`, also for a job that has another namespace than its address says. */
  read(place: JobPlace): Promise<KeptValue<ViewedJob>> {
    return this.#views.get(keyOf(place), async () => {
      const job = await this.find(place);
      const [summary, data, explanation] = await Promise.all([job.summary(), job.report(), job.why()]);
      refuseOther(place, summary);
      const report = reportPartsOf(data, plotCharts());
      return { place, summary, data, report, explanation, seq: data.entries.at(-1)?.seq ?? 0 };
    });
  }

  /** What `why` says; undefined of an ended job, and if it takes longer than people wait for a page. */
  async why({ place, data }: ViewedJob): Promise<WhyAnswer | undefined> {
    if (isFinal(data.status.phase)) return undefined;
    const read = async () => (await this.find(place)).whyWaiting();
    return this.#answers.getWithin(WAIT_MS, keyOf(place), read);
  }

  /** `person`: who asks something of the job. */
  async find({ namespace, name, run }: JobPlace, person?: string): Promise<JobHandle> {
    const client = await this.#servers.client();
    const asking = person === undefined ? client : client.as(person);
    return asking.find({ namespace, name, run }, { timeout: PAGE_ANSWER_MS });
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
