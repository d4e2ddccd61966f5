import { access, constants } from 'node:fs/promises';
import { errorMessage } from '../../contracts/error-message.ts';
import { openEvidenceStore } from '../../evidence/open-store.ts';
import type { Settings } from '../settings/settings.ts';
import { type Finding, findingsOf } from './finding.ts';

const { ok, warning } = findingsOf('evidence');

/** Looks whether `signalbox evidence` can read what workers store. */
export async function evidenceFinding({ jobs: { evidence } }: Settings): Promise<Finding> {
  return evidence.store === 'files' ? directoryFinding(evidence.directory) : bucketFinding(evidence);
}

/** Creates nothing, unlike the store itself. */
async function directoryFinding(directory: string): Promise<Finding> {
  try {
    await access(directory, constants.R_OK | constants.X_OK);
    return ok('store', directory);
  } catch (error) {
    const isMissing = (error as NodeJS.ErrnoException).code === 'ENOENT';
    const why = isMissing ? 'does not exist: no worker of this machine has used it' : errorMessage(error);
    return warning(
      'store',
      `${directory} ${why}`,
      'If workers run elsewhere, mount their directory here (SIGNALBOX_EVIDENCE_DIR) or let all use a bucket (docs/evidence.md).',
    );
  }
}

async function bucketFinding(evidence: Parameters<typeof openEvidenceStore>[0]): Promise<Finding> {
  const store = openEvidenceStore(evidence);
  try {
    await store.examine();
    return ok('store', store.place);
  } catch (error) {
    return warning(
      'store',
      `${store.place}: ${errorMessage(error)}`,
      'Check SIGNALBOX_EVIDENCE_BUCKET, _REGION, _ENDPOINT and the credentials.',
    );
  } finally {
    store.close();
  }
}
