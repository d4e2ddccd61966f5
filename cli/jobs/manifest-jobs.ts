import type { Command } from 'commander';
import { InvalidManifestError } from '../../client/errors/errors.ts';
import type { SignalboxClient } from '../../client/handles/client.ts';
import type { Manifest } from '../../client/manifests/named-manifest.ts';
import type { KubeObject } from '../../contracts/kubernetes.ts';
import type { Document } from '../input/documents.ts';
import { located, manifestOptions, titleOf, warningOf } from '../input/manifests.ts';
import { note } from '../print/output.ts';
import { settingsOf } from '../session/session.ts';
import { explainError } from '../shell/errors.ts';
import { exitOfError, exitWith } from '../shell/exit-codes.ts';

/** Finds faults before any server is contacted; the first activity of each job checks again. */
export async function checkAll(
  jobs: readonly Document[],
  command: Command,
  key?: string,
): Promise<Manifest[]> {
  const [settings, { validateManifest }, { checkedManifest }] = await Promise.all([
    settingsOf(command),
    import('../../client/manifests/offline/validate.ts'),
    import('../../client/manifests/checked-manifest.ts'),
  ]);
  const options = manifestOptions(command, settings);
  const isOne = jobs.length === 1;
  const faults = jobs.flatMap((document) => {
    const checked = validateManifest(document.value, options);
    for (const warning of checked.warnings) note(warningOf(warning, document, isOne));
    return located(checked.faults, document, isOne);
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

/** How many jobs are started at once: one that waits for its name keeps the others waiting only if there are many. */
const AT_ONCE = 10;

/** Continues with the other jobs if one of several fails, unless the server is unavailable. */
export async function ofEach<T>(
  manifests: readonly Manifest[],
  work: (manifest: Manifest) => Promise<T>,
): Promise<T[]> {
  const workOnOne = async (manifest: Manifest): Promise<T[]> => {
    try {
      return [await work(manifest)];
    } catch (error) {
      const exit = exitOfError(error);
      if (manifests.length === 1 || exit === 'serverAway') throw error;
      note(`${titleOf(manifest)}: ${explainError(error, { debug: false })}`);
      exitWith(exit);
      return [];
    }
  };
  const { default: pMap } = await import('p-map');
  return (await pMap(manifests, workOnOne, { concurrency: AT_ONCE })).flat();
}
