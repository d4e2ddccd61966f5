import type { JsonSchema } from './json-schema.ts';

/** Ends the id of an object whose keys are roles. */
export const ROLES_SUFFIX = 'Roles';

/** Lets the names of roles be in any case, as `parseManifest` does; `schema` has them as the kind spells them. */
export function withRolesInAnyCase(given: JsonSchema): JsonSchema {
  if (!String(given.title).endsWith(ROLES_SUFFIX)) return given;
  const { required = [], ...schema } = given;
  const roles = Object.entries(schema.properties as Readonly<Record<string, JsonSchema>>);
  const patterns = roles.map(([name, role]) => [inAnyCase(name), { $ref: role.$ref }]);
  // "Not every name is another one" says that a name is there.
  const present = (required as readonly string[]).map((name) => ({
    not: { propertyNames: { not: { pattern: inAnyCase(name) } } },
  }));
  return {
    ...schema,
    patternProperties: Object.fromEntries(patterns),
    ...(present.length > 0 ? { allOf: present } : {}),
  };
}

/** Returns a pattern of a name in any case. */
const inAnyCase = (name: string) =>
  `^${[...name].map((letter) => `[${letter.toUpperCase()}${letter.toLowerCase()}]`).join('')}$`;
