import { matchesFilter } from '../../../contracts/filters.ts';
import { ATTRIBUTE_NAMES } from '../../../contracts/search-attribute-names.ts';
import type { Phase } from '../../../contracts/types.ts';
import { anyClause, quotedList } from '../../../contracts/visibility-query.ts';
import { workflowsPage } from '../../../temporal/list-workflows.ts';
import { RefusedError } from '../../errors/errors.ts';
import { ask } from '../../servers/ask.ts';
import type { CallOptions } from '../../servers/client-settings.ts';
import type { TemporalPort } from '../../servers/ports.ts';
import { type JobSummary, summaryOf } from '../../servers/summary.ts';
import { isAboutSearchAttributes } from '../../servers/temporal-errors.ts';
import { exactFilter } from './exact-filter.ts';
import type { JobFilter } from './job-filter.ts';
import { countByPhase } from './list-jobs.ts';
import { OF_JOBS, queryFor } from './visibility-query.ts';

/** Which jobs a page shows, and which page. */
export interface PageChoice {
  readonly filter: JobFilter;
  /** Only jobs of these namespaces; default: of all. */
  readonly namespaces?: readonly string[];
  readonly size: number;
  /** `next` of the page before; default: the first page. */
  readonly after?: string;
}

export interface PageOfJobs {
  /** Live ones first, newest first in each group. */
  readonly jobs: readonly JobSummary[];
  /** Chooses the next page; absent on the last one. */
  readonly next?: string;
}

/** Returns a page of a list, which costs the same however many pages come before it. */
export const pageOfJobs = (
  ports: TemporalPort,
  choice: PageChoice,
  options: CallOptions,
): Promise<PageOfJobs> =>
  ask({ ports, workflowId: '', options }, async () => {
    const exact = await exactFilter(choice.filter);
    const asked = {
      pageSize: choice.size,
      next: choice.after === undefined ? undefined : tokenOf(choice.after),
    };
    const query = [queryFor(exact), ...clausesOf(choice.namespaces)].join(' AND ');
    const { workflows, next } = await workflowsPage(ports.temporal, { ...asked, query }).catch((error) => {
      if (!isAboutSearchAttributes(error)) throw error;
      return workflowsPage(ports.temporal, { ...asked, query: OF_JOBS });
    });
    const jobs = workflows.map(summaryOf).filter((job) => matchesFilter(job, exact) && isOf(choice, job));
    return { jobs, ...(next ? { next: Buffer.from(next).toString('base64url') } : {}) };
  });

/** Counts jobs by phase, as `client.count`, of some namespaces. */
export const countsOfJobs = (
  ports: TemporalPort,
  { filter, namespaces }: Pick<PageChoice, 'filter' | 'namespaces'>,
  options: CallOptions,
): Promise<Readonly<Partial<Record<Phase, number>>>> =>
  ask({ ports, workflowId: '', options }, async () => {
    try {
      return await countByPhase(ports.temporal, await exactFilter(filter), clausesOf(namespaces));
    } catch (error) {
      // The first worker registers the search attributes: before it there is nothing to count.
      if (isAboutSearchAttributes(error)) return {};
      throw error;
    }
  });

const clausesOf = (namespaces: readonly string[] | undefined): readonly string[] =>
  namespaces === undefined
    ? []
    : [
        namespaces.length === 0
          ? NONE
          : anyClause([`${ATTRIBUTE_NAMES.namespace} IN (${quotedList(namespaces)})`]),
      ];

/** No workflow has started before. */
const NONE = "StartTime < '2000-01-01T00:00:00Z'";

const isOf = ({ namespaces }: PageChoice, { namespace }: JobSummary) =>
  namespaces?.includes(namespace) ?? true;

function tokenOf(text: string): Uint8Array {
  if (/^[\w-]{1,4096}$/.test(text)) return Buffer.from(text, 'base64url');
  throw new RefusedError('after: expected what the page before named, got something else.');
}
