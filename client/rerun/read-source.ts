import type { ParentJob } from '../../contracts/parent-job.ts';
import { recordedSource } from '../../record/compare/recorded-source.ts';
import { firstRunIdOf } from '../../temporal/find-workflow.ts';
import { decodePayloads } from '../../temporal/payloads.ts';
import { readRunChain } from '../../temporal/run-chain.ts';
import type { CallOptions } from '../client-settings.ts';
import type { HandleContext } from '../job-run.ts';
import { retryWhileAway } from '../retry-while-away.ts';
import { summaryOf } from '../summary.ts';
import { toClientError } from '../temporal-errors.ts';
import type { RerunSource } from './rerun-manifest.ts';

/** Reads a job as Temporal has it on record; needs no worker. `runId`: any run of it; default: the last one. */
export async function readRerunSource(
  { temporal, temporalAddress: address }: Pick<HandleContext, 'temporal' | 'temporalAddress'>,
  run: { readonly workflowId: string; readonly runId?: string },
  options: CallOptions,
): Promise<RerunSource> {
  const { workflowId, runId } = run;
  const read = async (): Promise<RerunSource> => {
    const described = await temporal.workflow.getHandle(workflowId, runId).describe();
    const { name, namespace } = summaryOf(described);
    const { runs } = await readRunChain(temporal, { workflowId, runId: described.runId });
    const decode = (payloads: Parameters<typeof decodePayloads>[1]) =>
      decodePayloads(temporal.options.loadedDataConverter, payloads);
    const source = await recordedSource(
      runs.map(({ history }) => history),
      decode,
    );
    const parent: ParentJob = { workflowId, runId: firstRunIdOf(described) };
    return { parent, name, namespace: source.settings?.namespace ?? namespace, source };
  };
  try {
    return await retryWhileAway(temporal, options, read);
  } catch (error) {
    throw toClientError(error, { workflowId, address });
  }
}
