import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';
import type { ClusterClient } from '../../cluster/client.ts';
import { isNotFound } from '../../cluster/errors.ts';
import { KUBE_BATCH_POD_GROUPS, type KubeObject, type Resource } from '../../contracts/kubernetes.ts';
import { eventually } from '../eventually.ts';

const DEFINITIONS: Resource<Definition> = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  plural: 'customresourcedefinitions',
  namespaced: false,
};

interface Definition extends KubeObject {
  readonly spec: {
    readonly versions: readonly (Readonly<Record<string, unknown>> & { readonly name: string })[];
    readonly [field: string]: unknown;
  };
}

const FILE = fileURLToPath(new URL('./kube-batch-pod-group.yaml', import.meta.url));

/**
 * The definition of kube-batch's PodGroup, whose scheduler runs nowhere: scenarios take it away and bring it back
 * without a harm to others.
 */
export class GroupDefinition {
  readonly #cluster: ClusterClient;
  readonly #definition: Definition;
  /** It was there before. */
  readonly #wasThere: boolean;

  private constructor(cluster: ClusterClient, definition: Definition, wasThere: boolean) {
    this.#cluster = cluster;
    this.#definition = definition;
    this.#wasThere = wasThere;
  }

  static async open(cluster: ClusterClient): Promise<GroupDefinition> {
    const written = parse(await readFile(FILE, 'utf8')) as Definition;
    const existing = await cluster.find(DEFINITIONS, undefined, written.metadata.name);
    const labels = existing?.metadata.labels;
    const definition = { ...written, metadata: { ...written.metadata, labels } };
    return new GroupDefinition(cluster, definition, existing !== undefined);
  }

  /** As at the beginning. */
  async close(): Promise<void> {
    await this.remove();
    if (this.#wasThere) await this.install();
  }

  install = () => this.#install(this.#definition);

  /** Groups are kept in a version that nobody can convert from: whoever lists them gets an error. */
  async installBroken(namespace: string): Promise<void> {
    const [served] = this.#definition.spec.versions;
    const stored = { ...served!, name: 'v1beta1' };
    const clientConfig = { url: 'https://127.0.0.1:1/convert' };
    await this.#install({
      ...this.#definition,
      spec: {
        ...this.#definition.spec,
        versions: [{ ...served!, storage: false }, stored],
        conversion: { strategy: 'Webhook', webhook: { clientConfig, conversionReviewVersions: ['v1'] } },
      },
    });
    const apiVersion = 'scheduling.incubator.k8s.io/v1beta1';
    const metadata = { name: 'old', namespace, labels: { 'signalbox.dev/job': 'old' } };
    await eventually('a group can be stored', () =>
      this.#cluster.create(
        { ...KUBE_BATCH_POD_GROUPS, apiVersion },
        { apiVersion, kind: 'PodGroup', metadata },
      ),
    );
  }

  async remove(): Promise<void> {
    const { name } = this.#definition.metadata;
    // A definition whose objects cannot be converted would wait for them for ever.
    const conversion = { strategy: 'None', webhook: null };
    await this.#cluster.patch(DEFINITIONS, { name }, { spec: { conversion } }).catch(unlessGone);
    await this.#cluster.delete(DEFINITIONS, undefined, name).catch(unlessGone);
    await eventually('the definition is gone', async () => {
      const isLeft = await this.#cluster.find(DEFINITIONS, undefined, name);
      return !isLeft && !(await this.#cluster.serves(KUBE_BATCH_POD_GROUPS));
    });
  }

  async #install(definition: Definition): Promise<void> {
    await this.remove();
    await this.#cluster.create(DEFINITIONS, definition);
    await eventually('the API is served', () => this.#cluster.serves(KUBE_BATCH_POD_GROUPS));
  }
}

function unlessGone(error: unknown): void {
  if (!isNotFound(error)) throw error;
}
