import { ensurePrograms } from './programs/ensure-programs.ts';
import { jobsetCustomResources, jobsetWebhooks } from './programs/jobset/program.ts';
import { karpenterCustomResources } from './programs/karpenter/program.ts';
import { kueueChart } from './programs/kueue/program.ts';
import { ensureModuleFiles, ensureModuleFolder, type FromModule } from './programs/module-files.ts';
import { trainerCustomResources, trainerWebhooks } from './programs/trainer/program.ts';
import { pytorchJobCustomResource } from './programs/training-operator/program.ts';

/** What a client needs to run operators of others beside a sandbox, which does not run them. */

export interface OperatorFiles {
  readonly program: string;
  /** A YAML file that defines its kinds. */
  readonly customResources: string;
}

/** Needs simulated nodes. */
export async function ensureKarpenter(from: FromModule = {}): Promise<OperatorFiles> {
  const { karpenter: program } = await ensurePrograms({ names: ['karpenter'], ...from });
  return { program, customResources: await ensureModuleFiles(karpenterCustomResources, from) };
}

/** Its file defines PyTorchJob. */
export async function ensureTrainingOperator(from: FromModule = {}): Promise<OperatorFiles> {
  const { 'training-operator': program } = await ensurePrograms({ names: ['training-operator'], ...from });
  return { program, customResources: await ensureModuleFiles(pytorchJobCustomResource, from) };
}

export interface OperatorWithWebhooks extends OperatorFiles {
  /** A YAML file with the configurations of its webhooks. */
  readonly webhooks: string;
}

export async function ensureJobSet(from: FromModule = {}): Promise<OperatorWithWebhooks> {
  const { jobset: program } = await ensurePrograms({ names: ['jobset'], ...from });
  const customResources = await ensureModuleFiles(jobsetCustomResources, from);
  return { program, customResources, webhooks: await ensureModuleFiles(jobsetWebhooks, from) };
}

/** Returns the file with the definition of JobSets alone, which others watch. */
export const ensureJobSetDefinition = (from: FromModule = {}): Promise<string> =>
  ensureModuleFiles(jobsetCustomResources, from);

/** Kubeflow Trainer 2, which makes JobSets. */
export async function ensureTrainer(from: FromModule = {}): Promise<OperatorWithWebhooks> {
  const { trainer: program } = await ensurePrograms({ names: ['trainer'], ...from });
  const customResources = await ensureModuleFiles(trainerCustomResources, from);
  return { program, customResources, webhooks: await ensureModuleFiles(trainerWebhooks, from) };
}

export interface KueueFiles {
  /** Its manager. */
  readonly program: string;
  /** The folder of its Helm chart. */
  readonly chart: string;
}

export async function ensureKueue(from: FromModule = {}): Promise<KueueFiles> {
  const { kueue: program } = await ensurePrograms({ names: ['kueue'], ...from });
  return { program, chart: await ensureModuleFolder(kueueChart) };
}
