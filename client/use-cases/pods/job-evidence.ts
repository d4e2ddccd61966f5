import type { EvidenceRecord } from '../../../contracts/types.ts';
import type { JobId } from '../../servers/job-id.ts';
import type { ClientPorts } from '../../servers/ports.ts';
import { readStatus } from '../observe/job-status.ts';
import { namedJob } from '../observe/recorded-job.ts';
import { crashEvidence, withCrashes } from './crash-evidence.ts';
import { type EvidenceChoice, readEvidence } from './evidence.ts';
import { withSweptEvidence } from './swept-evidence.ts';

/** Yields evidence of the job's failed pods, newest first; before them, pods whose containers are restarted in place. */
export async function* jobEvidence(
  ports: ClientPorts,
  job: JobId,
  choice: EvidenceChoice,
): AsyncGenerator<EvidenceRecord> {
  const { cluster } = ports;
  const named = () => namedJob(ports, job, {});
  const firstRunId = async () => (await named()).firstRunId;
  const status = await withSweptEvidence(await readStatus(ports, job, {}), cluster, named);
  const crashes = await crashEvidence(status, choice, { cluster, firstRunId });
  yield* withCrashes(crashes, readEvidence(await ports.evidence(), status, choice));
}
