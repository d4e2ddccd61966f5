import { z } from 'zod';
import type { Role } from '../../../../contracts/training-job.ts';

/** What a role knows of its replicated job, beside the pods. */
export const roleOptions = z.object({
  replicatedJob: z.object({
    /** Jobs that JobSet would make of it, and pods of each. */
    replicas: z.int(),
    perJob: z.int(),
    /** Jobs of all replicated jobs, and of its group; and how many come before its own. */
    globalReplicas: z.int(),
    globalIndex: z.int(),
    group: z.string(),
    groupReplicas: z.int(),
    groupIndex: z.int(),
    /** Which step of the TrainJob it is. */
    ancestor: z.string().optional(),
  }),
});

export const roleOptionsOf = ({ options = {} }: Pick<Role, 'options'>) =>
  roleOptions.parse(options).replicatedJob;
