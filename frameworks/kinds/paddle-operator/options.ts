import { z } from 'zod';
import type { Draft } from '../../framework.ts';
import { orDefault } from '../../manifest/paddle-dialect.ts';

/** The first port of every pod where it has an address of its own. */
export const PADDLE_PORT = 2379;

/** What only a PaddleJob of paddle-operator has in its spec. */
export const paddleOptions = z.object({
  /** How pods find each other: by address, by the names of their Services, or on the nodes' own network. */
  intranet: orDefault(['PodIP', 'Service', 'Host'], 'PodIP'),
  /** Off, for workers, for workers and servers. */
  withGloo: z.literal([0, 1, 2]).optional(),
  /** Its value says nothing: that it is there makes the job elastic. */
  elastic: z.int().optional(),
});
export type PaddleOptions = z.infer<typeof paddleOptions>;

export const optionsOf = ({ options }: Pick<Draft, 'options'>) => options as PaddleOptions;

export const isElastic = (job: Pick<Draft, 'options'>) => optionsOf(job).elastic !== undefined;
