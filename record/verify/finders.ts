import { archiveFolder, idKey } from '../archive/archive-keys.ts';
import type { AnyLeaf } from '../archive/log-leaf.ts';

const FOLDER = /^jobs\/namespace=[\w.-]+\/day=\d{4}-\d{2}-\d{2}\/\w[\w.-]*$/;

/** Whether a leaf is about a folder that an archive can have. A forged one must not lead out of the store. */
export const hasArchiveFolder = ({ folder, firstRunId }: AnyLeaf): boolean =>
  FOLDER.test(folder) && /^[\w.-]+$/.test(firstRunId) && folder.endsWith(`-${firstRunId}`);

/** Returns the keys that find an archive by its job's name, and by a workflow id that does not follow from it. */
export function finderKeys(leaf: AnyLeaf): readonly string[] {
  const { workflowId, firstRunId, folder } = leaf;
  const [, namespace = '', day = '', job = ''] = folder.split('/');
  const closed = day.slice('day='.length);
  const byName = `names/${namespace}/${job.slice(0, -firstRunId.length - 1)}/${closed}_${firstRunId}`;
  return isDefaultId(leaf, closed)
    ? [byName]
    : [byName, idKey(workflowId, { ...NO_NAME, firstRunId, closed })];
}

/** The key by a workflow id does not depend on them. */
const NO_NAME = { namespace: '', name: '' };

function isDefaultId({ workflowId, firstRunId, folder }: AnyLeaf, closed: string): boolean {
  const [, namespace, name] = /^job\/([^/]+)\/([^/]+)$/.exec(workflowId) ?? [];
  if (namespace === undefined || name === undefined) return false;
  return archiveFolder({ namespace, name, firstRunId, closed }) === folder;
}
