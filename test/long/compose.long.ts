import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { ComposeStage } from '../deploy/docker/compose-stage.ts';
import { missingForCompose } from '../deploy/docker/requirements.ts';
import { ROOT } from '../deploy/manifests.ts';
import { shownOn } from '../docs/shown-commands.ts';

/**
 * docker-compose.yml as it stands, brought up by a real Docker engine with the commands of docs/compose.md. What stands in
 * for the images of registries is built once.
 */

const MINUTES = 60_000;
jest.setTimeout(10 * MINUTES);
const UI = 'http://127.0.0.1:8233/';

/** What a person may do wrong, with all else in order. */
interface Trouble {
  readonly name: string;
  readonly command: string;
  readonly env: Readonly<Record<string, string>>;
  /** By the terminal and by the page. */
  readonly said: string;
}

const TROUBLES: readonly Trouble[] = [
  {
    name: 'no password',
    command: 'docker compose up --detach',
    env: {},
    said: 'the password of the database - set it in .env',
  },
  {
    name: 'no such kubeconfig',
    command: 'docker compose run --rm cli list',
    env: { POSTGRES_PASSWORD: 'any', KUBECONFIG_FILE: './nowhere' },
    said: 'bind source path does not exist',
  },
  {
    name: 'no kubeconfig and no cluster',
    command: 'docker compose run --rm cli doctor',
    env: { POSTGRES_PASSWORD: 'any' },
    said: '/etc/signalbox/cluster/server-ca.crt',
  },
  {
    name: 'a server that containers do not reach',
    command:
      'sed --in-place s/host.docker.internal/127.0.0.1/ .kube/signalbox; docker compose run --rm cli doctor',
    env: { POSTGRES_PASSWORD: 'any', KUBECONFIG_FILE: '.kube/signalbox' },
    said: 'ECONNREFUSED 127.0.0.1',
  },
  {
    name: 'a port that is taken',
    command: [
      'docker run --detach --rm --name taken --publish 127.0.0.1:7233:7233 $TEMPORAL_TOOLS_IMAGE sleep 600',
      'trap "docker rm --force taken" EXIT',
      'docker compose up --detach',
    ].join(' && '),
    env: { POSTGRES_PASSWORD: 'any', KUBECONFIG_FILE: '.kube/signalbox' },
    said: 'port is already allocated',
  },
];

const missing = missingForCompose();
if (missing.length > 0) console.warn(`Skipped Docker Compose: ${missing.join('; ')}.`);

const page = readFileSync(join(ROOT, 'docs/compose.md'), 'utf8');

(missing.length > 0 ? describe.skip : describe)('docker compose', () => {
  let stage: ComposeStage;
  let before: readonly string[];
  beforeAll(async () => {
    before = tracesOfDocker();
    stage = await ComposeStage.open();
  }, 40 * MINUTES);
  afterEach(async () => {
    // What a failed test has left.
    const down = 'docker compose --profile cluster down --volumes --remove-orphans';
    await stage.type(down, stage.newFolder('down'), { POSTGRES_PASSWORD: 'any' });
  });
  afterAll(() => stage?.close());

  test('does what the page says, with a cluster elsewhere, and leaves nothing', async () => {
    const folder = stage.newFolder('elsewhere');
    const [before] = splitAt(page, '## Your own cluster');
    const [work, end] = splitAt(before, '**Take it down**');
    await follow(work, folder);
    expect(await stage.type('docker compose run --rm cli get elsewhere', folder)).toMatchObject({
      stdout: expect.stringContaining('Completed'),
    });
    const { stdout } = await stage.type('docker compose ps --format "{{.Service}} {{.Health}}"', folder);
    const services = ['postgres', 'temporal', 'temporal-ui', 'watcher', 'worker', 'worker'];
    expect(stdout.trim().split('\n').sort()).toEqual(services.map((name) => `${name} healthy`));
    expect(await stage.type(`busybox wget --spider ${UI}`, folder)).toMatchObject({ code: 0 });
    await follow(end, folder);
    expect(await stage.leftovers()).toEqual([]);
  });

  test('does what the page says, with a cluster that comes along, and leaves nothing', async () => {
    const folder = stage.newFolder('along');
    const [, section] = splitAt(page, '## A cluster that comes along');
    // Its stand-in needs no privileges, which root may lack here.
    const override = join(folder, 'stand-in.yaml');
    writeFileSync(override, 'services: { cluster: { privileged: false } }\n');
    await follow(section, folder, { COMPOSE_FILE: `docker-compose.yml:${override}` });
    expect(await stage.leftovers()).toEqual([]);
  });

  test.each(TROUBLES)('says what the page says about $name', async ({ name, said, env, command }) => {
    const folder = stage.newFolder(name.replaceAll(' ', '-'));
    const { code, stdout, stderr } = await stage.type(command, folder, env);
    expect(code).not.toBe(0);
    expect(stdout + stderr).toContain(said);
    expect(page).toContain(said);
  });

  test('leaves nothing of its engine on the machine', async () => {
    await stage.close();
    expect(tracesOfDocker()).toEqual(before);
  });

  /** Types the commands of a part of the page; each has to succeed, and to print the lines below it. */
  async function follow(
    part: string,
    folder: string,
    env: Readonly<Record<string, string>> = {},
  ): Promise<void> {
    const shown = shownOn(part);
    expect(shown.length).toBeGreaterThan(0);
    for (const { command, lines } of shown) {
      const { code, stdout, stderr } = await stage.type(command, folder, env);
      expect({ command, code, stdout, stderr }).toEqual({ command, code: 0, stdout, stderr });
      for (const line of lines)
        expect({ command, stdout }).toMatchObject({ stdout: expect.stringContaining(line) });
    }
  }
});

/** Links, mounts, rules, control groups, folders and processes of this machine that have to do with an engine. */
function tracesOfDocker(): readonly string[] {
  const script = `
    PATH=$PATH:/usr/sbin:/sbin
    { ip -oneline link; cat /proc/mounts; iptables -S; iptables -t nat -S; ls -d /sys/fs/cgroup/*/* /tmp/*; ps -e -o args; } |
      grep -i 'docker' | grep -v grep | sort`;
  return execFileSync('sh', ['-c', `${script} || true`], { encoding: 'utf8' }).split('\n');
}

function splitAt(text: string, mark: string): readonly [before: string, after: string] {
  const at = text.indexOf(mark);
  if (at < 0) throw new Error(`docs/compose.md: expected ${mark}, got none`);
  return [text.slice(0, at), text.slice(at)];
}
