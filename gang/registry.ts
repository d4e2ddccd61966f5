import type { GangProvider } from '../contracts/training-job.ts';
import type { GangAdapter } from './gang.ts';
import { native } from './native.ts';
import { none } from './none.ts';

/** Every gang scheduler that signalbox can use. */
export const GANG_ADAPTERS: Readonly<Record<GangProvider, GangAdapter>> = { none, native };

/** What `auto` tries, best first; none always works. */
export const AUTO_ORDER: readonly GangProvider[] = ['native', 'none'];
