import type { KindWarning } from '../../model/framework.ts';
import type { TrainOptions } from './spec/options.ts';

/** Forms of Trainer 2.0 and 2.1, which 2.3 drops without a word. */
export const olderForms: KindWarning<TrainOptions> = {
  in: ({ options }) => [
    ...(options.podTemplateOverrides ? [instead('podTemplateOverrides', '2.1')] : []),
    ...(options.podSpecOverrides ? [instead('podSpecOverrides', '2.0')] : []),
    ...(typeof options.trainer?.numProcPerNode === 'string'
      ? [
          `spec.trainer.numProcPerNode: ${options.trainer.numProcPerNode}: of Trainer 2.1; 2.3 takes a number, or none`,
        ]
      : []),
    ...(options.runtime.mlPolicy?.torch?.numProcPerNode === undefined
      ? []
      : [
          'spec.runtime.mlPolicy.torch.numProcPerNode: of Trainer 2.1; 2.3 takes spec.trainer.numProcPerNode',
        ]),
  ],
};

const instead = (field: string, version: string) =>
  `spec.${field}: of Trainer ${version}, taken as a patch; Trainer 2.3 drops it, and has spec.runtimePatches`;
