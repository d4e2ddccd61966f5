import { existsSync, mkdirSync, rmdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { resetSandbox } from '../sandbox.ts';
import { endGroup } from './background.ts';
import { removeCgroup } from './cgroups.ts';
import { OWN_FOLDERS } from './namespaces.ts';
import { removeBridge } from './network.ts';
import { powerOff } from './node.ts';
import { clusterPaths } from './paths.ts';
import { readRecord } from './record.ts';

/** Creates missing fixed folders of the programs, because a node mounts its own over them. Returns the created ones. */
export function makeOwnFolders(): string[] {
  const missing = OWN_FOLDERS.filter((folder) => !existsSync(folder));
  for (const folder of missing) mkdirSync(folder, { recursive: true });
  return missing;
}

/** Ends all processes of the cluster in this folder, also after a crash, and removes what they created. */
export async function removeCluster(dir: string): Promise<void> {
  const paths = clusterPaths(dir);
  const record = readRecord(dir);
  if (record !== undefined) {
    for (const [name, node] of Object.entries(record.nodes)) {
      if (node.kubelet !== undefined) await endGroup(node.kubelet, 2_000);
      await powerOff(node, { dir: join(paths.nodes, name), cgroup: `${record.cgroup}/${name}` });
    }
    for (const program of Object.values(record.programs)) await endGroup(program, 5_000);
    await removeCgroup(record.cgroup);
    await removeBridge(record.network);
    for (const folder of record.madeFolders) removeIfEmpty(folder);
  }
  await resetSandbox(paths.sandbox);
  rmSync(paths.nodes, { recursive: true, force: true });
  rmSync(paths.record, { force: true });
}

function removeIfEmpty(folder: string): void {
  try {
    rmdirSync(folder);
  } catch {
    // not empty: another program uses it
  }
}
