import { stringify } from 'yaml';
import { type Fields, isFields } from '../../../contracts/fields.ts';
import { roleKey } from '../../../contracts/roles.ts';
import type { ReportData } from '../report-data.ts';

/** The manifest of one revision, as YAML. */
export interface ManifestText {
  readonly number: number;
  readonly text: string;
}

const LEFT_OUT = '(left out of the report)';
const POLICY = 'signalbox.dev/policy';

/** Returns each revision's manifest, the submitted one first. Values that look like secrets are left out. */
export function manifestTexts({ manifest, revisions }: ReportData): ManifestText[] {
  if (manifest === undefined) return [];
  const texts = [{ number: 1, text: textOf(manifest) }];
  let present: unknown = manifest;
  for (const { number, replicas, policy } of revisions) {
    present = withPolicy(withReplicas(present, replicas ?? {}), policy);
    texts.push({ number, text: textOf(present) });
  }
  return texts;
}

const textOf = (manifest: unknown) => stringify(withoutSecrets(manifest), { lineWidth: 100 });

/** A manifest is sent around with the report; a literal password in it should not be. */
function withoutSecrets(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutSecrets);
  if (!isFields(value)) return value;
  if (typeof value.name === 'string' && typeof value.value === 'string' && SECRET.test(value.name))
    return { ...value, value: LEFT_OUT };
  return Object.fromEntries(
    Object.entries(value)
      .sort(byName)
      .map(([key, inner]) => [key, key === LAST_APPLIED ? LEFT_OUT : withoutSecrets(inner)]),
  );
}

/** An archive has the manifest in canonical JSON, without the order in which it was written. A name comes first. */
const byName = ([a]: readonly [string, unknown], [b]: readonly [string, unknown]) =>
  Number(b === 'name') - Number(a === 'name') || (a < b ? -1 : 1);

const SECRET = /secret|token|passw(?:or)?d|credential|api_?key|access_?key|private_?key/i;
/** The whole manifest again, in one line. */
const LAST_APPLIED = 'kubectl.kubernetes.io/last-applied-configuration';

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
