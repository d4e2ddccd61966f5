import type { ParentJob } from '../../../contracts/parent-job.ts';
import { type RecordedSource, recordedSource } from '../../../record/compare/recorded-source.ts';
import { firstRunIdOf } from '../../../temporal/find-workflow.ts';
import { decodePayloads } from '../../../temporal/payloads.ts';
import { readRunChain } from '../../../temporal/run-chain.ts';
import { ask } from '../../servers/ask.ts';
import type { CallOptions } from '../../servers/client-settings.ts';
import type { JobId } from '../../servers/job-id.ts';
import type { TemporalPort } from '../../servers/ports.ts';
import { summaryOf } from '../../servers/summary.ts';
import type { RerunSource } from './rerun-manifest.ts';

/** Reads a job as Temporal has it on record; needs no worker. `runId`: any run of it; default: the last one. */
export function readRerunSource(
  ports: TemporalPort,
  { workflowId, runId }: Pick<JobId, 'workflowId' | 'runId'>,
  options: CallOptions,
): Promise<RerunSource> {
  const { temporal } = ports;
  return ask({ ports, workflowId, options }, async () => {
    const described = await temporal.workflow.getHandle(workflowId, runId).describe();
    const { name, namespace } = summaryOf(described);
    const { runs } = await readRunChain(temporal, { workflowId, runId: described.runId });
    const source = await recordedSource(
      runs.map(({ history }) => history),
      (payloads) => decodePayloads(temporal.options.loadedDataConverter, payloads),
    );
    const parent: ParentJob = { workflowId, runId: firstRunIdOf(described) };
    return { parent, name, namespace: source.settings?.namespace ?? namespace, source };
  });
}

/** Returns the manifest as submitted, and what amendments changed. */
export const readJobSource = async (
  ports: TemporalPort,
  job: JobId,
  options: CallOptions,
): Promise<RecordedSource> => (await readRerunSource(ports, job, options)).source;
