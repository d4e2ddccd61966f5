import type { Fault } from '../../contracts/types.ts';
import { withVariableEverywhere } from './variables.ts';

/**
 * What `--env NAME=VALUE` means, in a sweep and in a rerun: variables of every container of every role. Values are written as
 * texts.
 *
 * @public
 */
export type ContainerEnvironment = Readonly<Record<string, string | number | boolean>>;

/** Returns the manifest with these variables in every container. */
export const withContainerEnvironment = (manifest: unknown, env: ContainerEnvironment): unknown =>
  Object.entries(env).reduce<unknown>(
    (changed, [name, value]) => withVariableEverywhere(changed, name, String(value)),
    manifest,
  );

/** Returns the faults of names that Kubernetes does not take. */
export const faultsOfEnvironment = (env: ContainerEnvironment): readonly Fault[] =>
  Object.keys(env)
    .filter((name) => !VARIABLE.test(name))
    .map((name) => ({
      path: 'env',
      expected: 'names of letters, digits, _, - and ., no digit first',
      got: name,
    }));

const VARIABLE = /^[A-Za-z_.-][\w.-]*$/;
