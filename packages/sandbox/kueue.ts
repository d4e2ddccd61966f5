import { ensurePrograms } from './programs/ensure-programs.ts';
import { kueueChart } from './programs/kueue/program.ts';
import { ensureModuleFolder, type FromModule } from './programs/module-files.ts';

export interface KueueFiles {
  /** Its manager. */
  readonly program: string;
  /** The folder of its Helm chart. */
  readonly chart: string;
}

/** Returns what a client needs to run Kueue beside a sandbox, which does not run it. */
export async function ensureKueue(from: FromModule = {}): Promise<KueueFiles> {
  const { kueue: program } = await ensurePrograms({ names: ['kueue'], ...from });
  return { program, chart: await ensureModuleFolder(kueueChart) };
}
