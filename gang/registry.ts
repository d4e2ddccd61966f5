import type { GangProvider } from '../contracts/training-job.ts';
import { coscheduling } from './coscheduling.ts';
import type { GangAdapter } from './gang.ts';
import { gated } from './gated.ts';
import { gatedNative } from './gated-native.ts';
import { kubeBatch } from './kube-batch.ts';
import { kueue } from './kueue.ts';
import { native } from './native.ts';
import { none } from './none.ts';
import { volcano } from './volcano.ts';

/** Every gang scheduler that signalbox can use. */
export const GANG_ADAPTERS: Readonly<Record<GangProvider, GangAdapter>> = {
  none,
  native,
  volcano,
  coscheduling,
  'kube-batch': kubeBatch,
  kueue,
  gated,
  'gated-native': gatedNative,
};
