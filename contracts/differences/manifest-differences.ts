import { parse } from 'yaml';
import { isFields } from '../../language/fields.ts';
import { YAML_AS_KUBECTL } from '../../language/yaml.ts';
import { ANNOTATIONS } from '../labels.ts';
import { withoutLastApplied } from '../last-applied.ts';
import { HIDDEN } from '../secrets/hide-in-text.ts';
import { hideSecrets } from '../secrets/hide-secrets.ts';
import { compareValues, type ValueDifference } from './structure.ts';

/** How two manifests differ; each difference is in one place only. */
export interface ManifestDifferences {
  readonly manifest: readonly ValueDifference[];
  readonly policy: readonly ValueDifference[];
  /** Variables of containers. */
  readonly environment: readonly ValueDifference[];
  readonly images: readonly ValueDifference[];
}

/**
 * Compares what people wrote. Name and namespace are not compared: two jobs never share them. What looks like a secret is
 * compared, but not returned.
 */
export function compareManifests(a: unknown, b: unknown): ManifestDifferences {
  const found = differencesOf(comparable(a), comparable(b)).filter(({ path }) => !IDENTITY.has(path));
  const byPart = Map.groupBy(found, partOfManifest);
  const of = (part: keyof ManifestDifferences) => byPart.get(part) ?? [];
  return {
    manifest: of('manifest'),
    policy: of('policy'),
    environment: of('environment'),
    images: of('images'),
  };
}

/** Where documents without their secrets do not differ, the secrets do. */
function differencesOf(a: unknown, b: unknown): ValueDifference[] {
  const shown = new Map(compareValues(hideSecrets(a), hideSecrets(b)).map((found) => [found.path, found]));
  return compareValues(a, b).map((found) => shown.get(found.path) ?? { ...found, a: HIDDEN, b: HIDDEN });
}

const IDENTITY: ReadonlySet<string> = new Set([
  'metadata.name',
  'metadata.namespace',
  'metadata.generateName',
]);

function partOfManifest({ steps }: ValueDifference): keyof ManifestDifferences {
  if (steps[1] === 'annotations' && steps[2] === ANNOTATIONS.policy) return 'policy';
  const at = steps.findIndex((step) => step === 'containers' || step === 'initContainers');
  const field = at < 0 ? undefined : steps[at + 2];
  if (field === 'env' || field === 'envFrom') return 'environment';
  return field === 'image' ? 'images' : 'manifest';
}

/** Reads the policy, so that its fields are compared instead of its text. */
function comparable(given: unknown): unknown {
  const manifest = withoutLastApplied(given);
  if (!isFields(manifest) || !isFields(manifest.metadata)) return manifest;
  const { annotations } = manifest.metadata;
  if (!isFields(annotations) || typeof annotations[ANNOTATIONS.policy] !== 'string') return manifest;
  const policy = readPolicy(annotations[ANNOTATIONS.policy] as string);
  const read = { ...annotations, [ANNOTATIONS.policy]: policy };
  return { ...manifest, metadata: { ...manifest.metadata, annotations: read } };
}

/** The text itself if it is no YAML: the job of such a manifest was refused. */
function readPolicy(text: string): unknown {
  try {
    return parse(text, YAML_AS_KUBECTL);
  } catch {
    return text;
  }
}
