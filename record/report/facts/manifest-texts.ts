import { stringify } from 'yaml';
import { roleKey } from '../../../contracts/roles.ts';
import { type Fields, isFields } from '../../../language/fields.ts';
import type { ReportData } from '../report-data.ts';

/** The manifest of one revision, as YAML. */
export interface ManifestText {
  readonly number: number;
  readonly text: string;
}

const POLICY = 'signalbox.dev/policy';

/** Returns each revision's manifest, the submitted one first. */
export function manifestTexts({ manifest, revisions }: ReportData): ManifestText[] {
  if (manifest === undefined) return [];
  const texts = [{ number: 1, text: textOfManifest(manifest) }];
  let present: unknown = manifest;
  for (const { number, replicas, policy } of revisions) {
    present = withPolicy(withReplicas(present, replicas ?? {}), policy);
    texts.push({ number, text: textOfManifest(present) });
  }
  return texts;
}

const textOfManifest = (manifest: unknown) => stringify(ordered(manifest), { lineWidth: 100 });

/** An archive has the manifest in canonical JSON, without the order in which it was written. A name comes first. */
function ordered(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(ordered);
  if (!isFields(value)) return value;
  const fields = Object.entries(value).sort(byName);
  return Object.fromEntries(fields.map(([key, inner]) => [key, ordered(inner)]));
}

const byName = ([a]: readonly [string, unknown], [b]: readonly [string, unknown]) =>
  Number(b === 'name') - Number(a === 'name') || (a < b ? -1 : 1);

function withReplicas(value: unknown, replicas: Readonly<Record<string, number>>): unknown {
  if (!isFields(value) || !isFields(value.spec)) return value;
  return { ...value, spec: rolesWith(value.spec, replicas, 2) };
}

/** Kinds have their roles in spec, or in a field of it. */
function rolesWith(fields: Fields, replicas: Readonly<Record<string, number>>, depth: number): Fields {
  const wanted = new Map(Object.entries(replicas).map(([role, number]) => [roleKey(role), number]));
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => {
      if (!isFields(value)) return [name, value];
      const number = wanted.get(roleKey(name));
      if (isFields(value.template) && number !== undefined) return [name, { ...value, replicas: number }];
      return [name, depth > 1 ? rolesWith(value, replicas, depth - 1) : value];
    }),
  );
}

function withPolicy(value: unknown, policy: unknown): unknown {
  if (policy === undefined || !isFields(value) || !isFields(value.metadata)) return value;
  const { annotations } = value.metadata;
  const text = typeof policy === 'string' ? policy : stringify(policy);
  const amended = { ...(isFields(annotations) ? annotations : {}), [POLICY]: text };
  return { ...value, metadata: { ...value.metadata, annotations: amended } };
}
