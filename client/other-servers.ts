import type { ClusterClient } from '../cluster/client.ts';
import type { EvidenceSettings } from '../contracts/settings.ts';
import type { EvidenceStore } from '../evidence/store.ts';
import type { ClientSettings } from './client-settings.ts';

/** The servers that few requests need: each is loaded and connected with the first of them. */
export class OtherServers {
  readonly #settings: ClientSettings;
  #cluster: Promise<ClusterClient> | undefined;
  #evidence: Promise<EvidenceStore> | undefined;

  constructor(settings: ClientSettings) {
    this.#settings = settings;
  }

  cluster(): Promise<ClusterClient> {
    this.#cluster ??= connectCluster(this.#settings.cluster);
    return this.#cluster;
  }

  evidence(): Promise<EvidenceStore> {
    this.#evidence ??= openEvidence(this.#settings.evidence);
    return this.#evidence;
  }

  async close(): Promise<void> {
    (await this.#evidence?.catch(() => undefined))?.close();
    await (await this.#cluster?.catch(() => undefined))?.close();
  }
}

async function connectCluster(settings: ClientSettings['cluster']): Promise<ClusterClient> {
  const { ClusterClient } = await import('../cluster/client.ts');
  return ClusterClient.connect(settings);
}

async function openEvidence(settings: EvidenceSettings | undefined): Promise<EvidenceStore> {
  const [{ openEvidenceStore }, { defaultDirectory }] = await Promise.all([
    import('../evidence/open-store.ts'),
    import('../evidence/default-directory.ts'),
  ]);
  return openEvidenceStore(settings ?? { store: 'files', directory: defaultDirectory(process.env) });
}
