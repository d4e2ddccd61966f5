import { openEvidenceStore } from '../../evidence/open-store.ts';
import type { Settings } from '../settings/settings.ts';
import type { Account } from './account.ts';
import type { Finding } from './finding.ts';
import { storeFinding } from './store-finding.ts';

/** Looks whether `signalbox evidence` can read what workers store, and whether a worker could write it. */
export const evidenceFinding = ({ jobs: { evidence } }: Settings, account: Account): Promise<Finding> =>
  storeFinding(evidence, {
    area: 'evidence',
    settings: 'SIGNALBOX_EVIDENCE',
    page: 'docs/evidence.md',
    account,
    open: () => {
      const store = openEvidenceStore(evidence);
      return {
        location: store.location,
        examine: () => store.examine(),
        read: async () => void (await store.list(NOBODY)),
        close: () => store.close(),
      };
    },
  });

/** A folder without records, so that the listing is short. */
const NOBODY = 'nobody';
