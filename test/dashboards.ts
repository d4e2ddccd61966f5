import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

const FOLDER = join(import.meta.dirname, '..', 'deploy', 'monitoring', 'dashboards');

interface Panel {
  readonly type: string;
  readonly title?: string;
  readonly description?: string;
  readonly fieldConfig?: { readonly defaults: { readonly unit?: string } };
  readonly targets?: readonly { readonly expr: string }[];
}

/** Returns the panels of all dashboards, without rows. */
export async function dashboardPanels(): Promise<readonly Panel[]> {
  const files = await readdir(FOLDER);
  const texts = await Promise.all(files.map((file) => readFile(join(FOLDER, file), 'utf8')));
  const all = texts.flatMap((text) => (JSON.parse(text) as { readonly panels: readonly Panel[] }).panels);
  return all.filter(({ type }) => type !== 'row');
}

export const dashboardExpressions = async () =>
  (await dashboardPanels()).flatMap(({ title, targets = [] }) =>
    targets.map(({ expr }) => ({ title, expression: expr })),
  );
