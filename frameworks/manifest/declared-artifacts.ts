import { parseDocument } from 'yaml';
import { ANNOTATIONS } from '../../contracts/labels.ts';
import { declaredArtifacts } from '../../contracts/schemas/declared-artifacts.ts';
import type { Fault } from '../../contracts/types.ts';
import { asError } from '../../language/error-message.ts';
import { YAML_AS_KUBECTL } from '../../language/yaml.ts';
import { describeValue, faultsOf } from '../fields/faults.ts';

/** Every history of the job contains the manifest. */
const LARGEST_BYTES = 16 * 1024;

/** Returns the faults of the inputs and outputs that a manifest declares. */
export const checkArtifacts = (annotations: Readonly<Record<string, string>>): Fault[] =>
  [ANNOTATIONS.inputs, ANNOTATIONS.outputs].flatMap((name) => {
    const text = annotations[name];
    return text === undefined ? [] : faultsIn(text, `metadata.annotations[${name}]`);
  });

function faultsIn(text: string, path: string): Fault[] {
  const bytes = Buffer.byteLength(text);
  if (bytes > LARGEST_BYTES) return [{ path, expected: `at most ${LARGEST_BYTES} bytes`, got: `${bytes}` }];
  try {
    const document = parseDocument(text, YAML_AS_KUBECTL);
    if (document.errors[0]) return [notYaml(path, document.errors[0])];
    const value: unknown = document.toJS();
    if (!Array.isArray(value))
      return [{ path, expected: 'a list of name, uri and digest', got: describeValue(value) }];
    const { error } = declaredArtifacts.safeParse(value);
    return error ? faultsOf(error, value, path) : [];
  } catch (error) {
    // The document has too many aliases.
    return [notYaml(path, asError(error))];
  }
}

/** The first line of the message says what is wrong and where. */
const notYaml = (path: string, { message }: Error): Fault => ({
  path,
  expected: 'YAML',
  got: message.split(/; please|\n/)[0]!.replace(/:$/, ''),
});
