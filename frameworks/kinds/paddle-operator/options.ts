import { z } from 'zod';
import { orDefault } from '../../dialects/paddle-dialect.ts';
import type { Draft, JobWith } from '../../model/framework.ts';

/** The first port of every pod that has its own address. */
export const PADDLE_PORT = 2379;

/** The fields of spec that only a OperatorPaddleJob of paddle-operator has. */
export const paddleOptions = z.object({
  intranet: orDefault(['PodIP', 'Service', 'Host'], 'PodIP').describe(
    'How pods reach each other: by address, by the names of their Services, or on the host network.',
  ),
  withGloo: z
    .literal([0, 1, 2])
    .optional()
    .describe('Gloo; 0: off; 1: for workers; 2: for workers and servers.'),
  elastic: z.int().optional().describe('Its presence makes the job elastic; the value is not used.'),
});
export type PaddleOptions = z.infer<typeof paddleOptions>;

export type OperatorPaddleDraft = Draft<PaddleOptions>;
export type OperatorPaddleJob = JobWith<PaddleOptions>;

export const isElastic = ({ options }: Pick<OperatorPaddleDraft, 'options'>) => options.elastic !== undefined;
