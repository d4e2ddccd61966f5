import { idFolder, nameFolder, parseNameKey } from '../archive/archive-keys.ts';
import type { ArchiveStore } from '../archive/archive-store.ts';

/**
 * Returns the folders of the archives of a job, the one that closed last at the end. Reads no archive: they may be damaged.
 */
export async function foldersOfJob(
  store: ArchiveStore,
  wanted: { readonly namespace: string; readonly name: string } | { readonly workflowId: string },
): Promise<string[]> {
  const folders: string[] = [];
  if ('workflowId' in wanted) {
    for await (const key of store.list(idFolder(wanted.workflowId))) {
      const content = await store.read(key);
      if (content) folders.push(Buffer.from(content).toString().trim());
    }
  }
  const job = 'name' in wanted ? wanted : jobOf(wanted.workflowId);
  if (!job) return folders;
  for await (const key of store.list(nameFolder(job))) {
    const named = parseNameKey(key);
    if (named) folders.push(named.folder);
  }
  return folders;
}

function jobOf(workflowId: string): { readonly namespace: string; readonly name: string } | undefined {
  const [, namespace, name] = /^job\/([^/]+)\/([^/]+)$/.exec(workflowId) ?? [];
  return namespace === undefined || name === undefined ? undefined : { namespace, name };
}
