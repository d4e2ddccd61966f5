#!/usr/bin/env node
// Stands in for ssh where there is no sshd: ssh [-x] [-o OPTION] HOST COMMAND...
import { dial } from '../../lib/channel.mjs';
import { askFor } from '../../lib/remote-command.mjs';
import { answer } from './keys.mjs';
import { PORT } from './sshd.mjs';

const args = process.argv.slice(2);
while (args[0]?.startsWith('-')) args.splice(0, args[0] === '-o' ? 2 : 1);
const [host, ...command] = args;
const channel = await dial({ host, port: PORT });
const { challenge } = await channel.receive();
channel.send({ answer: answer(challenge, process.env.SSH_FOLDER) });
process.exitCode = await askFor(command.join(' '), channel);
channel.close();
