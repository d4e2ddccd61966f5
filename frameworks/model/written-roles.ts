import { nearest } from '../../language/did-you-mean.ts';
import { asFields, type Fields, isFields } from '../../language/fields.ts';
import { type Framework, listOfRoles, type RoleRules, rolePath, rulesOf } from './framework.ts';

/** A role as a manifest has it, valid or not. */
export interface WrittenRole {
  /** As the kind spells it; in a list as the role itself says it, or `default` and its number. */
  readonly name: string;
  /** As the manifest spells it; in a list its number. */
  readonly key: string | number;
  readonly value: unknown;
  readonly path: string;
  /** Undefined if the kind has no such role. */
  readonly rules: RoleRules | undefined;
  /** Then the role that was probably meant. */
  readonly meant?: RoleRules;
}

type RolesOfKind = Pick<Framework, 'replicaSpecs' | 'roles'>;

/** Returns the roles of a manifest; undefined if it has something else where the kind has them. */
export function writtenRoles(framework: RolesOfKind, manifest: unknown): readonly WrittenRole[] | undefined {
  const { spec } = asFields(manifest);
  const list = listOfRoles(framework);
  return list === undefined ? namedRoles(framework, spec) : listedRoles(framework, asFields(spec)[list]);
}

function listedRoles(framework: RolesOfKind, list: unknown): readonly WrittenRole[] | undefined {
  if (!Array.isArray(list)) return undefined;
  return list.map((value: unknown, key) => {
    const { name: given } = asFields(value);
    const name = typeof given === 'string' && given !== '' ? given : `default${key}`;
    return { name, key, value, path: rolePath(framework, key), rules: rulesOf(framework, name) };
  });
}

function namedRoles(framework: RolesOfKind, spec: unknown): readonly WrittenRole[] | undefined {
  const { replicaSpecs } = framework;
  const specs = replicaSpecs ? asFields(spec)[replicaSpecs] : spec;
  if (!isFields(specs)) return undefined;
  const written = Object.entries(specs).map(([key, value]): WrittenRole => {
    const rules = rulesOf(framework, key);
    const meant = rules ? undefined : roleMeant(framework, key);
    return { ...{ name: rules?.name ?? key, key, value, path: rolePath(framework, key), rules }, ...meant };
  });
  // Beside the roles, spec itself has other fields.
  return written.filter((role) => replicaSpecs || role.rules || isMisspelt(role));
}

function roleMeant({ roles }: RolesOfKind, key: string): Pick<WrittenRole, 'meant'> {
  const names = roles.map(({ name }) => name);
  const meant = roles.find(({ name }) => name === nearest(key, names));
  return meant ? { meant } : {};
}

const isMisspelt = ({ meant, value }: WrittenRole): boolean =>
  meant !== undefined && isFields(value) && value.template !== undefined;

/** Returns the spec of a manifest that has been parsed before with other roles. */
export function withRoles(
  framework: RolesOfKind,
  spec: Fields,
  change: (role: WrittenRole) => unknown,
): Fields {
  const roles = writtenRoles(framework, { spec });
  if (!roles) return spec;
  const list = listOfRoles(framework);
  if (list !== undefined) return { ...spec, [list]: roles.map(change) };
  const { replicaSpecs } = framework;
  const changed = {
    ...(replicaSpecs ? asFields(spec[replicaSpecs]) : spec),
    ...Object.fromEntries(roles.map((role) => [role.key, change(role)])),
  };
  return replicaSpecs ? { ...spec, [replicaSpecs]: changed } : changed;
}
