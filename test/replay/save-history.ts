import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { ensurePrograms } from '@signalbox/sandbox';
import { anonymous } from './anonymous.ts';

const FOLDER = fileURLToPath(new URL('./histories', import.meta.url));

interface Run {
  readonly address: string;
  readonly namespace?: string;
  readonly workflowId: string;
  /** The last one unless said otherwise. */
  readonly runId?: string;
}

/** Writes the history of a run to histories/, as Temporal's command line exports it. */
export async function saveHistory(
  name: string,
  { address, namespace = 'default', workflowId, runId }: Run,
): Promise<void> {
  const { temporal } = await ensurePrograms({ names: ['temporal'] });
  const which = ['--workflow-id', workflowId, ...(runId ? ['--run-id', runId] : [])];
  const where = ['--address', address, '--namespace', namespace];
  const show = ['workflow', 'show', ...which, ...where, '-o', 'json'];
  const { stdout } = await promisify(execFile)(temporal, show, { maxBuffer: 64 * 1024 * 1024 });
  await writeFile(`${FOLDER}/${name}.json`, `${anonymous(JSON.stringify(JSON.parse(stdout)))}\n`);
  console.log(`recorded ${name}`);
}
