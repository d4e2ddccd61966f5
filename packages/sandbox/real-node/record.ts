import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { z } from 'zod';
import { errorCode } from '../engine.ts';
import { processIdentitySchema } from '../process-identity.ts';
import { nodeTimesSchema } from '../state.ts';
import { clusterPaths } from './paths.ts';

/** What was started and created. Saved first, so that a later run can remove it after any crash. */
const recordSchema = z.object({
  network: z.object({ bridge: z.string(), prefix: z.string() }),
  cgroup: z.string(),
  times: nodeTimesSchema,
  /** The fixed folders of the programs that did not exist before. */
  madeFolders: z.array(z.string()),
  /** Programs of this machine, e.g. the name server. */
  programs: z.record(z.string(), processIdentitySchema),
  nodes: z.record(
    z.string(),
    z.object({
      index: z.number().int(),
      /** The process that holds the namespaces, and the leaders of the programs inside. */
      holder: processIdentitySchema.optional(),
      containerd: processIdentitySchema.optional(),
      kubelet: processIdentitySchema.optional(),
    }),
  ),
});
export type ClusterRecord = z.infer<typeof recordSchema>;
export type NodeRecord = ClusterRecord['nodes'][string];

export function readRecord(dir: string): ClusterRecord | undefined {
  let text: string;
  try {
    text = readFileSync(clusterPaths(dir).record, 'utf8');
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined;
    throw error;
  }
  return recordSchema.parse(JSON.parse(text));
}

export function writeRecord(dir: string, record: ClusterRecord): void {
  const file = clusterPaths(dir).record;
  writeFileSync(`${file}.part`, `${JSON.stringify(record, null, 2)}\n`);
  renameSync(`${file}.part`, file);
}
