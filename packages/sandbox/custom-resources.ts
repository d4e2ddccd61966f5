import { readFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { parseAllDocuments } from 'yaml';
import { SandboxError } from './errors.ts';
import { type KubernetesApi, KubernetesApiError } from './kubernetes-api.ts';

const DEFINITIONS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const OWN = { key: 'app.kubernetes.io/managed-by', value: 'signalbox-sandbox' };
const WITHIN_MS = 30_000;
const POLL_MS = 25;

interface Definition {
  readonly metadata: { readonly name: string; readonly labels?: Readonly<Record<string, string>> };
  readonly spec: {
    readonly group: string;
    readonly names: { readonly plural: string };
    readonly versions: readonly { readonly name: string }[];
  };
}

/**
 * Installs what these YAML files define and removes, with all objects of it, what the sandbox once installed beyond
 * that: a client that looks for the API of a scheduler must not find it where the scheduler does not run.
 * Resolves when the API server serves what was installed, and nothing of the rest.
 */
export async function reconcileCustomResources(api: KubernetesApi, files: readonly string[]): Promise<void> {
  const wanted = (await Promise.all(files.map(readDefinitions))).flat();
  const selector = encodeURIComponent(`${OWN.key}=${OWN.value}`);
  const { items } = await api.call<{ items: Definition[] }>(
    'GET',
    `${DEFINITIONS}?labelSelector=${selector}`,
  );
  const surplus = items.filter(
    (each) => !wanted.some(({ metadata }) => metadata.name === each.metadata.name),
  );
  await Promise.all([
    ...wanted.map((definition) => install(api, definition)),
    ...surplus.map((definition) => remove(api, definition)),
  ]);
}

async function readDefinitions(file: string): Promise<Definition[]> {
  const documents = parseAllDocuments(await readFile(file, 'utf8'));
  return documents.map((document) => document.toJS()).filter((each) => each !== null);
}

async function install(api: KubernetesApi, definition: Definition): Promise<void> {
  const { metadata } = definition;
  const labels = { ...metadata.labels, [OWN.key]: OWN.value };
  const apply = `${DEFINITIONS}/${metadata.name}?fieldManager=${OWN.value}&force=true`;
  const applied = { ...definition, metadata: { ...metadata, labels } };
  await api.call('PATCH', apply, applied, 'application/apply-patch+yaml');
  await untilServed(api, definition, true);
}

async function remove(api: KubernetesApi, definition: Definition): Promise<void> {
  await api.call('DELETE', `${DEFINITIONS}/${definition.metadata.name}`);
  await untilServed(api, definition, false);
}

async function untilServed(api: KubernetesApi, definition: Definition, wanted: boolean): Promise<void> {
  const { name } = definition.metadata;
  const deadline = Date.now() + WITHIN_MS;
  while ((await isServed(api, definition)) !== wanted) {
    if (Date.now() > deadline) {
      throw new SandboxError(
        `${name}: ${wanted ? 'not' : 'still'} served after ${WITHIN_MS / 1000} s`,
        `\`kubectl describe crd ${name}\` says why`,
      );
    }
    await delay(POLL_MS);
  }
}

/** Asked for itself: the condition Established comes a moment before the first answer. */
async function isServed(api: KubernetesApi, { spec }: Definition): Promise<boolean> {
  try {
    for (const { name } of spec.versions)
      await api.call('GET', `/apis/${spec.group}/${name}/${spec.names.plural}?limit=1`);
    return true;
  } catch (error) {
    if (error instanceof KubernetesApiError && error.status === 404) return false;
    throw error;
  }
}
