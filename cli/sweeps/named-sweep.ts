import { Argument } from 'commander';
import type { SignalboxClient } from '../../client/handles/client.ts';
import type { SweepHandle } from '../../client/handles/sweep-handle.ts';
import { completedBy } from '../shell/completed-by.ts';

/** The argument that names a sweep. */
export const aSweep = (): Argument => completedBy('sweeps', new Argument('<name>', 'NAME or NAMESPACE/NAME'));

export function sweepNamed(client: SignalboxClient, given: string): SweepHandle {
  const [name = '', namespace] = given.split('/').toReversed();
  return client.sweepNamed({ name, namespace });
}
