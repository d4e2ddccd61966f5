import { ANNOTATIONS, LABELS } from '../../../contracts/labels.ts';
import type { ParameterSweep } from '../../../contracts/parameter-sweep.ts';
import type { Fault } from '../../../contracts/types.ts';
import { editManifest } from '../../../frameworks/changes/edit-manifest.ts';
import { asFields } from '../../../language/fields.ts';
import { editsOfFields, withVariables } from '../../manifests/set-values.ts';
import { combinationAt } from './combinations.ts';

/** A trial, or why its values cannot be set. */
export type Trial = {
  readonly name: string;
  readonly values: Readonly<Record<string, unknown>>;
} & (
  | { readonly manifest: object; readonly changed: readonly (readonly string[])[] }
  | { readonly faults: readonly Fault[] }
);

export const nameOfTrial = (sweep: Pick<ParameterSweep, 'manifest'>, index: number): string =>
  `${String(asFields(sweep.manifest.metadata).name)}-${index}`;

/** Returns the manifest of one trial. The same sweep gives the same one again. */
export function trialAt(sweep: Pick<ParameterSweep, 'manifest' | 'set'>, index: number): Trial {
  const name = nameOfTrial(sweep, index);
  const values = combinationAt(sweep.set, index);
  const set = Object.entries(values);
  const edited = editManifest(withVariables(sweep.manifest, set), editsOfFields(set));
  if ('faults' in edited) return { name, values, faults: edited.faults };
  return {
    name,
    values,
    manifest: marked(asFields(edited.manifest), { sweep, name, values }),
    changed: edited.changed,
  };
}

/** Says which trial of which sweep it is. */
function marked(
  manifest: Readonly<Record<string, unknown>>,
  { sweep, name, values }: { sweep: Pick<ParameterSweep, 'manifest'>; name: string; values: object },
): object {
  const metadata = asFields(manifest.metadata);
  const labels = {
    ...asFields(metadata.labels),
    [LABELS.sweep]: String(asFields(sweep.manifest.metadata).name),
  };
  const annotations = { ...asFields(metadata.annotations), [ANNOTATIONS.parameters]: JSON.stringify(values) };
  return { ...manifest, metadata: { ...metadata, name, labels, annotations } };
}
