import { parse } from 'yaml';
import { ANNOTATIONS } from '../../contracts/labels.ts';
import { type DeclaredArtifact, declaredArtifacts } from '../../contracts/schemas/declared-artifacts.ts';
import { isFields } from '../../language/fields.ts';
import { YAML_AS_KUBECTL } from '../../language/yaml.ts';

/** Returns the inputs or outputs that a manifest declares. None if it was rejected because of them. */
export function declaredIn(manifest: unknown, what: 'inputs' | 'outputs'): readonly DeclaredArtifact[] {
  const { success, data } = declaredArtifacts.safeParse(yamlIn(annotationsOf(manifest)[ANNOTATIONS[what]]));
  return success ? data : [];
}

/** Returns the policy document of a manifest. */
export const policyIn = (manifest: unknown): unknown => yamlIn(annotationsOf(manifest)[ANNOTATIONS.policy]);

function annotationsOf(manifest: unknown): Readonly<Record<string, unknown>> {
  const metadata = isFields(manifest) ? manifest.metadata : undefined;
  const annotations = isFields(metadata) ? metadata.annotations : undefined;
  return isFields(annotations) ? annotations : {};
}

function yamlIn(text: unknown): unknown {
  try {
    return typeof text === 'string' ? parse(text, YAML_AS_KUBECTL) : undefined;
  } catch {
    return undefined;
  }
}
