/**
 * Replaces `$(NAME)` as Kubernetes does in env values, commands and arguments: `$$` stands for one `$`, so `$$(NAME)`
 * stays `$(NAME)`; a name that nobody defined stays as it was written; all else is left alone. No shell is involved.
 */
export function expand(text: string, variables: Readonly<Record<string, string>>): string {
  return text.replace(/\$(?:\$|\(([^)]*)\))/g, (written, name: string | undefined) =>
    name === undefined ? '$' : Object.hasOwn(variables, name) ? (variables[name] as string) : written,
  );
}
