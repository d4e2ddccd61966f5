import type { Fault } from '../../../../contracts/types.ts';
import { ownValue } from '../../../../language/fields.ts';
import { describeValue } from '../../../fields/faults.ts';
import { containerNamed, withContainer } from '../spec/containers.ts';
import type { ReplicatedJob } from '../spec/runtime.ts';
import { firstNodeOf, type JobWithRuntime, MEETING_PORT, NODE, nodesOf } from './ml-policy.ts';
import { gpusOfNode } from './node-resources.ts';
import { withTrainers } from './trainer-jobs.ts';

const PREFIX = 'torchtune-';
/** The models that torchtune has configurations of, by the end of the runtime's name. */
const MODELS: Readonly<Record<string, string>> = {
  'llama3.2-1b': 'llama3_2/1B',
  'llama3.2-3b': 'llama3_2/3B',
  'llama3.3-70b': 'llama3_3/70B',
  'qwen2.5-1.5b': 'qwen2_5/1.5B',
};
const ON_SEVERAL_NODES = 'llama3_3/70B';
/** What the runtime sets, with its volumes. */
const FIXED = ['output_dir', 'tokenizer.path', 'tokenizer.merges_file', 'checkpointer.checkpoint_dir'];

const LORA = 'model.lora_attn_modules';

/** Whether the job asks for torchtune: the recipe and its configuration follow from the rest of it. */
export const isTune = ({ options: { trainer } }: JobWithRuntime): boolean =>
  trainer?.command?.length === 2 && trainer.command[0] === 'tune' && trainer.command[1] === 'run';

const argsOf = ({ options }: JobWithRuntime): readonly string[] => options.trainer?.args ?? [];
const hasLora = (job: JobWithRuntime): boolean => argsOf(job).some((arg) => arg.includes(LORA));
const runtimeName = ({ options }: JobWithRuntime): string => options.runtimeRef.name;
const modelOf = (job: JobWithRuntime): string | undefined =>
  runtimeName(job).startsWith(PREFIX) ? ownValue(MODELS, runtimeName(job).slice(PREFIX.length)) : undefined;

export function checkTune(job: JobWithRuntime): Fault[] {
  const model = modelOf(job);
  const faults: Fault[] = [];
  if (model === undefined) {
    const expected = `one of ${Object.keys(MODELS)
      .map((name) => PREFIX + name)
      .join(', ')} for the command tune run`;
    faults.push({ path: 'spec.runtimeRef.name', expected, got: describeValue(runtimeName(job)) });
  }
  if (nodesOf(job) > 1 && (model !== ON_SEVERAL_NODES || hasLora(job))) {
    const expected = `1: only ${ON_SEVERAL_NODES} without LoRA is tuned on several nodes`;
    faults.push({ path: 'spec.trainer.numNodes', expected, got: `${nodesOf(job)}` });
  }
  const fixed = argsOf(job).flatMap((arg, index) =>
    FIXED.includes(arg.split('=')[0]!)
      ? [
          {
            path: `spec.trainer.args[${index}]`,
            expected: `no ${arg.split('=')[0]}, which the runtime sets`,
            got: describeValue(arg),
          },
        ]
      : [],
  );
  return [...faults, ...fixed];
}

/** Writes the command: recipe, configuration, and what the runtime's own command says of places. */
export const withTune = (jobs: readonly ReplicatedJob[], job: JobWithRuntime, processes: string) =>
  withTrainers(jobs, (trainer) => {
    const command = commandOf(job, trainer, processes);
    return withContainer(trainer, NODE, (container) => ({ ...container, command }));
  });

function commandOf(job: JobWithRuntime, trainer: ReplicatedJob, processes: string): readonly string[] {
  const isAlone = nodesOf(job) === 1 && (processes === '1' || gpusOfNode(job, trainer) === 1);
  const { recipe, suffix } = recipeOf(job, isAlone);
  const original = job.options.runtime.template.spec.replicatedJobs.find((one) => one.name === trainer.name);
  const kept = (containerNamed(original!, NODE)?.command ?? []).filter((word) =>
    FIXED.some((name) => word.startsWith(`${name}=`)),
  );
  const meeting = isAlone ? [] : [`--rdzv_endpoint=${firstNodeOf(job, trainer.name)}:${MEETING_PORT}`];
  return ['tune', 'run', ...meeting, recipe, '--config', `${modelOf(job)}${suffix}`, ...kept];
}

function recipeOf(
  job: JobWithRuntime,
  isAlone: boolean,
): { readonly recipe: string; readonly suffix: string } {
  if (nodesOf(job) > 1) return { recipe: 'full_finetune_distributed', suffix: '_full_multinode' };
  const place = isAlone ? 'single_device' : 'distributed';
  if (!hasLora(job))
    return { recipe: `full_finetune_${place}`, suffix: isAlone ? '_full_single_device' : '_full' };
  const args = argsOf(job);
  const isQuantised = args.includes('model.quantize_base=true') && !args.includes('model.use_dora=true');
  const method = isQuantised ? '_qlora' : '_lora';
  return { recipe: `lora_finetune_${place}`, suffix: isAlone ? `${method}_single_device` : method };
}
