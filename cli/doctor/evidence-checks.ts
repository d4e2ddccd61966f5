import { openEvidenceStore } from '../../evidence/open-store.ts';
import type { Settings } from '../settings/settings.ts';
import type { Finding } from './finding.ts';
import { storeFinding } from './store-finding.ts';

/** Looks whether `signalbox evidence` can read what workers store. */
export const evidenceFinding = ({ jobs: { evidence } }: Settings): Promise<Finding> =>
  storeFinding(evidence, {
    area: 'evidence',
    settings: 'SIGNALBOX_EVIDENCE',
    page: 'docs/evidence.md',
    open: () => openEvidenceStore(evidence),
  });
