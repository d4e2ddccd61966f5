import type { ArchiveStore } from '../../../record/archive/archive-store.ts';
import { parseVerifierKeys } from '../../../record/log/verifier-key.ts';
import { keptCheckpoint } from '../../../record/verify/kept-checkpoint.ts';
import type { StoreFinding } from '../../../record/verify/verification.ts';
import { verifyJob } from '../../../record/verify/verify-job.ts';
import { verifyStore } from '../../../record/verify/verify-store.ts';
import type {
  JobVerification,
  StoreVerification,
  VerifyOptions,
  VerifyStoreOptions,
} from './verification.ts';

export async function verifyOneArchive(
  store: ArchiveStore,
  folder: string,
  { publicKey }: VerifyOptions,
): Promise<JobVerification> {
  const { findings, find } = collecting();
  const keys = parseVerifierKeys(publicKey);
  const { files } = await verifyJob(store, folder, { keys, find });
  return { isIntact: findings.length === 0, files, findings };
}

export async function verifyWholeArchive(
  store: ArchiveStore,
  { publicKey, checkpoint }: VerifyStoreOptions,
): Promise<StoreVerification> {
  const { findings, find } = collecting();
  const keys = parseVerifierKeys(publicKey);
  const kept =
    checkpoint === undefined
      ? []
      : [keptCheckpoint(Buffer.from(checkpoint), { location: 'checkpoint', keys })];
  const { archives, files, newest } = await verifyStore({ store, keys, kept, find });
  findings.sort((one, other) => (one.key < other.key ? -1 : 1));
  return {
    ...{ isIntact: findings.length === 0, archives, files, findings },
    ...(newest ? { checkpoint: Buffer.from(newest.bytes).toString() } : {}),
  };
}

function collecting() {
  const findings: StoreFinding[] = [];
  return { findings, find: (finding: StoreFinding) => void findings.push(finding) };
}
