// Commands for another pod: what sshd and `kubectl exec` do on a cluster.
import { spawn } from 'node:child_process';

/** Has a command run on the other side and prints what it prints; gives its exit code. */
export async function askFor(command, channel) {
  channel.send({ command });
  for (;;) {
    const { stream, chunk, exitCode } = await channel.receive();
    if (exitCode !== undefined) return exitCode;
    process[stream].write(Buffer.from(chunk, 'base64'));
  }
}

/** Runs the command that the other side asks for; it ends when the other side does. */
export async function serve(channel) {
  const { command } = await channel.receive();
  console.log(`runs ${command}`);
  const child = spawn('/bin/sh', ['-c', command], { stdio: ['ignore', 'pipe', 'pipe'] });
  for (const stream of ['stdout', 'stderr'])
    child[stream].on('data', (chunk) => channel.send({ stream, chunk: chunk.toString('base64') }));
  child.once('close', (code) => {
    channel.send({ exitCode: code ?? 1 });
    channel.close();
  });
  channel.socket.once('close', () => child.kill());
}
