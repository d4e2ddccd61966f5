import { buildManifest } from '../../client/manifests/builders/build-manifest.ts';
import { type BuilderKind, optionsOf } from '../../client/manifests/builders/builder-kind.ts';
import { JOB_OPTIONS } from '../../client/manifests/builders/common-options.ts';
import { BUILDERS } from '../../client/manifests/builders/kinds.ts';
import { valueAt } from '../../language/fields.ts';
import { paragraph, table } from './markdown.ts';

const KINDS = Object.entries<BuilderKind>(BUILDERS);
const SHARED = Object.keys(optionsOf(BUILDERS.jaxJob)).filter((name) =>
  KINDS.every(([, kind]) => name in optionsOf(kind)),
);
const OF_KUBEFLOW = Object.keys(JOB_OPTIONS).filter((name) => !SHARED.includes(name));

/** Returns what the builders make and which options they have, for docs/manifests.md. */
export function builderTable(): string {
  const rows = KINDS.map(([name, kind]) => [
    builderOf(name, kind),
    podsOf(kind),
    listed(furtherOptions(kind)),
  ]);
  const common = `All have ${listed(SHARED)}; those of kubeflow.org also ${listed(OF_KUBEFLOW)}.`;
  return `${table(['builder', 'pods for `nodes: 4`', 'further options'], rows)}\n\n${paragraph(common)}`;
}

const builderOf = (name: string, { apiVersion }: BuilderKind) =>
  apiVersion === 'kubeflow.org/v1' ? `\`${name}\`` : `\`${name}\` (${apiVersion})`;

const furtherOptions = (kind: BuilderKind) =>
  Object.keys(kind.options).filter((name) => ![...SHARED, ...OF_KUBEFLOW].includes(name));

function podsOf(kind: BuilderKind): string {
  const manifest = buildManifest<object>(kind, { name: 'a', image: 'a', nodes: 4 });
  const roles = Object.entries(Object(valueAt(manifest, kind.rolesAt.join('.'))));
  return roles
    .map(([role, spec]) => ({ role, replicas: Number(valueAt(spec, 'replicas')) }))
    .map(({ role, replicas }) => `${replicas} ${role}${replicas === 1 ? '' : 's'}`)
    .join(', ');
}

const listed = (names: readonly string[]) => names.map((name) => `\`${name}\``).join(', ');
