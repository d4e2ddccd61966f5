import { join } from 'node:path';
import { ensurePrograms } from '@signalbox/sandbox';
import { runProgram } from './run-program.ts';

/** Signs or attests something. */
type Cosign = (command: string, ...args: readonly string[]) => Promise<void>;

/**
 * Returns what signs: with a key, and then without any server of Sigstore; else by the identity that the CI system gives,
 * which is in Sigstore's public log from then on.
 */
export async function openCosign(scratch: string, key?: string): Promise<Cosign> {
  const { cosign } = await ensurePrograms({ names: ['cosign'] });
  const how = key ? [`--key=${key}`, ...(await withoutServers(cosign, scratch))] : [];
  return async (command, ...args) => {
    await runProgram(cosign, [command, '--yes', ...how, ...args]);
  };
}

/** Names no servers: neither to log signatures, nor, by default asked of Sigstore each time, whom to trust. */
async function withoutServers(cosign: string, scratch: string): Promise<readonly string[]> {
  const options: string[] = [];
  for (const name of ['signing-config', 'trusted-root']) {
    const file = join(scratch, `${name}.json`);
    await runProgram(cosign, [name, 'create', `--out=${file}`]);
    options.push(`--${name}=${file}`);
  }
  return options;
}
