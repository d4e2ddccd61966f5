import type { Command } from 'commander';
import type { Fault } from '../../contracts/types.ts';
import { asFields } from '../../language/fields.ts';

/** What `--namespace` says. The settings only name the namespace of manifests that name none. */
export const askedNamespace = (command: Command): string | undefined =>
  command.optsWithGlobals<{ namespace?: string }>().namespace;

/** As kubectl, which refuses an object of another namespace than the one that `--namespace` names. */
export function faultsOfNamespace(value: unknown, asked: string | undefined): readonly Fault[] {
  const { namespace } = asFields(asFields(value).metadata);
  if (asked === undefined || namespace === undefined || namespace === asked) return [];
  const expected = `${JSON.stringify(asked)}, as --namespace says, or none`;
  return [{ path: 'metadata.namespace', expected, got: JSON.stringify(namespace) }];
}
