#!/usr/bin/env node
// Stands in for kubectl where there is no container to run a command in:
// kubectl exec POD [--container NAME] -- /bin/sh -c COMMAND
import { dial } from '../../lib/channel.mjs';
import { askFor } from '../../lib/remote-command.mjs';
import { socketOf } from './sockets.mjs';

const [, , exec, pod, ...rest] = process.argv;
const command = rest.at(-1);
if (exec !== 'exec' || rest.slice(-4, -1).join(' ') !== '-- /bin/sh -c') {
  console.error(`expected exec POD -- /bin/sh -c COMMAND, got ${process.argv.slice(2).join(' ')}`);
  process.exit(2);
}
const channel = await dial({ path: socketOf(process.env, pod) });
process.exitCode = await askFor(command, channel);
channel.close();
