import { z } from 'zod';
import { parseQuantity } from '../quantity.ts';
import { numberOrText } from './number-or-text.ts';

const A_QUANTITY = 'a quantity >= 0, e.g. 4, 500m or 8Gi';
const QUANTITY = /^\+?(\d+\.?\d*|\.\d+)([KMGTPE]i|[numkMGTPE]|[eE][+-]?\d{1,3})?$/;

const quantity = z
  .union([z.string(), z.number()], { error: A_QUANTITY })
  .refine((amount) => (parseQuantity(amount)?.nanos ?? -1n) >= 0n, { error: A_QUANTITY })
  .meta({
    id: 'Quantity',
    description: 'A Kubernetes quantity, e.g. 4, 500m or 8Gi; not negative.',
    ...numberOrText({ minimum: 0 }, QUANTITY),
  });

/** By resource. */
export const quantitiesSchema = z.record(z.string(), quantity);
