import { setTimeout as delay } from 'node:timers/promises';
import { SandboxError } from '@signalbox/sandbox';
import { KINDS_WITH_VERSIONS } from '../../bridge/job-kinds.ts';
import {
  customResourceDefinitions,
  definitionsBesideJobs,
} from '../../client/manifests/offline/definitions.ts';
import { ClusterClient } from '../../cluster/client.ts';
import { isAlreadyExists } from '../../cluster/errors.ts';
import { apiGroupOf, CUSTOM_RESOURCE_DEFINITIONS } from '../../contracts/kubernetes.ts';

/** Those that another client has applied are left as they are, e.g. an original operator's. */
const OWN = { key: 'app.kubernetes.io/managed-by', value: 'signalbox' };
const WITHIN_MS = 30_000;
const POLL_MS = 25;

/** Lets the cluster serve the kinds of jobs, as this version has them. Resolves when it does. */
export async function defineKinds(kubeconfig: string): Promise<void> {
  const cluster = await ClusterClient.connect({ kubeconfig });
  try {
    const definitions = [...customResourceDefinitions(), ...definitionsBesideJobs()];
    await Promise.all(definitions.map((definition) => define(cluster, definition)));
    await untilServed(cluster);
  } finally {
    await cluster.close();
  }
}

async function define(
  cluster: ClusterClient,
  definition: ReturnType<typeof customResourceDefinitions>[number],
): Promise<void> {
  const { name } = definition.metadata;
  const labelled = { ...definition, metadata: { name, labels: { [OWN.key]: OWN.value } } };
  try {
    await cluster.create(CUSTOM_RESOURCE_DEFINITIONS, labelled);
  } catch (error) {
    if (!isAlreadyExists(error)) throw error;
    const { metadata } = await cluster.get(CUSTOM_RESOURCE_DEFINITIONS, undefined, name);
    if (metadata.labels?.[OWN.key] === OWN.value)
      await cluster.patch(CUSTOM_RESOURCE_DEFINITIONS, { name }, labelled);
  }
}

/** An original operator's definition need not have all versions. */
async function untilServed(cluster: ClusterClient): Promise<void> {
  const until = Date.now() + WITHIN_MS;
  for (const versions of KINDS_WITH_VERSIONS) {
    while (!(await isServed(cluster, versions))) {
      if (Date.now() > until) throw notServed(versions[0]);
      await delay(POLL_MS);
    }
  }
}

const isServed = async (
  cluster: ClusterClient,
  versions: (typeof KINDS_WITH_VERSIONS)[number],
): Promise<boolean> => (await Promise.all(versions.map((version) => cluster.serves(version)))).some(Boolean);

const notServed = ({ apiVersion, kind, plural }: (typeof KINDS_WITH_VERSIONS)[number][number]) =>
  new SandboxError(
    `the API server does not serve ${apiVersion} ${kind} after ${WITHIN_MS / 1000} s`,
    `\`kubectl describe crd ${plural}.${apiGroupOf(apiVersion)}\` says why`,
  );
