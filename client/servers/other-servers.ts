import type { ClusterClient } from '../../cluster/client.ts';
import type { EvidenceSettings } from '../../contracts/settings.ts';
import type { EvidenceStore } from '../../evidence/store.ts';
import { MissingRequirementError } from '../errors/errors.ts';
import { isPackageMissing } from '../errors/missing-package.ts';
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

/** What the library for Kubernetes needs. The client's package installs neither it nor a Node for it. */
const OLDEST_NODE = 22;
const NEEDS = 'Logs and other requests to the cluster need';

async function connectCluster(settings: ClientSettings['cluster']): Promise<ClusterClient> {
  const { node } = process.versions;
  if (Number.parseInt(node, 10) < OLDEST_NODE) {
    const remedy = 'Run the program with a newer Node; requests to Temporal work with this one.';
    throw new MissingRequirementError(`${NEEDS} Node ${OLDEST_NODE} or later; this is ${node}.`, { remedy });
  }
  try {
    const { ClusterClient } = await import('../../cluster/client.ts');
    return await ClusterClient.connect(settings);
  } catch (error) {
    if (!isPackageMissing(error, KUBERNETES)) throw error;
    const remedy = `Install it: npm install ${KUBERNETES}`;
    throw new MissingRequirementError(`${NEEDS} the package ${KUBERNETES}.`, { cause: error, remedy });
  }
}

const KUBERNETES = '@kubernetes/client-node';

async function openEvidence(settings: EvidenceSettings | undefined): Promise<EvidenceStore> {
  const [{ openEvidenceStore }, { defaultDirectory }] = await Promise.all([
    import('../../evidence/open-store.ts'),
    import('../../evidence/default-directories.ts'),
  ]);
  return openEvidenceStore(settings ?? { store: 'files', directory: defaultDirectory(process.env) });
}
