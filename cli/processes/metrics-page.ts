/** Pages of metrics in Prometheus' text format. */

/** Adds a label to each series of a page, e.g. `process="2"`. */
export const withLabel = (page: string, label: string): string =>
  page.replaceAll(/^([a-zA-Z_:][\w:]*)([{ ])/gm, (_, name: string, next: string) =>
    next === '{' ? `${name}{${label},` : `${name}{${label}} `,
  );

/** Joins pages. The format demands that all series of a metric stand together, below one description of it. */
export function joinedPages(pages: readonly string[]): string {
  const metrics = new Map<string, Set<string>>();
  for (const page of pages) {
    let metric = '';
    for (const line of page.split('\n').filter(Boolean)) {
      metric = /^# (?:HELP|TYPE) (\S+)/.exec(line)?.[1] ?? metric;
      if (!metrics.has(metric)) metrics.set(metric, new Set());
      metrics.get(metric)!.add(line);
    }
  }
  return [...metrics.values()].map((lines) => `${[...lines].join('\n')}\n`).join('\n');
}
