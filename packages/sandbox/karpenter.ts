import { ensurePrograms } from './programs/ensure-programs.ts';
import { karpenterCustomResources } from './programs/karpenter/program.ts';
import { ensureModuleFiles, type FromModule } from './programs/module-files.ts';

export interface KarpenterFiles {
  readonly program: string;
  /** A YAML file that defines its kinds. */
  readonly customResources: string;
}

/** Returns what a client needs to run Karpenter beside a sandbox with simulated nodes, which does not run it. */
export async function ensureKarpenter(from: FromModule = {}): Promise<KarpenterFiles> {
  const { karpenter: program } = await ensurePrograms({ names: ['karpenter'], ...from });
  return { program, customResources: await ensureModuleFiles(karpenterCustomResources, from) };
}
