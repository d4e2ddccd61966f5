import { spawn } from 'node:child_process';
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ensurePrograms } from '@signalbox/sandbox';
import type { Stage } from './stage.ts';

/** A folder with files, and a shell in it, in which `kubectl` means the cluster and the namespace of a stage. */
export interface Shell {
  /** Returns all that the command prints, whether it succeeds or not. `until`: it is ended once it has printed this. */
  type(command: string, until?: RegExp): Promise<string>;
  close(): Promise<void>;
}

export async function openShell(
  { sandbox, namespace }: Pick<Stage, 'sandbox' | 'namespace'>,
  files: Readonly<Record<string, string>> = {},
): Promise<Shell> {
  const { kubectl } = await ensurePrograms({ names: ['kubectl'] });
  const folder = await mkdtemp(join(tmpdir(), 'signalbox-shell-'));
  const bin = join(folder, 'bin');
  await mkdir(bin);
  const program = join(bin, 'kubectl');
  // It calls itself by its name in what it writes.
  const args = `--kubeconfig '${sandbox.kubeconfig}' -n '${namespace}'`;
  await writeFile(program, `#!/bin/bash\nexec -a kubectl '${kubectl}' ${args} "$@"\n`);
  await chmod(program, 0o755);
  for (const [name, content] of Object.entries(files)) await writeFile(join(folder, name), content);
  const env = { ...process.env, PATH: `${bin}:${process.env.PATH}` };
  const type: Shell['type'] = (command, until) =>
    new Promise((resolve, reject) => {
      const shell = spawn('bash', ['-c', command], { cwd: folder, env });
      let printed = '';
      const read = (text: string) => {
        printed += text;
        if (until?.test(printed)) shell.kill();
      };
      for (const stream of [shell.stdout, shell.stderr]) stream.setEncoding('utf8').on('data', read);
      shell.once('error', reject);
      shell.once('close', () => resolve(printed));
    });
  return { type, close: () => rm(folder, { recursive: true }) };
}
