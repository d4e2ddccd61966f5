import type { SignalboxClient } from '../../client/handles/client.ts';
import type { Phase } from '../../contracts/types.ts';
import { cellOf } from '../print/job-columns.ts';
import { formatTable } from '../print/table.ts';
import { listTop, TopFacts } from './read-top.ts';
import type { TopScope } from './run-top.ts';
import { keyOf, type TopJob, topColumns } from './top-job.ts';
import { sumsText, topSums } from './top-sums.ts';

/** What `top` prints without a terminal. */
interface TopOnce {
  /** RFC 3339. */
  readonly asOf: string;
  /** How many jobs match, also those beyond the limit. */
  readonly phases: Readonly<Partial<Record<Phase, number>>>;
  /** What live jobs request, by phase. */
  readonly gpus: Readonly<Partial<Record<Phase, number>>>;
  readonly jobs: readonly TopJob[];
}

/** Reads all that `top` shows of jobs once. */
export async function readOnce(client: SignalboxClient, { filter, limit }: TopScope): Promise<TopOnce> {
  const { jobs: listed, counts } = await listTop(client, filter, limit);
  const facts = new TopFacts(client);
  await facts.refresh(listed, new Set(listed.map(keyOf)));
  const jobs = facts.with(listed);
  const { phases, gpus } = topSums(jobs, counts);
  return { asOf: new Date().toISOString(), phases, gpus, jobs };
}

export async function onceText({ jobs, phases }: TopOnce, allNamespaces: boolean): Promise<string> {
  const sums = sumsText(topSums(jobs, phases)).filter(Boolean);
  if (jobs.length === 0) return sums.join('\n');
  const columns = topColumns(allNamespaces);
  const rows = jobs.map((job) => columns.map((column) => cellOf(column, job)));
  const table = await formatTable(
    columns.map(({ title }) => title),
    rows,
  );
  return [...sums, '', table].join('\n');
}
