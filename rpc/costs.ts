import { groupedCost } from '../client/use-cases/cost/grouped-cost.ts';
import { archivedCost, jobCost } from '../client/use-cases/cost/job-cost.ts';
import type { RecordSources } from '../client/use-cases/cost/jobs-of-period.ts';
import { periodReport } from '../client/use-cases/report/period-report.ts';
import type { RpcAnswer } from '../contracts/rpc.ts';
import type { RpcArguments } from '../contracts/schemas/rpc.ts';
import type { UseGroup } from '../record/uses/grouped-uses.ts';
import { namedArchive } from './archived-jobs.ts';
import { foundJob } from './find-job.ts';
import { pagedAnswer, wholeAnswer } from './paging.ts';
import type { Answers, RpcCall } from './rpc-call.ts';

/** Answers about what jobs held, and what it cost. */
export const costAnswers = {
  async cost(call, { job, prices }) {
    const { ports, signal } = call;
    const cost = await jobCost(ports, await foundJob(call, job), { prices, signal });
    return wholeAnswer(cost, `signalbox cost --workflow-id ${job.workflowId} -o json`);
  },
  async 'archive.cost'(call, { prices, ...job }) {
    const cost = await archivedCost(await namedArchive(call, job), { prices });
    return wholeAnswer(cost, `signalbox cost --workflow-id ${job.workflowId} --archived -o json`);
  },
  async costBy(call, { by, ...period }) {
    const unreadable: string[] = [];
    const groups = await groupedCost(sourcesOf(call), { ...chosen(period, unreadable), by });
    const keyOf = (group: UseGroup) => JSON.stringify(group.by);
    const command = `signalbox cost --by ${by.join(',')} -o json`;
    return withUnreadable(await pagedAnswer(groups, { cursor: call.cursor, keyOf, command }), unreadable);
  },
  async report(call, period) {
    // It says itself what could not be read.
    const report = await periodReport(sourcesOf(call), chosen(period, []));
    return wholeAnswer(report, 'signalbox report --since 30d -o json');
  },
} satisfies Partial<Answers>;

/** What this worker can read: of an archive that installations share, only the jobs of its Temporal namespace. */
const sourcesOf = ({ ports, sharedArchive }: RpcCall): RecordSources => ({
  ports,
  archive: sharedArchive,
  temporalNamespace: ports.temporal.options.namespace,
});

const chosen = ({ since, until, ...more }: RpcArguments<'report'>, unreadable: string[]) => ({
  ...more,
  since: since === undefined ? undefined : new Date(since),
  until: until === undefined ? undefined : new Date(until),
  onWarning: (message: string) => void unreadable.push(message),
});

const withUnreadable = (answer: RpcAnswer, unreadable: readonly string[]): RpcAnswer =>
  unreadable.length > 0 ? { ...answer, unreadable } : answer;
