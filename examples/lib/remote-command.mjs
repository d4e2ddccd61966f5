// Commands for another pod, over a socket: what sshd or `kubectl exec` do on a cluster. A line of JSON each: the command
// goes one way; what it prints, and its exit code, come back.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';

const DEADLINE_MS = 60_000;
const PAUSE_MS = 100;

const send = (socket, message) => socket.write(`${JSON.stringify(message)}\n`);

/** Asks for a command to be run and prints what it prints; gives its exit code. */
export async function askFor(command, socket) {
  send(socket, { command });
  for await (const line of createInterface(socket)) {
    const { stream, chunk, exitCode } = JSON.parse(line);
    if (exitCode !== undefined) return exitCode;
    process[stream].write(Buffer.from(chunk, 'base64'));
  }
  throw new Error(`the other side hung up while it ran: ${command}`);
}

/** Runs the command that is asked for; it ends with whoever asked for it. */
export function runFor(socket, { command }) {
  const child = spawn('/bin/sh', ['-c', command], { stdio: ['ignore', 'pipe', 'pipe'], detached: true });
  for (const stream of ['stdout', 'stderr'])
    child[stream].on('data', (chunk) => send(socket, { stream, chunk: chunk.toString('base64') }));
  child.once('close', (code, signal) => {
    send(socket, { exitCode: code ?? (signal ? 128 : 1) });
    socket.end();
  });
  socket.once('close', () => {
    if (child.exitCode === null) process.kill(-child.pid);
  });
}

/** Tries again and again: the other side may still have to start. */
export async function reach(where) {
  const until = Date.now() + DEADLINE_MS;
  for (;;) {
    const socket = connect(where);
    try {
      await once(socket, 'connect');
      return socket;
    } catch (error) {
      socket.destroy();
      if (Date.now() > until) throw error;
      await delay(PAUSE_MS);
    }
  }
}

/** The next message of the other side. */
export async function receive(socket) {
  ...
}
