/**
 * Expands `$(NAME)` as Kubernetes does in env values, commands and arguments: `$$` is one `$`, so `$$(NAME)` becomes
 * `$(NAME)`; an undefined name stays as written. No shell is involved.
 */
export function expand(text: string, variables: Readonly<Record<string, string>>): string {
  return text.replace(/\$(?:\$|\(([^)]*)\))/g, (written, name: string | undefined) =>
    name === undefined ? '$' : Object.hasOwn(variables, name) ? (variables[name] as string) : written,
  );
}
