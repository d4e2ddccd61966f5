import type { Command } from 'commander';
import type { SignalboxClient } from '../../client/handles/client.ts';
import type { Manifest } from '../../client/manifests/named-manifest.ts';
import type { ClusterClient } from '../../cluster/client.ts';
import type { KubeObject } from '../../contracts/kubernetes.ts';
import { isFields } from '../../language/fields.ts';
import type { Document } from '../input/documents.ts';
import { located, manifestOptions, refuseFaulty, titleOf, warningOf } from '../input/manifests.ts';
import { note } from '../print/output.ts';
import { connectedCluster, settingsOf } from '../session/session.ts';
import type { Settings } from '../settings/settings.ts';

/** Finds faults before any server is contacted; the first activity of each job checks again. */
export async function checkAll(
  jobs: readonly Document[],
  command: Command,
  key?: string,
): Promise<Manifest[]> {
  const [settings, { validateManifest }, { checkedManifest }, { faultsWithSharedKey }] = await Promise.all([
    settingsOf(command),
    import('../../client/manifests/offline/validate.ts'),
    import('../../client/manifests/checked-manifest.ts'),
    import('../../client/manifests/generated-name.ts'),
  ]);
  const options = manifestOptions(command, settings);
  const isOne = jobs.length === 1;
  const { namespace = 'default' } = settings;
  const whole = await wholeManifests(jobs, settings);
  const faults = jobs.flatMap((document, index) => {
    const { manifest, isComplete } = whole[index]!;
    const checked = validateManifest(manifest, { ...options, isComplete });
    for (const warning of checked.warnings) note(warningOf(warning, document, isOne));
    const unnamed = isOne ? [] : faultsWithSharedKey(document.value, key);
    return located([...unnamed, ...checked.faults], document, isOne);
  });
  refuseFaulty(faults, jobs);
  return jobs.map(({ value }) => checkedManifest(value, { namespace, key }));
}

/** Adds what jobs name and the cluster has. Only a job that names such objects connects to it. */
async function wholeManifests(jobs: readonly Document[], settings: Settings) {
  const { completed } = await import('../../client/manifests/references-of-cluster.ts');
  let cluster: Promise<ClusterClient> | undefined;
  const connect = () => {
    cluster ??= connectedCluster(settings);
    return cluster;
  };
  const { namespace = 'default' } = settings;
  try {
    return await Promise.all(
      jobs.map(async ({ value }) =>
        isFields(value) ? completed(connect, value, namespace) : { manifest: value, isComplete: true },
      ),
    );
  } finally {
    await cluster?.then((one) => one.close()).catch(() => undefined);
  }
}

/** Creates an object that is no job, or says that it is skipped. */
export async function handleOther(
  client: SignalboxClient,
  { where, value }: Document,
  { createOthers, namespace }: { readonly createOthers?: boolean; readonly namespace?: string },
): Promise<void> {
  const title = `${where}: ${titleOf(value)}`;
  if (!createOthers)
    return note(`${title} is not a job; skipped (--create-others creates it, as \`kubectl apply\` does)`);
  const outcome = await client.createIfAbsent(value as KubeObject, { namespace });
  note(`${title} ${outcome === 'created' ? 'created' : 'already exists; unchanged'}`);
}
