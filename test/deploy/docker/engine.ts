import { execFile } from 'node:child_process';
import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { chmod, copyFile, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ensurePrograms, type ProcessReaper, startProcessReaper } from '@signalbox/sandbox';
import {
  chooseNetwork,
  endGroup,
  findInit,
  hostAddress,
  inside,
  makeCgroup,
  namespacesCommand,
  PATH,
  removeCgroup,
  run,
  startInBackground,
  untilGone,
} from '@signalbox/sandbox/real-node';
import { ensureDocker } from './debian-docker.ts';

const execute = promisify(execFile);

/** What a program printed, whether it failed or not. */
export interface Printed {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

interface Settings {
  readonly dir: string;
  readonly init: number;
  readonly address: string;
  close(): Promise<void>;
}

/**
 * A Docker engine with Docker Compose, in namespaces of its own: it shares neither images nor networks, ports, iptables
 * rules and mounts with another engine of this machine, and ends with this process, however that ends.
 */
export class DockerEngine {
  readonly #settings: Settings;

  static async start(): Promise<DockerEngine> {
    const { 'docker-compose': compose } = await ensurePrograms({ names: ['docker-compose'] });
    const docker = await ensureDocker();
    // Short: the path of a socket is.
    const dir = await mkdtemp(join(tmpdir(), 'docker-'));
    await chmod(dir, 0o711);
    const plugins = join(dir, 'config/cli-plugins');
    await mkdir(plugins, { recursive: true });
    // The caches belong to root alone.
    await copyFile(compose, join(plugins, 'docker-compose'));
    await mkdir(join(dir, 'bin'));
    await copyFile(join(docker, 'usr/bin/docker'), join(dir, 'bin/docker'));
    return new DockerEngine(await startEngine(dir, docker));
  }

  private constructor(settings: Settings) {
    this.#settings = settings;
  }

  /** At which containers reach servers of this machine: `host.docker.internal`. */
  get hostAddress(): string {
    return this.#settings.address;
  }

  /** What a person types at a prompt of bash in this folder, who is not root but may use the engine. */
  async type(command: string, cwd: string, env: Readonly<Record<string, string>> = {}): Promise<Printed> {
    const { dir, init } = this.#settings;
    // In the network of the engine, where its ports are open, and with the files of this machine.
    const network = [`--target=${init}`, '--net', '--'];
    const person = ['setpriv', `--reuid=${PERSON}`, `--regid=${PERSON}`, '--clear-groups', '--no-new-privs'];
    const child = execute('nsenter', [...network, ...person, 'bash', '--norc', '-c', command], {
      cwd,
      env: {
        ...{ PATH: `${join(dir, 'bin')}:${PATH}`, HOME: cwd, DOCKER_CONFIG: join(dir, 'config') },
        ...{ DOCKER_HOST: `unix://${socketOf(dir)}`, COMPOSE_PROGRESS: 'plain' },
        ...env,
      },
      maxBuffer: 64 * 1024 * 1024,
    });
    child.child.stdin?.end();
    return child.then(
      ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
      ({ code, stdout, stderr }) => ({ code, stdout, stderr }),
    );
  }

  /** What a command prints that has to succeed. */
  async do(command: string, cwd: string = this.#settings.dir): Promise<string> {
    const { code, stdout, stderr } = await this.type(command, cwd);
    if (code !== 0) throw new Error(`${command}: ended with ${code}\n${stdout}${stderr}`);
    return stdout.trim();
  }

  /** Adds the images of an archive. */
  async load(archive: string): Promise<void> {
    await run(join(this.#settings.dir, 'bin/docker'), [
      `--host=unix://${socketOf(this.#settings.dir)}`,
      ...['load', `--input=${archive}`],
    ]);
  }

  /** Stops the engine as its service would be, and removes all that is left of it. */
  close(): Promise<void> {
    return this.#settings.close();
  }
}

/** The number of a person's user and group, which no other user of this machine needs to have. */
export const PERSON = 1000;

const socketOf = (dir: string) => join(dir, 'docker.sock');

async function startEngine(dir: string, docker: string): Promise<Settings> {
  const reaper = await startProcessReaper();
  const cgroup = `/${dir.split('/').at(-1)}`;
  let init = 0;
  makeCgroup(cgroup);
  const holder = await startInBackground({
    ...{ name: 'namespaces', command: namespacesCommand(dir, []), log: join(dir, 'namespaces.log'), reaper },
    isReady: (pid) => {
      init = findInit(pid) ?? 0;
      return init > 0;
    },
    readyWithinMs: 20_000,
  });
  const remove = async () => {
    await endGroup(holder, 0);
    await untilGone(holder.pid);
    reaper.close();
    await removeCgroup(cgroup);
    await rm(dir, { recursive: true });
  };
  let names: Socket | undefined;
  try {
    const cable = await connect(init);
    names = await answerNobody(cable.host);
    const dockerd = await startDockerd({ dir, docker, init, cable, cgroup, reaper });
    const close = async () => {
      await endGroup(dockerd, 30_000);
      names?.close();
      await remove();
    };
    return { dir, init, address: cable.host, close };
  } catch (error) {
    names?.close();
    await remove();
    throw error;
  }
}

/** The two ends of a cable. */
interface Cable {
  /** Of this machine. */
  readonly host: string;
  /** Of the engine. */
  readonly engine: string;
}

/** Lays a cable to the namespace, which is removed with it. */
async function connect(init: number): Promise<Cable> {
  const network = await chooseNetwork();
  const ends = { host: hostAddress(network), engine: `${network.prefix}.0.2` };
  const cable = `${network.bridge}d`;
  await run('ip', ['link', 'add', cable, 'type', 'veth', 'peer', 'name', 'eth0', 'netns', String(init)]);
  await run('ip', ['addr', 'add', `${ends.host}/24`, 'dev', cable]);
  await run('ip', ['link', 'set', cable, 'up']);
  const ip = (...args: string[]) => {
    const [program, ...rest] = inside(init, 'ip', ...args);
    return run(program, rest);
  };
  await ip('link', 'set', 'lo', 'up');
  await ip('addr', 'add', `${ends.engine}/24`, 'dev', 'eth0');
  await ip('link', 'set', 'eth0', 'up');
  await ip('route', 'add', 'default', 'via', ends.host);
  return ends;
}

/**
 * A name server that knows nobody: there is nothing but the containers. Without one, clients of gRPC wait for the answer to
 * a question of theirs until they give up.
 */
async function answerNobody(host: string): Promise<Socket> {
  const socket = createSocket('udp4');
  socket.on('message', (question, { address, port }) => {
    const answer = Buffer.from(question);
    answer[2]! |= 0x80; // an answer
    answer[3] = 0x83; // recursive, no such name
    socket.send(answer, port, address);
  });
  socket.bind(53, host);
  await once(socket, 'listening');
  return socket;
}

async function startDockerd(engine: {
  readonly dir: string;
  /** The root folder of Docker's programs. */
  readonly docker: string;
  readonly init: number;
  readonly cable: Cable;
  readonly cgroup: string;
  readonly reaper: ProcessReaper;
}) {
  const { dir, docker, init, cable, cgroup, reaper } = engine;
  const path = [join(docker, 'usr/sbin'), join(docker, 'usr/bin'), PATH].join(':');
  await writeFile(join(dir, 'daemon.json'), '{}');
  const command = [
    ...['env', `PATH=${path}`, 'dockerd', `--config-file=${join(dir, 'daemon.json')}`],
    ...[`--data-root=${join(dir, 'data')}`, '--exec-root=/run/docker', '--pidfile=/run/docker.pid'],
    ...[`--host=unix://${socketOf(dir)}`, `--host-gateway-ip=${cable.host}`, `--cgroup-parent=${cgroup}`],
    `--group=${PERSON}`,
    `--dns=${cable.host}`,
  ];
  return startInBackground({
    ...{ name: 'dockerd', command: inside(init, ...command), log: join(dir, 'dockerd.log'), reaper },
    isReady: () => existsSync(socketOf(dir)),
    readyWithinMs: 60_000,
  });
}
