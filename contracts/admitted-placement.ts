import { z } from 'zod';

/** What the queue that admits a job adds to the pods of a role. The pods of one attempt all have the same. */

const strings = z.record(z.string(), z.string());

const podPlacement = z.object({
  labels: strings,
  annotations: strings,
  nodeSelector: strings,
  tolerations: z.array(z.looseObject({})),
  schedulingGates: z.array(z.object({ name: z.string() })),
});

/** `roles`: by role in lower case. */
const placement = z.object({ attempt: z.number().int(), roles: z.record(z.string(), podPlacement) });

export type PodPlacement = Readonly<z.infer<typeof podPlacement>>;
export type AdmittedPlacement = Readonly<z.infer<typeof placement>>;

/** Returns undefined for what is no placement: any user can edit an anchor. */
export function parsePlacement(text: string | undefined): AdmittedPlacement | undefined {
  if (text === undefined) return undefined;
  try {
    return placement.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}
