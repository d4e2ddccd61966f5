import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';

const EXAMPLES = fileURLToPath(new URL('../../examples/', import.meta.url));

/** Where workers and launcher of an MPIJob v1 meet; a test has a folder of its own. */
export const MPI_SOCKETS = '/var/tmp/signalbox-examples-mpi';

interface Container {
  env?: { name: string; value?: string }[];
  args?: string[];
}

interface Role {
  readonly template: { readonly spec: { readonly containers: readonly [Container, ...Container[]] } };
}

export interface ExampleManifest {
  readonly kind: string;
  readonly metadata: { readonly name: string } & Readonly<Record<string, unknown>>;
  readonly spec: Readonly<Record<string, unknown>>;
}

/** A manifest of examples/, with no part shared between its roles; `rewrite` changes its text. */
export async function readExample(
  path: string,
  rewrite: (text: string) => string = (text) => text,
): Promise<ExampleManifest> {
  const text = rewrite(await readFile(`${EXAMPLES}${path}`, 'utf8'));
  return JSON.parse(JSON.stringify(parse(text))) as ExampleManifest;
}

/** The same job, with a variable of a role's pods set by the manifest. */
export const withVariable = (manifest: ExampleManifest, role: string, name: string, value: string) =>
  changed(manifest, role, (container) => {
    container.env = [...(container.env ?? []), { name, value }];
  });

/** The same job, with one more argument for the program of a role. */
export const withArgument = (manifest: ExampleManifest, role: string, argument: string) =>
  changed(manifest, role, (container) => {
    container.args = [...(container.args ?? []), argument];
  });

let changes = 0;

/** Each under a name of its own. */
function changed(
  manifest: ExampleManifest,
  role: string,
  change: (main: Container) => void,
): ExampleManifest {
  const { metadata } = manifest;
  const copy = structuredClone({
    ...manifest,
    metadata: { ...metadata, name: `${metadata.name}-${++changes}` },
  });
  change(roleOf(copy, role).template.spec.containers[0]);
  return copy;
}

/** Where its kind has it: in a map of roles, in the spec itself, or in a list; of a TrainJob only what it says of its nodes. */
function roleOf({ spec }: ExampleManifest, name: string): Role {
  if (spec.trainer) return { template: { spec: { containers: [spec.trainer as Container] } } };
  const { tasks } = spec as { readonly tasks?: readonly (Role & { readonly name: string })[] };
  if (tasks) return tasks.find((one) => one.name === name)!;
  const specs = Object.entries(spec).find(([key]) => key.endsWith('ReplicaSpecs'))?.[1] ?? spec;
  return (specs as Readonly<Record<string, Role>>)[name]!;
}
