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
  const withoutServers = join(scratch, 'signing-config.json');
  if (key) await runProgram(cosign, ['signing-config', 'create', `--out=${withoutServers}`]);
  const how = key ? [`--key=${key}`, `--signing-config=${withoutServers}`] : [];
  return async (command, ...args) => {
    await runProgram(cosign, [command, '--yes', ...how, ...args]);
  };
}
