import type { EvidenceRecord } from '../../../contracts/types.ts';
import type { JobId } from '../../servers/job-id.ts';
import type { ClientPorts } from '../../servers/ports.ts';
import { waitForOutcome } from '../observe/follow-job.ts';
import { namedJob } from '../observe/recorded-job.ts';
import { jobEvidence } from './job-evidence.ts';
import type { JobLogLine, JobLogOptions } from './log-options.ts';
import { readLogs } from './logs.ts';

/** Yields lines of the job's log. If its pods are gone, those that its evidence has. */
export async function* jobLogs(
  ports: ClientPorts,
  job: JobId,
  options: JobLogOptions,
): AsyncGenerator<JobLogLine> {
  const { name, namespace, phase, firstRunId } = await namedJob(ports, job, options);
  const ended = new AbortController();
  const signal = AbortSignal.any([ended.signal, ...(options.signal ? [options.signal] : [])]);
  const { pod } = options;
  const evidence = (): AsyncGenerator<EvidenceRecord> => jobEvidence(ports, job, { pod });
  const end = () => waitForOutcome(ports, job, { signal });
  try {
    yield* readLogs(await ports.cluster(), { name, namespace, phase, firstRunId, end, evidence }, options);
  } finally {
    ended.abort();
  }
}
