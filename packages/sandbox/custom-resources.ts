import { readFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { parseAllDocuments } from 'yaml';
import { type ClusterClient, isAlreadyExists, isNotFound, type KubeObject, type Resource } from './engine.ts';
import { SandboxError } from './errors.ts';

const OWN = { key: 'app.kubernetes.io/managed-by', value: 'signalbox-sandbox' };
const WITHIN_MS = 30_000;
const POLL_MS = 25;

interface Definition extends KubeObject {
  readonly spec: {
    readonly group: string;
    readonly names: { readonly plural: string; readonly kind: string };
    readonly versions: readonly { readonly name: string }[];
  };
}

const DEFINITIONS: Resource<Definition> = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  plural: 'customresourcedefinitions',
  namespaced: false,
};

/**
 * Installs the definitions in these YAML files, and removes other definitions of the sandbox with all their objects: a
 * client must not find the API of a scheduler that does not run. Resolves when the API server serves exactly these.
 */
export async function reconcileCustomResources(
  cluster: ClusterClient,
  files: readonly string[],
): Promise<void> {
  const wanted = (await Promise.all(files.map(readDefinitions))).flat();
  const { items } = await cluster.list(DEFINITIONS, { labelSelector: `${OWN.key}=${OWN.value}` });
  const surplus = items.filter(
    (each) => !wanted.some(({ metadata }) => metadata.name === each.metadata.name),
  );
  await Promise.all([
    ...wanted.map((definition) => install(cluster, labelled(definition))),
    ...surplus.map((definition) => remove(cluster, definition)),
  ]);
}

/** Installs the definitions in these YAML files beside the sandbox's own. Resolves when the API server serves them. */
export async function installCustomResources(
  cluster: ClusterClient,
  files: readonly string[],
): Promise<void> {
  const wanted = (await Promise.all(files.map(readDefinitions))).flat();
  await Promise.all(wanted.map((definition) => install(cluster, definition)));
}

async function readDefinitions(file: string): Promise<Definition[]> {
  const documents = parseAllDocuments(await readFile(file, 'utf8'));
  return documents.map((document) => document.toJS()).filter((each) => each !== null);
}

function labelled(definition: Definition): Definition {
  const { metadata } = definition;
  const labels = { ...metadata.labels, [OWN.key]: OWN.value };
  return { ...definition, metadata: { ...metadata, labels } };
}

async function install(cluster: ClusterClient, definition: Definition): Promise<void> {
  try {
    await cluster.create(DEFINITIONS, definition);
  } catch (error) {
    if (!isAlreadyExists(error)) throw error;
    await cluster.patch(DEFINITIONS, { name: definition.metadata.name }, definition);
  }
  await untilServed(cluster, definition, true);
}

async function remove(cluster: ClusterClient, definition: Definition): Promise<void> {
  await cluster.delete(DEFINITIONS, undefined, definition.metadata.name);
  await untilServed(cluster, definition, false);
}

async function untilServed(cluster: ClusterClient, definition: Definition, wanted: boolean): Promise<void> {
  const { name } = definition.metadata;
  const deadline = Date.now() + WITHIN_MS;
  while ((await isServed(cluster, definition)) !== wanted) {
    if (Date.now() > deadline) {
      throw new SandboxError(
        `${name}: ${wanted ? 'not' : 'still'} served after ${WITHIN_MS / 1000} s`,
        `\`kubectl describe crd ${name}\` says why`,
      );
    }
    await delay(POLL_MS);
  }
}

/** Requests the API itself, because the condition Established is set a moment before the API is served. */
async function isServed(cluster: ClusterClient, { spec }: Definition): Promise<boolean> {
  try {
    for (const { name } of spec.versions) {
      const resource = { ...spec.names, apiVersion: `${spec.group}/${name}`, namespaced: false };
      await cluster.list(resource, { limit: 1 });
    }
    return true;
  } catch (error) {
    if (isNotFound(error)) return false;
    throw error;
  }
}
