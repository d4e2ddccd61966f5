import {
  type BuilderOption,
  type BuilderOptions,
  type ManifestPlace,
  POD_OPTIONS,
} from './common-options.ts';

const WRITTEN = ['image', 'command', 'args', 'env', 'cpu', 'memory', 'gpusPerNode'] as const;

/** The common options that a TrainJob writes into its trainer; it has no templates of pods. */
export const TRAINER_OPTIONS: BuilderOptions = Object.fromEntries(
  WRITTEN.map((name): [string, BuilderOption] => {
    const option: BuilderOption = POD_OPTIONS[name];
    return [name, { ...option, at: (option.at ?? []).map(inTrainer) }];
  }),
);

function inTrainer({ path: [, field = '', ...others], ...place }: ManifestPlace): ManifestPlace {
  const called = field === 'resources' ? 'resourcesPerNode' : field;
  return { path: ['spec', 'trainer', called, ...others], ...place };
}
