/** `--sort COLUMN[:asc|desc]`. */
export interface SortBy {
  readonly column: string;
  readonly isDescending: boolean;
}

/** Returns nothing for another direction. */
export function sortIn(text: string): SortBy | undefined {
  const [, column, direction] = /^(.+?)(?::(asc|desc))?$/.exec(text) ?? [];
  if (!column || /:[a-z]*$/.test(column)) return undefined;
  return { column, isDescending: direction === 'desc' };
}
