import { valueAt } from '../../language/fields.ts';
import { celText } from './cel.ts';

/**
 * What valid manifests are warned of. The parser tells all; the API server, by a policy, what an expression finds without
 * the parser.
 */
export interface ManifestWarning<Found> {
  in(found: Found): readonly string[];
  /** For the list of the same sentences; absent if the parser alone can tell. */
  cel?(): string;
}

/** Warns of an option of a kind whenever it is set. `path`: below spec. */
export const warnedField = (
  path: string,
  sentence: string,
): ManifestWarning<{ readonly options: Readonly<Record<string, unknown>> }> => ({
  in: ({ options }) => (valueAt(options, path) === undefined ? [] : [sentence]),
  cel: () => `object.spec.?${path.replaceAll('.', '.?')}.hasValue() ? [${celText(sentence)}] : []`,
});
