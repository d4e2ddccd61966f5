import { ensurePrograms } from './programs/ensure-programs.ts';
import { ensureModuleFiles, type FromModule } from './programs/module-files.ts';
import { pytorchJobCustomResource } from './programs/training-operator/program.ts';

export interface TrainingOperatorFiles {
  readonly program: string;
  /** A YAML file that defines PyTorchJob. */
  readonly customResources: string;
}

/** Returns what a client needs to run training-operator beside a sandbox, which does not run it. */
export async function ensureTrainingOperator(from: FromModule = {}): Promise<TrainingOperatorFiles> {
  const { 'training-operator': program } = await ensurePrograms({ names: ['training-operator'], ...from });
  return { program, customResources: await ensureModuleFiles(pytorchJobCustomResource, from) };
}
