import { parseDocument } from 'yaml';
import { ANNOTATIONS } from '../../contracts/labels.ts';
import type { Fault } from '../../contracts/types.ts';
import { asError } from '../../language/error-message.ts';
import { isFields } from '../../language/fields.ts';
import { withoutNulls } from '../../language/without-nulls.ts';
import { YAML_AS_KUBECTL } from '../../language/yaml.ts';
import { describeValue } from '../fields/faults.ts';

/** The path of the policy in a manifest. */
export const POLICY_PATH = `metadata.annotations[${ANNOTATIONS.policy}]`;

/** A larger document is not handwritten, and every history of the job would contain it. */
const LARGEST_BYTES = 16 * 1024;

export type PolicyDocument = Readonly<Record<string, unknown>>;

/** Returns the parsed annotation, or a fault if it is not a mapping. */
export function readPolicyDocument(text: string): { readonly document: PolicyDocument } | Fault {
  const bytes = Buffer.byteLength(text);
  if (bytes > LARGEST_BYTES) return fault(`at most ${LARGEST_BYTES} bytes`, `${bytes}`);
  try {
    const parsed = parseDocument(text, YAML_AS_KUBECTL);
    if (parsed.errors[0]) return fault('YAML', messageOf(parsed.errors[0]));
    const value: unknown = parsed.toJS();
    return isFields(value)
      ? { document: withoutNulls(value) as PolicyDocument }
      : fault('a mapping, e.g. restart, failures or progress, from line 1 on', describeValue(value));
  } catch (error) {
    // The document has too many aliases.
    return fault('YAML', messageOf(asError(error)));
  }
}

const fault = (expected: string, got: string): Fault => ({ path: POLICY_PATH, expected, got });

/** The first line says what is wrong and where: `... at line 3, column 5:`. An excerpt of the document follows. */
const messageOf = ({ message }: Error) => message.split(/; please|\n/)[0]!.replace(/:$/, '');
