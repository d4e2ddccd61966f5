import { stringify } from 'yaml';
import { ANNOTATIONS } from '../../contracts/labels.ts';
import { roleKey } from '../../contracts/roles.ts';
import { asFields, isFields } from '../../language/fields.ts';
import { frameworkOf } from '../kinds/registry.ts';
import { type WrittenRole, withRoles } from '../model/written-roles.ts';
import { type PolicyDocument, readPolicyDocument } from '../policy/document.ts';

/** Changes to a running job. */
export interface Amendment {
  /** New sizes by role name, in any case. */
  readonly replicas?: Readonly<Record<string, number>>;
  /** Part of a policy document, merged into the present one (RFC 7396). */
  readonly policy?: PolicyDocument;
}

/** Returns the manifest with the changes, in the spelling of its kind. Ignores roles that it does not have. */
export function amendManifest(manifest: unknown, { replicas = {}, policy }: Amendment): unknown {
  const resized = withReplicas(manifest, replicas);
  if (!policy) return resized;
  const text = policyTextOf(resized);
  const read = text === undefined ? { document: {} } : readPolicyDocument(text);
  const document = merge('document' in read ? read.document : {}, policy);
  return withPolicy(resized, stringify(document, { version: '1.1', lineWidth: 0 }));
}

/** Returns a manifest that has been parsed before with other sizes, by role name in any case. */
export function withReplicas(manifest: unknown, replicas: Readonly<Record<string, number>>): unknown {
  const { spec, ...others } = manifest as Manifest;
  const sizes = new Map(Object.entries(replicas).map(([name, size]) => [roleKey(name), size]));
  const resized = ({ name, value }: WrittenRole) => {
    const size = sizes.get(roleKey(name));
    return size === undefined ? value : { ...asFields(value), replicas: size };
  };
  return { ...others, spec: withRoles(frameworkOf(manifest as Manifest), spec, resized) };
}

/** Returns a manifest that has been parsed before with another policy document. */
export function withPolicy(manifest: unknown, text: string): unknown {
  const { metadata, ...others } = manifest as Manifest;
  const annotations = { ...metadata.annotations, [ANNOTATIONS.policy]: text };
  return { ...others, metadata: { ...metadata, annotations } };
}

const policyTextOf = (manifest: unknown) =>
  (manifest as Manifest).metadata.annotations?.[ANNOTATIONS.policy] ?? undefined;

/** RFC 7396: merges mappings, removes nulls, replaces all else. */
function merge(target: unknown, patch: PolicyDocument): PolicyDocument {
  const kept = isFields(target) ? target : {};
  const named = Object.entries(patch).filter(([, value]) => value !== null);
  const merged = named.map(([key, value]) => [key, isFields(value) ? merge(kept[key], value) : value]);
  const others = Object.entries(kept).filter(([key]) => !Object.hasOwn(patch, key));
  return Object.fromEntries([...others, ...merged]);
}

type Fields = Readonly<Record<string, unknown>>;

/** A manifest that has been parsed before. */
interface Manifest {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly annotations?: Readonly<Record<string, string>> | null };
  readonly spec: Fields;
}
