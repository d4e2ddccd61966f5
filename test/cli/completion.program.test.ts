import { execFile, spawnSync } from 'node:child_process';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { freePort } from '../../worker/free-port.ts';
import { startFakeTemporal } from './fake-temporal.ts';
import { BIN, signalbox } from './process.ts';

/** Completion in the shells themselves, with the job `live` and the sweep `tune` in the namespace `default`. */

const run = promisify(execFile);
let server: Awaited<ReturnType<typeof startFakeTemporal>>;
let folder: string;
beforeAll(async () => {
  server = await startFakeTemporal();
  folder = await mkdtemp(join(tmpdir(), 'signalbox-completion-'));
  await writeFile(join(folder, 'kubeconfig'), kubeconfigOf(await listening(cluster)));
  const program = join(folder, 'signalbox');
  await writeFile(program, `#!/bin/sh\nexec "${process.execPath}" "${BIN}" "$@"\n`);
  await chmod(program, 0o755);
  for (const shell of SHELLS) {
    const { stdout } = await signalbox(['completion', shell]);
    await writeFile(join(folder, `script.${shell}`), stdout);
  }
  await signalbox(['context', 'add', 'prod', '-n', 'ml'], {
    env: { XDG_CONFIG_HOME: join(folder, 'config') },
  });
  await signalbox(['context', 'use', '--none'], { env: { XDG_CONFIG_HOME: join(folder, 'config') } });
});
afterAll(async () => {
  server.stop();
  cluster.close();
  await rm(folder, { recursive: true });
});

/** A cluster with two pods of the job `live`, and one of another. */
const cluster = createServer((request, response) => {
  const { searchParams } = new URL(request.url ?? '', 'http://cluster');
  const items = ['live-master-0', 'live-worker-0', 'other-worker-0']
    .filter((name) => searchParams.get('labelSelector')?.endsWith(`=${name.split('-')[0]}`))
    .map((name) => ({ metadata: { name, namespace: 'default' } }));
  response.setHeader('content-type', 'application/json');
  response.end(JSON.stringify({ kind: 'PodList', apiVersion: 'v1', metadata: {}, items }));
});

async function listening(server: Server): Promise<string> {
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const kubeconfigOf = (url: string) =>
  JSON.stringify({
    ...{ apiVersion: 'v1', kind: 'Config', 'current-context': 'c', users: [{ name: 'u', user: {} }] },
    clusters: [{ name: 'k', cluster: { server: url, 'insecure-skip-tls-verify': true } }],
    contexts: [{ name: 'c', context: { cluster: 'k', user: 'u' } }],
  });

const SHELLS = ['bash', 'zsh', 'fish'] as const;
type Shell = (typeof SHELLS)[number];

/** The last word is the one at the cursor. */
const QUESTIONS: Readonly<Record<Shell, (words: readonly string[]) => string>> = {
  bash: (words) => `source ${folder}/script.bash
COMP_WORDS=(${quoted(words)}); COMP_CWORD=${words.length - 1}; _signalbox; printf '%s\\n' "\${COMPREPLY[@]}"`,
  // What bashcompinit does at a Tab.
  zsh: (words) => `autoload -Uz compinit; compinit -u -D; source ${folder}/script.zsh
COMP_WORDS=(${quoted(words)}); COMP_CWORD=${words.length - 1}; emulate sh -c _signalbox; printf '%s\\n' "\${COMPREPLY[@]}"`,
  fish: (words) => `source ${folder}/script.fish; complete -C '${words.join(' ')}'`,
};

const quoted = (words: readonly string[]) => words.map((word) => `'${word}'`).join(' ');

async function complete(shell: Shell, line: string, env = {}): Promise<string[]> {
  const { stdout } = await run(shell, [...FLAGS[shell], '-c', QUESTIONS[shell](line.split(' '))], {
    cwd: folder,
    env: {
      PATH: `${folder}:${process.env.PATH}`,
      HOME: folder,
      XDG_CONFIG_HOME: join(folder, 'config'),
      SIGNALBOX_SANDBOX_DIR: '/nowhere',
      TEMPORAL_ADDRESS: server.address,
      KUBECONFIG: join(folder, 'kubeconfig'),
      // Here a busy machine, not a user, decides how long it takes.
      SIGNALBOX_COMPLETION_TIMEOUT: '60',
      ...env,
    },
  });
  const word = line.split(' ').at(-1) ?? '';
  // fish adds descriptions; zsh itself leaves out, at a Tab, what does not begin with the word.
  return stdout
    .split('\n')
    .map((answer) => answer.split('\t')[0] ?? '')
    .filter((answer) => answer !== '' && answer.startsWith(word))
    .sort();
}

/** Without the files of this machine’s user. */
const FLAGS: Readonly<Record<Shell, readonly string[]>> = {
  bash: ['--norc'],
  zsh: ['-f'],
  fish: ['--no-config'],
};

const installed = (shell: Shell) => spawnSync(shell, ['--version']).status === 0;

describe.each(SHELLS)('completion in %s', (shell) => {
  // A shell that is not installed (apt-get install zsh fish) is skipped, and the report says so.
  const inShell = installed(shell) ? test : test.skip;

  inShell.each([
    ['signalbox su', ['submit', 'suspend']],
    ['signalbox submit --fo', ['--follow']],
    ['signalbox extend-deadline --b', ['--by']],
    ['signalbox list --phase R', ['Restarting', 'Running']],
    ['signalbox list -o ', ['json', 'name', 'wide', 'yaml']],
    ['signalbox submit -o ', ['json', 'yaml']],
    ['signalbox list --kind X', ['XGBoostJob']],
    ['signalbox list --reason NodeLo', ['NodeLost']],
    ['signalbox sandbox s', ['status']],
    ['signalbox context a', ['add']],
    ['signalbox completion z', ['zsh']],
    ['signalbox get l', ['live']],
    ['signalbox get ', ['live']],
    ['signalbox stop live li', ['live']],
    ['signalbox -n default logs ', ['live']],
    ['signalbox logs live@-', ['live@-1']],
    ['signalbox get live@', ['live@-1', 'live@0193a1b2-c3d4', 'live@0193b000-0000']],
    ['signalbox get default/live@0193a', ['default/live@0193a1b2-c3d4']],
    ['signalbox logs live ', ['live-master-0', 'live-worker-0']],
    ['signalbox logs -n default live live-w', ['live-worker-0']],
    ['signalbox logs live --pod ', ['live-master-0', 'live-worker-0']],
    ['signalbox evidence default/live --pod live-m', ['live-master-0']],
    ['signalbox diff live l', ['live']],
    ['signalbox sweep st', ['status', 'stop']],
    ['signalbox sweep status t', ['tune']],
    ['signalbox sweep stop ', ['tune']],
    ['signalbox logs -n d', ['default']],
    ['signalbox --context p', ['prod']],
    ['signalbox context use ', ['prod']],
  ])('%s', async (line, expected) => {
    expect(await complete(shell, line)).toEqual(expected);
  });

  // fish itself does not look at case.
  (shell === 'fish' ? test.skip : inShell)('completes words in lower case, too', async () => {
    expect(await complete(shell, 'signalbox list --phase f')).toEqual(['failed']);
    expect(await complete(shell, 'signalbox list --kind py')).toEqual(['pytorchjob']);
  });

  inShell('takes no value of a flag for a command', async () => {
    expect(await complete(shell, 'signalbox --task-queue list get l')).toEqual(['live']);
  });

  inShell('completes contexts also where the chosen one does not exist', async () => {
    expect(await complete(shell, 'signalbox context use ', { SIGNALBOX_CONTEXT: 'gone' })).toEqual(['prod']);
  });

  inShell('knows every command', async () => {
    const commands = await complete(shell, 'signalbox ');
    expect(commands).toEqual(expect.arrayContaining(['submit', 'get', 'doctor', 'context', 'sandbox']));
    expect(commands).not.toContain('delete');
    expect(commands).not.toContain('__complete');
  });

  inShell('completes each key that costs are added up by, also where no server answers', async () => {
    const env = { TEMPORAL_ADDRESS: `127.0.0.1:${await freePort()}` };
    const typed = 'signalbox cost --by ';
    expect(await complete(shell, `${typed}na`, env)).toEqual(['namespace']);
    expect(await complete(shell, `${typed}user,na`, env)).toEqual(['user,namespace']);
  });

  inShell('is silent where no server answers', async () => {
    const env = { TEMPORAL_ADDRESS: `127.0.0.1:${await freePort()}` };
    expect(await complete(shell, 'signalbox get x', env)).toEqual([]);
  });

  inShell('is silent as soon as it has waited for long enough', async () => {
    const mute = createServer(() => undefined);
    const env = { KUBECONFIG: join(folder, 'mute'), SIGNALBOX_COMPLETION_TIMEOUT: '1' };
    await writeFile(env.KUBECONFIG, kubeconfigOf(await listening(mute)));
    expect(await complete(shell, 'signalbox logs live ', env)).toEqual([]);
    mute.close();
    mute.closeAllConnections();
  });
});

/** A terminal in which zsh runs; waits until it has written the rest of a word after a Tab. */
const TERMINAL = (script: string, { line, rest }: { line: string; rest: string }) => `zmodload zsh/zpty
zpty z zsh -f -i
zpty -w z "PS1='> '; autoload -Uz compinit; compinit -u -D; source ${script}; echo LOA''DED"
zpty -r -m z said '*LOADED*> '
zpty -w -n z $'${line}\\t'
zpty -r -m z said '*${rest}*'
zpty -d z
print -r -- "\${(V)said}"`;

(installed('zsh') ? test : test.skip).each([
  { line: 'signalbox sus', rest: 'pend' },
  { line: 'signalbox list --phase Sus', rest: 'pended' },
  { line: 'signalbox get li', rest: 've' },
])('a Tab in zsh after `$line` adds $rest', async (typed) => {
  const script = TERMINAL(join(folder, 'script.zsh'), typed);
  const { stdout } = await run('zsh', ['-f', '-c', script], {
    timeout: 30_000,
    env: {
      ...{ PATH: `${folder}:${process.env.PATH}`, HOME: folder, SIGNALBOX_SANDBOX_DIR: '/nowhere' },
      ...{ XDG_CONFIG_HOME: join(folder, 'config'), TEMPORAL_ADDRESS: server.address, TERM: 'xterm' },
    },
  });
  expect(stdout).toContain(typed.rest);
});

test('a closed output pipe is no error', async () => {
  const command = `"${process.execPath}" cli/bin.mjs completion bash | head -1`;
  const { stdout } = await run('bash', ['-c', `set -o pipefail; ${command}`]);
  expect(stdout).toBe('# bash completion for signalbox\n');
});
