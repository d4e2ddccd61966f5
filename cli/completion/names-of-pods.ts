import type { Command } from 'commander';
import type { JobName } from '../../client/servers/job-name.ts';
import { PODS } from '../../contracts/kubernetes.ts';
import { LABELS } from '../../contracts/labels.ts';
import { type ChosenJob, findJob } from '../jobs/job-choice.ts';
import { connectedCluster, settingsOf, withClient } from '../session/session.ts';
import type { Settings } from '../settings/settings.ts';

/** Returns the names of the pods that the cluster has of a job; if it has none, of those that failed. */
export async function namesOfPods(chosen: ChosenJob, command: Command, limit: number): Promise<string[]> {
  const settings = await settingsOf(command);
  const { namespace: usual = 'default' } = settings;
  // A name needs no answer of Temporal.
  const present =
    'name' in chosen
      ? await presentPods({ name: chosen.name, namespace: chosen.namespace ?? usual }, settings, limit)
      : [];
  return present.length > 0 ? present : failedPods(chosen, command);
}

async function presentPods(
  { namespace, name }: JobName,
  settings: Settings,
  limit: number,
): Promise<string[]> {
  const cluster = await connectedCluster(settings);
  try {
    const { items } = await cluster.list(PODS, { namespace, labelSelector: `${LABELS.job}=${name}`, limit });
    return items.map(({ metadata }) => metadata.name);
  } catch {
    return [];
  } finally {
    await cluster.close();
  }
}

async function failedPods(chosen: ChosenJob, command: Command): Promise<string[]> {
  const pods: string[] = [];
  await withClient(command, async ({ client }) => {
    const { evidence = [] } = await (await findJob(client, chosen)).status();
    pods.push(...evidence.map(({ pod }) => pod));
  });
  return pods;
}
