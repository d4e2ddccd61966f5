import type { Command } from 'commander';
import { InvalidManifestError } from '../../client/errors/errors.ts';
import type { SignalboxClient } from '../../client/handles/client.ts';
import type { Manifest } from '../../client/manifests/named-manifest.ts';
import type { KubeObject } from '../../contracts/kubernetes.ts';
import type { Document } from '../input/documents.ts';
import { located, manifestOptions, titleOf, warningOf } from '../input/manifests.ts';
import { note } from '../print/output.ts';
import { settingsOf } from '../session/session.ts';

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
  const faults = jobs.flatMap((document) => {
    const checked = validateManifest(document.value, options);
    for (const warning of checked.warnings) note(warningOf(warning, document, isOne));
    const unnamed = isOne ? [] : faultsWithSharedKey(document.value, key);
    return located([...unnamed, ...checked.faults], document, isOne);
  });
  if (faults.length > 0) throw new InvalidManifestError(faults);
  const { namespace = 'default' } = settings;
  return jobs.map(({ value }) => checkedManifest(value, { namespace, key }));
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
