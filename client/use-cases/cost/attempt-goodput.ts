import type { Client } from '@temporalio/client';
import { wholeLedger } from '../../../record/ledger/whole-ledger.ts';
import { jobUsesOf } from '../../../record/uses/job-uses.ts';
import { type PartOfWhole, sumsByResource } from '../../../record/uses/use-sums.ts';
import { readRunChain } from '../../../temporal/run-chain.ts';
import type { LedgerReplay } from '../observe/ledger.ts';

/** What part of the time of its devices an attempt used productively. */
export interface AttemptGoodput extends PartOfWhole {
  /** Of the devices that it had most of, accelerators first. */
  readonly resource: string;
}

/** Returns the goodput of each attempt of a job, by number, as its histories have it now. Asks no worker. */
export async function attemptGoodput(
  client: Client,
  job: { readonly workflowId: string; readonly runId: string },
  { replay, until }: { readonly replay: LedgerReplay; readonly until: number },
): Promise<ReadonlyMap<number, AttemptGoodput>> {
  const { runs } = await readRunChain(client, job);
  const histories = runs.map(({ history }) => history);
  const replayed = await replay({ workflowId: job.workflowId, runs: histories });
  const { uses } = jobUsesOf(await wholeLedger(client, replayed, histories), { until });
  const found = [...Map.groupBy(uses, ({ attempt }) => attempt)].map(([attempt, own]) => {
    const [sums] = sumsByResource(own);
    return [attempt, { resource: sums!.resource, ...sums!.goodput }] as const;
  });
  return new Map(found);
}
