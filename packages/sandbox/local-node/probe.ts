import { connect } from 'node:net';
import { Agent, request } from 'undici';
import { type ContainerPort, callAfter, pause, timeoutSignal } from '../engine.ts';
import type { Probe } from './fields.ts';
import type { ContainerProcess } from './process.ts';

interface ProbeTarget {
  readonly address: string;
  readonly ports: readonly ContainerPort[];
  readonly container: ContainerProcess;
}

interface ProbeFollower {
  /** What counts before the first probe. */
  readonly initially: boolean;
  onChange(passes: boolean): void;
}

/** Probes until the signal aborts, with the defaults of core/v1; reports when the result changes. */
export async function probeUntil(
  stop: AbortSignal,
  probe: Probe | undefined,
  target: ProbeTarget,
  { initially, onChange }: ProbeFollower,
): Promise<void> {
  if (!probe) return;
  const { initialDelaySeconds = 0, periodSeconds = 10, successThreshold = 1, failureThreshold = 3 } = probe;
  let passes = initially;
  let streak = 0;
  await pause(initialDelaySeconds * 1000, stop);
  while (!stop.aborted) {
    const passed = await tryOnce(probe, target);
    if (stop.aborted) return;
    streak = passed === passes ? 0 : streak + 1;
    if (streak >= (passed ? successThreshold : failureThreshold)) {
      passes = passed;
      streak = 0;
      onChange(passes);
    }
    await pause(periodSeconds * 1000, stop);
  }
}

async function tryOnce(probe: Probe, target: ProbeTarget): Promise<boolean> {
  const timeoutMs = (probe.timeoutSeconds ?? 1) * 1000;
  try {
    if (probe.httpGet) return await httpGet(probe.httpGet, target, timeoutMs);
    if (probe.tcpSocket) return await tcpSocket(probe.tcpSocket, target, timeoutMs);
    if (probe.exec) return await exec(probe.exec.command, target, timeoutMs);
    return true; // gRPC is not supported
  } catch {
    return false;
  }
}

async function httpGet(
  { path = '/', port, host, scheme = 'HTTP', httpHeaders = [] }: NonNullable<Probe['httpGet']>,
  target: ProbeTarget,
  timeoutMs: number,
): Promise<boolean> {
  const url = `${scheme.toLowerCase()}://${host ?? target.address}:${portNumber(port, target)}`;
  const dispatcher = new Agent({ connect: { rejectUnauthorized: false } });
  try {
    const { statusCode, body } = await request(new URL(path, url), {
      dispatcher,
      signal: timeoutSignal(timeoutMs),
      headers: Object.fromEntries(httpHeaders.map(({ name, value }) => [name, value])),
    });
    await body.dump();
    return statusCode >= 200 && statusCode < 400;
  } finally {
    await dispatcher.destroy();
  }
}

function tcpSocket(
  { port, host }: NonNullable<Probe['tcpSocket']>,
  target: ProbeTarget,
  timeoutMs: number,
): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ port: portNumber(port, target), host: host ?? target.address });
    const cancel = callAfter(timeoutMs, () => answer(false));
    const answer = (passed: boolean) => {
      cancel();
      socket.destroy();
      resolve(passed);
    };
    socket.once('connect', () => answer(true));
    socket.once('error', () => answer(false));
  });
}

async function exec(command: readonly string[], { container }: ProbeTarget, timeoutMs: number) {
  const { exitCode } = await container.exec(command, timeoutSignal(timeoutMs));
  return exitCode === 0;
}

function portNumber(port: number | string, { ports }: ProbeTarget): number {
  return Number(ports.find(({ name }) => name === port)?.containerPort ?? port);
}
