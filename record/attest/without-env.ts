import { isFields } from '../../language/fields.ts';

/** Returns a manifest without the values of environment variables, which may be secrets. Their names stay. */
export function withoutEnv(manifest: unknown): unknown {
  if (Array.isArray(manifest)) return manifest.map(withoutEnv);
  if (!isFields(manifest)) return manifest;
  return Object.fromEntries(
    Object.entries(manifest).map(([name, value]) => [
      name,
      name === 'env' && Array.isArray(value) ? value.map(nameOnly) : withoutEnv(value),
    ]),
  );
}

/** A reference to a Secret or a field is no value. */
function nameOnly(variable: unknown): unknown {
  if (!isFields(variable)) return variable;
  const { value, ...others } = variable;
  return others;
}
